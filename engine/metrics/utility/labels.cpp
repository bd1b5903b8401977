#include "engine/metrics/utility/labels.h"

#include "engine/data/matrix_view.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <unordered_map>

namespace assay {
namespace {

std::optional<double> numberOf(const std::string& text) {
    double value = 0.0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool isNumber = failure == std::errc() && end == text.data() + text.size() && std::isfinite(value);
    return isNumber ? std::optional(value) : std::nullopt;
}

std::vector<std::uint32_t> labelledRows(const EmbeddingSet& set) {
    return rowsWhere(set.rows(), [&](std::size_t row) { return set.hasLabel(row); });
}

} // namespace

std::vector<std::uint32_t> CommonLabels::counts(std::size_t set) const {
    return countsOf(code[set], names.size());
}

std::size_t CommonLabels::classesIn(std::size_t set) const {
    const std::vector<std::uint32_t> ofClass = counts(set);
    return ofClass.size() - static_cast<std::size_t>(std::ranges::count(ofClass, 0U));
}

CommonLabels commonLabels(const std::vector<const EmbeddingSet*>& sets) {
    CommonLabels labels;
    std::unordered_map<std::string, std::uint32_t> codes;
    for (const EmbeddingSet* set : sets) {
        std::vector<std::uint32_t> ofName;
        for (const std::string& name : set->labels().names) {
            const auto next = static_cast<std::uint32_t>(labels.names.size());
            if (name.empty()) { // of samples without a class
                ofName.push_back(next);
                continue;
            }
            const auto [place, isNew] = codes.emplace(name, next);
            if (isNew)
                labels.names.push_back(name);
            ofName.push_back(place->second);
        }
        labels.rows.push_back(labelledRows(*set));
        std::vector<std::uint32_t>& code = labels.code.emplace_back();
        for (const std::uint32_t row : labels.rows.back())
            code.push_back(ofName[set->labels().code[row]]);
    }
    return labels;
}

LabelKind kindOf(const EmbeddingSet& set) {
    constexpr std::size_t kFewOfAValue = 5;
    const ClassLabels& labels = set.labels();
    bool hasFraction = false;
    for (const std::string& name : labels.names) {
        if (name.empty())
            continue;
        const std::optional<double> number = numberOf(name);
        if (!number)
            return LabelKind::Classes;
        hasFraction = hasFraction || *number != std::floor(*number);
    }
    const bool differ =
        labels.classified() < kFewOfAValue * labels.classCount() && labels.classCount() > 2 * kFewOfAValue;
    return hasFraction || differ ? LabelKind::Numbers : LabelKind::Classes;
}

std::size_t labelOutputs(const EmbeddingSet& set) {
    if (!set.hasLabels())
        return 0;
    return kindOf(set) == LabelKind::Numbers ? 1 : set.labels().classCount();
}

std::vector<double> numbersOf(const EmbeddingSet& set) {
    std::vector<std::optional<double>> ofName;
    for (const std::string& name : set.labels().names)
        ofName.push_back(numberOf(name));
    std::vector<double> numbers;
    for (const std::uint32_t row : labelledRows(set)) {
        const std::optional<double> number = ofName[set.labels().code[row]];
        if (!number)
            return {};
        numbers.push_back(*number);
    }
    return numbers;
}

LabelledRows labelledRows(const ComparedRows& compared, const CommonLabels& labels, std::size_t set) {
    const auto none = static_cast<std::uint32_t>(labels.names.size());
    std::vector<std::uint32_t> codeOfRow(compared.set.rows, none);
    for (std::size_t r = 0; r < labels.rows[set].size(); ++r)
        codeOfRow[labels.rows[set][r]] = labels.code[set][r];
    LabelledRows labelled{{compared.set, {}}, {}};
    for (const std::uint32_t row : compared.rows)
        if (codeOfRow[row] != none) {
            labelled.compared.rows.push_back(row);
            labelled.code.push_back(codeOfRow[row]);
        }
    return labelled;
}

} // namespace assay
