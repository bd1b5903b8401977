#include "tests/widgets/support/space_fixture.h"

#include "engine/data/embedding_set.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <utility>

namespace assay::test {
namespace {

NeighborTable neighbors(const Points& queries, const Points& base, std::size_t k, bool sameSet) {
    NeighborTable table;
    table.k = k;
    for (std::size_t q = 0; q < queries.size(); ++q) {
        std::vector<std::pair<double, std::uint32_t>> all;
        for (std::size_t b = 0; b < base.size(); ++b) {
            double squared = 0.0;
            for (std::size_t axis = 0; axis < 3; ++axis)
                squared += std::pow(static_cast<double>(queries[q][axis]) - static_cast<double>(base[b][axis]), 2);
            if (!sameSet || q != b)
                all.emplace_back(std::sqrt(squared), static_cast<std::uint32_t>(b));
        }
        std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(k), all.end());
        for (std::size_t rank = 0; rank < k; ++rank) {
            table.distance.push_back(all[rank].first);
            table.index.push_back(all[rank].second);
        }
    }
    return table;
}

} // namespace

Points cloud(std::size_t count, std::array<float, 3> centre, float spread, unsigned seed) {
    std::mt19937 engine(seed);
    std::normal_distribution<float> normal(0.0F, spread);
    Points points(count);
    for (auto& p : points)
        for (std::size_t axis = 0; axis < 3; ++axis)
            p[axis] = centre[axis] + normal(engine) / (1.0F + 0.5F * static_cast<float>(axis));
    return points;
}

std::shared_ptr<const EmbeddingSet> setOf(const Points& points, const std::string& name) {
    EmbeddingParts parts;
    parts.rows = points.size();
    parts.dim = 3;
    parts.name = name;
    std::vector<float> values;
    for (const auto& p : points)
        values.insert(values.end(), p.begin(), p.end());
    parts.values = std::move(values);
    return std::make_shared<const EmbeddingSet>(std::move(parts));
}

SpaceFixture makeFixture(const Points& real, const Points& synthetic) {
    constexpr std::size_t k = 5;
    auto analysis = std::make_shared<RealAnalysis>();
    analysis->set = setOf(real, "real");
    analysis->neighbors = neighbors(real, real, k, true);
    for (std::size_t row = 0; row < real.size(); ++row)
        analysis->radius.push_back(analysis->neighbors.distanceAt(row, k - 1));
    std::vector<double> sorted = analysis->radius;
    std::sort(sorted.begin(), sorted.end());
    analysis->medianRadius = sorted[sorted.size() / 2];
    for (const double radius : analysis->radius)
        analysis->innerRadius.push_back(std::min(radius, analysis->medianRadius));

    auto model = std::make_shared<ModelAudit>();
    model->name = "gan";
    model->set = setOf(synthetic, "gan");
    auto tables = std::make_shared<PairTables>();
    tables->syntheticToSynthetic = neighbors(synthetic, synthetic, k, true);
    tables->synthetic.nearest = neighbors(synthetic, real, k, false);
    tables->real.nearest = neighbors(real, synthetic, k, false);
    model->tables = tables;
    std::vector<double> fidelity;
    std::vector<double> pce;
    std::vector<double> authentic;
    std::vector<double> nearest;
    for (std::size_t row = 0; row < synthetic.size(); ++row) {
        const double distance = model->tables->synthetic.nearest.distanceAt(row, 0);
        fidelity.push_back(std::clamp(1.0 - distance / 3.0, 0.0, 1.0));
        pce.push_back(row == 1 ? std::numeric_limits<double>::quiet_NaN() : std::log(distance));
        authentic.push_back(row % 4 == 0 ? 0.0 : 1.0);
        nearest.push_back(model->tables->synthetic.nearest.indexAt(row, 0));
    }
    model->columns = {{"fidelity", std::move(fidelity)},
                      {"pce", std::move(pce)},
                      {"authentic", std::move(authentic)},
                      {"nearest_real", std::move(nearest)}};

    auto audit = std::make_shared<AuditResult>();
    audit->k = k;
    audit->real = analysis;
    audit->models = {model};
    SpaceFixture fixture;
    fixture.state.audit = audit;
    fixture.points = std::make_shared<const SpacePoints>(SpacePoints{real, synthetic, {0.4321, 0.087, 0.0123}});
    return fixture;
}

SpaceFixture smallFixture() {
    static const SpaceFixture fixture = makeFixture(cloud(300, {-1, 0, 0}, 1.5F, 1), cloud(300, {3, 1, 0}, 1.5F, 2));
    return fixture;
}

} // namespace assay::test
