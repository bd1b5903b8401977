#include "tests/widgets/support/useful_audit.h"

#include "engine/audit/run/audit.h"

#include <cmath>
#include <map>
#include <random>
#include <utility>

namespace assay::test {
namespace {

constexpr std::size_t kDim = 4;

/// The centre of a class on a circle.
float centre(std::size_t label, std::size_t classes, std::size_t dimension) {
    const double angle = 6.283 * static_cast<double>(label) / static_cast<double>(classes);
    return dimension == 0 ? static_cast<float>(2.5 * std::cos(angle))
                          : (dimension == 1 ? static_cast<float>(2.5 * std::sin(angle)) : 0.0F);
}

std::vector<float> clouds(const UsefulOptions& options, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    std::vector<float> values;
    for (std::size_t row = 0; row < options.rows; ++row)
        for (std::size_t d = 0; d < kDim; ++d)
            values.push_back(centre(row % options.classes, options.classes, d) + normal(random));
    return values;
}

/// A number that a line explains in part only.
std::string numberOf(const std::vector<float>& values, std::size_t row) {
    const float other = values[row * kDim + 1];
    return std::to_string(2.0F * values[row * kDim] + 0.3F * other * other + 0.5F);
}

std::shared_ptr<const EmbeddingSet> setOf(const std::string& name, const std::vector<float>& values,
                                          const UsefulOptions& options, UsefulOptions::Labels labels,
                                          const std::string& prefix) {
    EmbeddingParts parts = EmbeddingParts::of(values, kDim, name);
    std::vector<std::string> texts;
    for (std::size_t row = 0; row < options.rows; ++row)
        texts.push_back(labels == UsefulOptions::Labels::Numbers ? numberOf(values, row)
                                                                 : prefix + std::to_string(row % options.classes));
    if (labels != UsefulOptions::Labels::None)
        parts.labels = labelsFromText(texts);
    for (std::size_t row = 0; row < options.rows && !options.idPrefix.empty(); ++row)
        parts.ids.push_back(options.idPrefix + std::to_string(row));
    return std::make_shared<const EmbeddingSet>(std::move(parts));
}

} // namespace

std::vector<std::shared_ptr<const EmbeddingSet>> usefulSets(const UsefulOptions& options) {
    const std::vector<float> real = clouds(options, 1);
    std::vector<float> copies = clouds(options, 4);
    std::mt19937 random(5);
    std::normal_distribution<float> noise(0.0F, 0.01F);
    for (std::size_t i = 0; i < real.size() / 2; ++i)
        copies[i] = real[i] + noise(random);
    const auto model = [&](const char* name, const std::vector<float>& values) {
        return setOf(name, values, options, options.modelLabels, options.modelPrefix);
    };
    return {setOf("real", real, options, options.labels, options.prefix), model("honest", clouds(options, 2)),
            model("copies", copies), setOf("held-out", clouds(options, 3), options, options.labels, options.prefix)};
}

std::shared_ptr<const AuditResult> usefulAudit(const UsefulOptions& options) {
    static std::map<UsefulOptions, std::shared_ptr<const AuditResult>> made;
    auto& audit = made[options];
    if (audit == nullptr) {
        const auto sets = usefulSets(options);
        AuditRequest request;
        request.real = sets[0];
        request.models = {{"honest", sets[1]}, {"copies", sets[2]}};
        if (options.heldOut)
            request.heldOut = sets[3];
        audit = runAudit(request);
    }
    return audit;
}

} // namespace assay::test
