#include "tests/widgets/support/judged_audit.h"

#include "engine/audit/run/audit.h"

#include <map>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace assay::test {
namespace {

constexpr std::size_t kReal = 600;
constexpr std::size_t kOriginal = 7;
constexpr std::size_t kFirstEqual = 20;
constexpr std::size_t kFirstMissed = 540;

std::shared_ptr<const EmbeddingSet> setOf(const std::string& name, std::vector<float> values, std::size_t dim) {
    EmbeddingParts parts;
    parts.name = name;
    parts.rows = values.size() / dim;
    parts.dim = dim;
    parts.values = std::move(values);
    parts.labels.names = {"0", "1", "2"};
    for (std::size_t row = 0; row < parts.rows; ++row)
        parts.labels.code.push_back(static_cast<std::uint32_t>(row % 3));
    return std::make_shared<const EmbeddingSet>(std::move(parts));
}

std::shared_ptr<const AuditResult> makeAudit(std::size_t dim) {
    std::mt19937 random(11);
    std::normal_distribution<float> normal;
    std::vector<float> real(kReal * dim);
    for (float& value : real)
        value = normal(random);
    for (std::size_t row = kFirstMissed; row < kReal; ++row)
        real[row * dim + 1] += 20.0F;
    const auto original = [&](std::size_t row) { return std::span(real).subspan(row * dim, dim); };
    std::vector<float> synthetic;
    for (std::size_t row = 0; row < JudgedRows::kNearCopies; ++row)
        for (const float value : original(kOriginal))
            synthetic.push_back(value + 0.0002F * static_cast<float>(row + 1) * normal(random));
    for (std::size_t row = 0; row < JudgedRows::kExactCopies; ++row)
        for (const float value : original(kFirstEqual + row / 2))
            synthetic.push_back(value);
    for (std::size_t row = 0; row < JudgedRows::kCrowd; ++row)
        for (std::size_t c = 0; c < dim; ++c)
            synthetic.push_back((c == 0 ? 3.0F : 0.0F) + 0.02F * normal(random));
    for (std::size_t row = 0; row < JudgedRows::kFar; ++row)
        for (std::size_t c = 0; c < dim; ++c)
            synthetic.push_back(12.0F * normal(random));
    while (synthetic.size() < JudgedRows::kAll * dim)
        synthetic.push_back(normal(random));
    AuditRequest request;
    request.real = setOf("real", std::move(real), dim);
    request.models = {{"mixed", setOf("mixed", std::move(synthetic), dim)}};
    return runAudit(request);
}

} // namespace

std::shared_ptr<const AuditResult> judgedAudit(std::size_t dim) {
    static std::map<std::size_t, std::shared_ptr<const AuditResult>> made;
    std::shared_ptr<const AuditResult>& audit = made[dim];
    if (!audit)
        audit = makeAudit(dim);
    return audit;
}

} // namespace assay::test
