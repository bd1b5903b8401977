#include "engine/store/preparation_values.h"

#include "engine/store/stored_texts.h"
#include "engine/store/stored_values.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace assay::store {
namespace {

const std::string kPath = "preparation";

std::string categoryPath(std::size_t column) {
    return kPath + "/one_hot/" + std::to_string(column);
}

void requireFits(const ValueReader& values, const ValuePreparation& made) {
    const bool isScore = made.scaling == Scaling::ZScore || made.scaling == Scaling::Features;
    const bool isPca = made.scaling == Scaling::PcaWhiten || made.scaling == Scaling::Pca;
    const WindowShape& window = made.window;
    const bool isSeries = window.steps > 0 && window.features > 0;
    if (isSeries ? made.columns % window.steps != 0 || made.columns / window.steps != window.features
                 : window != WindowShape{} || made.scaling == Scaling::Features)
        values.refuse(kPath + "/window", "expected steps and features that make " + std::to_string(made.columns) +
                                             " columns, found others");
    const std::size_t fitted = isScore || isPca ? made.columns : 0;
    const std::size_t spread = isScore ? made.columns : made.spread.size();
    const bool fits = made.mean.size() == fitted && made.spread.size() == spread &&
                      made.axes.size() == (isPca ? spread * made.columns : 0) &&
                      (made.offset.empty() || made.offset.size() == made.columns) && (isPca || isScore || spread == 0);
    const bool positive = std::ranges::all_of(made.spread, [](double value) { return value > 0.0; });
    if (!fits || !positive || (isPca && spread == 0))
        values.refuse(kPath, "expected a mean and a spread for each of " + std::to_string(made.columns) +
                                 " columns, found others");
}

} // namespace

void writePreparation(ValueWriter& values, const ValuePreparation& preparation) {
    if (preparation.isNone())
        return;
    values.text(kPath + "/scale", std::string(nameOf(preparation.scaling)));
    values.number(kPath + "/drop_not_finite", preparation.dropsNotFinite ? 1 : 0);
    values.number(kPath + "/columns", preparation.columns);
    values.array(kPath + "/offset", preparation.offset);
    values.array(kPath + "/unscaled", preparation.unscaled);
    values.array(kPath + "/mean", preparation.mean);
    values.array(kPath + "/spread", preparation.spread);
    values.array(kPath + "/axes", preparation.axes);
    if (preparation.window.steps > 0) {
        values.number(kPath + "/window/steps", preparation.window.steps);
        values.number(kPath + "/window/features", preparation.window.features);
    }
    values.number(kPath + "/one_hot", preparation.oneHot ? 1 : 0);
    values.number(kPath + "/one_hot/columns", preparation.categories.size());
    for (std::size_t c = 0; c < preparation.categories.size(); ++c) {
        const CategoryColumn& column = preparation.categories[c];
        values.number(categoryPath(c) + "/column", column.column);
        values.text(categoryPath(c) + "/name", column.name);
        writeTexts(values, categoryPath(c) + "/categories", column.categories);
    }
}

PreparationPtr readPreparation(ValueReader& values) {
    auto made = std::make_shared<ValuePreparation>();
    if (!values.has(kPath + "/scale"))
        return made;
    std::string name;
    values.text(kPath + "/scale", name);
    const std::optional<Scaling> scaling = scalingOf(name);
    if (!scaling)
        values.refuse(kPath + "/scale", "expected a scaling that is known, found '" + name + "'");
    made->scaling = *scaling;
    int flag = 0;
    values.number(kPath + "/drop_not_finite", flag);
    made->dropsNotFinite = flag != 0;
    values.number(kPath + "/columns", made->columns);
    values.array(kPath + "/offset", made->offset);
    values.array(kPath + "/unscaled", made->unscaled);
    values.array(kPath + "/mean", made->mean);
    values.array(kPath + "/spread", made->spread);
    values.array(kPath + "/axes", made->axes);
    if (values.has(kPath + "/window/steps")) {
        values.number(kPath + "/window/steps", made->window.steps);
        values.number(kPath + "/window/features", made->window.features);
    }
    values.number(kPath + "/one_hot", flag);
    made->oneHot = flag != 0;
    std::size_t texts = 0;
    values.number(kPath + "/one_hot/columns", texts);
    for (std::size_t c = 0; c < texts && values.has(categoryPath(c) + "/column"); ++c) {
        CategoryColumn column;
        values.number(categoryPath(c) + "/column", column.column);
        values.text(categoryPath(c) + "/name", column.name);
        column.categories = readTexts(values, categoryPath(c) + "/categories");
        made->categories.push_back(std::move(column));
    }
    requireFits(values, *made);
    return made;
}

} // namespace assay::store
