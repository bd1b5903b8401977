#include "engine/report/scores/preparation_json.h"

#include <nlohmann/json.hpp>

#include <cstddef>

namespace assay {

std::string preparationAsJson(const ValuePreparation& preparation) {
    using OrderedJson = nlohmann::ordered_json;
    OrderedJson json{{"scale", nameOf(preparation.scaling)},
                     {"drop_nan", preparation.dropsNotFinite},
                     {"one_hot", preparation.oneHot},
                     {"text", preparation.text()}};
    if (preparation.columns > 0)
        json["columns"] = preparation.columns;
    OrderedJson offsets = OrderedJson::array();
    for (std::size_t c = 0; c < preparation.offset.size(); ++c)
        if (preparation.offset[c] != 0.0)
            offsets.push_back({{"column", c}, {"offset", preparation.offset[c]}});
    if (!offsets.empty())
        json["offsets"] = std::move(offsets);
    if (preparation.scaling == Scaling::ZScore) {
        json["mean"] = preparation.mean;
        json["standard_deviation"] = preparation.spread;
        json["unscaled_columns"] = preparation.unscaled;
    }
    if (preparation.scaling == Scaling::PcaWhiten ||
        preparation.scaling == Scaling::Pca) // only the audit file stores the axes
        json["component_standard_deviation"] = preparation.spread;
    if (const WindowShape& window = preparation.window; window.steps > 0) {
        json["steps"] = window.steps;
        json["features"] = window.features;
    }
    if (preparation.scaling == Scaling::Features) { // equal for every step
        const auto ofOneStep = [&](const std::vector<double>& all) {
            return std::vector<double>(all.begin(),
                                       all.begin() + static_cast<std::ptrdiff_t>(preparation.window.features));
        };
        json["mean"] = ofOneStep(preparation.mean);
        json["standard_deviation"] = ofOneStep(preparation.spread);
    }
    OrderedJson categories = OrderedJson::array();
    for (const CategoryColumn& column : preparation.categories)
        categories.push_back({{"feature", column.column}, {"name", column.name}, {"categories", column.categories}});
    if (!categories.empty())
        json["categories"] = std::move(categories);
    return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

} // namespace assay
