// The stages after the search, on a simulated graphics card beside the CPU. They are of the whole engine, which the
// check on a bare machine does without.
#include "engine/audit/run/audit.h"
#include "engine/gpu/device/device.h"
#include "engine/gpu/search/device_search.h"
#include "engine/layout/neighbor_layout.h"
#include "engine/math/linear/centre.h"
#include "engine/math/linear/pca.h"
#include "engine/math/statistics/gaussian_fit.h"
#include "engine/metrics/embedding/vendi.h"
#include "engine/neighbors/backends/cpu_backends.h"
#include "engine/neighbors/pairs/outside_probability.h"
#include "engine/neighbors/pairs/ranked_balls.h"
#include "tests/cuda/simulated/simulator.h"
#include "tests/cuda/support/check.h"
#include "tests/cuda/support/contract.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

using namespace assay;
using namespace assay::cuda;
using namespace assay::cuda::test;

namespace {

std::unique_ptr<DeviceSearch> card() {
    std::vector<std::unique_ptr<Device>> devices;
    devices.push_back(openCudaDevice(0, 1));
    return std::make_unique<DeviceSearch>(std::move(devices), 1,
                                          [](unsigned threads) { return std::make_unique<KdTreeSearch>(threads); });
}

bool isNear(double value, double expected, double share) {
    return std::abs(value - expected) <= share * std::abs(expected);
}

GaussianFit fitOf(const Matrix& set, const Accelerator* accelerator) {
    return finishFit(beginFit(set.view(), columnMeans(set.view()), 1, {}, accelerator), 1, {});
}

struct Shape {
    std::size_t rows, dim;
    double tolerance;
};
// In few columns the CPU multiplies in double precision too; in few rows the card is not asked; fewer rows than columns
// after that.
constexpr Shape kShapes[] = {{900, 33, 1e-10}, {700, 270, 1e-6}, {40, 60, 0.0}, {2, 1, 1e-12}};

void frechetDistances() {
    const auto search = card();
    for (const Shape& shape : kShapes) {
        const Matrix a = gaussian(shape.rows, shape.dim, 1);
        const Matrix b = shifted(scaled(gaussian(shape.rows, shape.dim, 2), 1.3F), 0.25F);
        const long long before = simulated::counts().launches;
        const double onCard = frechetDistance(fitOf(a, search->accelerator()), fitOf(b, search->accelerator()));
        CHECK((simulated::counts().launches > before) == (shape.rows > shape.dim));
        const double onCpu = frechetDistance(fitOf(a, nullptr), fitOf(b, nullptr));
        CHECK_ABOUT(isNear(onCard, onCpu, shape.tolerance), std::to_string(onCard) + ", " + std::to_string(onCpu));
    }
}

/// A direction without variance: its root would show what single precision leaves.
void flatDirections() {
    Matrix set = gaussian(600, 260, 3);
    for (std::size_t r = 0; r < set.rows; ++r)
        set.values[r * set.dim + 7] = set.values[r * set.dim];
    const GaussianFit onCard = fitOf(set, card()->accelerator());
    const GaussianFit onCpu = fitOf(set, nullptr);
    CHECK(frechetDistance(onCard, onCpu) < 1e-6 * onCpu.totalVariance);
    CHECK(isNear(onCard.totalVariance, onCpu.totalVariance, 1e-12));
}

void vendiScores() {
    const auto search = card();
    for (const Shape& shape : kShapes) {
        Matrix set = gaussian(shape.rows, shape.dim, 4);
        std::fill_n(set.values.begin(), shape.dim, 0.0F); // a row of zeros is like nothing
        const RowSummary summary = summarizeRows(set.view(), 1, {});
        const DoubleMatrix onCard = similarities(set.view(), summary, 1, {}, search->accelerator()).matrix;
        const DoubleMatrix onCpu = similarities(set.view(), summary, 1, {}).matrix;
        CHECK(onCard.rows == onCpu.rows);
        double most = 0.0;
        for (std::size_t i = 0; i < onCard.rows; ++i)
            for (std::size_t j = 0; j <= i; ++j)
                most = std::max(most, std::abs(onCard.at(i, j) - onCpu.at(i, j)));
        CHECK_ABOUT(most <= shape.tolerance, std::to_string(most));
    }
}

void principalComponents() {
    const auto search = card();
    for (const Shape& shape : {Shape{300, 2, 1e-9}, Shape{700, 50, 1e-9}, Shape{600, 150, 1e-4}}) {
        Matrix set = shifted(gaussian(shape.rows, shape.dim, 5), 3.0F);
        for (std::size_t r = 0; r < set.rows; ++r) // directions that stand out
            for (std::size_t c = 0; c < std::min<std::size_t>(shape.dim, 3); ++c)
                set.values[r * set.dim + c] *= static_cast<float>(8 - 2 * c);
        const long long before = simulated::counts().launches;
        const auto onCard = PrincipalComponents::fit(set.view(), {}, 1, search->accelerator());
        CHECK(simulated::counts().launches > before);
        const auto onCpu = PrincipalComponents::fit(set.view(), {}, 1);
        for (std::size_t c = 0; c < PrincipalComponents::kCount; ++c) {
            CHECK(isNear(onCard.explainedShare().at(c), onCpu.explainedShare().at(c), 1e-6));
            for (std::size_t i = 0; i < shape.dim; ++i)
                CHECK(std::abs(onCard.axis(c)[i] - onCpu.axis(c)[i]) < shape.tolerance);
        }
    }
}

/// Where the card has no room the results are the CPU's, bit for bit, and people are told.
void layouts() {
    const auto search = card();
    const Matrix set = gaussian(700, 6, 8);
    const NeighborGraph graph = neighborGraph(KdTreeSearch(1).within(set.view(), 10, {}));
    std::vector<std::array<float, 3>> start(set.rows);
    for (std::size_t r = 0; r < set.rows; ++r)
        start[r] = {set.values[r * 6], set.values[r * 6 + 1], set.values[r * 6 + 2]};
    const LayoutOptions options{30, 9, 1};
    const long long before = simulated::counts().launches;
    const auto onCard = neighborLayout(graph, start, options, {}, search->accelerator());
    CHECK(simulated::counts().launches > before);
    CHECK(onCard == neighborLayout(graph, start, options));
    simulated::machine().largestAllocation = 1000;
    CHECK(neighborLayout(graph, start, options, {}, search->accelerator()) == onCard);
    CHECK(search->hardware().find("CPU") != std::string::npos);
    simulated::machine().largestAllocation = ~std::size_t{0};
}

/// P-precision, P-recall and the curve over k: the CPU's figures, to the last bit.
void pairs() {
    const auto search = card();
    std::vector<std::uint32_t> all(600);
    std::iota(all.begin(), all.end(), 0U);
    const Matrix a = gaussian(600, 40, 9);
    for (const Matrix& b :
         {shifted(gaussian(600, 40, 10), 0.2F), scaled(a, 1.0F), repeated(gaussian(70, 40, 11), 600)}) {
        for (const double within : {4.0, 7.0, 9.0}) { // of next to no pairs, some, nearly all
            const OutsideQuery x{a.view(), all, within};
            const OutsideQuery y{b.view(), all, within * 0.9};
            const long long before = simulated::counts().launches;
            const OutsideProbabilities onCard =
                outsideProbabilities(PairSearch::ByProducts, x, y, 2, {}, search->accelerator());
            CHECK(simulated::counts().launches > before);
            const OutsideProbabilities onCpu = outsideProbabilities(PairSearch::ByProducts, x, y, 2, {});
            CHECK(onCard.a == onCpu.a && onCard.b == onCpu.b);
        }
    }
    // Enough points for integers to be tried at all; few are in a ball.
    const Matrix points = gaussian(2100, 40, 12);
    std::vector<double> radius;
    for (std::size_t centre = 0; centre < a.rows; ++centre)
        for (const double level : {5.0, 5.5, 6.0})
            radius.push_back(level + 0.001 * static_cast<double>(centre % 50));
    const std::vector<double> cap{5.02, 5.5, 6.01};
    const RankedBalls balls{a.view(), points.view(), 3, radius, cap};
    const long long before = simulated::counts().launches;
    const RankedBallCounts onCard = countRankedBalls(PairSearch::ByProducts, balls, 2, {}, search->accelerator());
    CHECK(simulated::counts().launches > before);
    const RankedBallCounts onCpu = countRankedBalls(PairSearch::ByProducts, balls, 2, {});
    CHECK(onCard.holding == onCpu.holding && onCard.clippedHolding == onCpu.clippedHolding);
    CHECK(std::accumulate(onCpu.holding.begin(), onCpu.holding.end(), 0U) > 100);
}

std::shared_ptr<const EmbeddingSet> setOf(const Matrix& matrix, const std::string& name) {
    EmbeddingParts parts;
    parts.name = name;
    parts.rows = matrix.rows;
    parts.dim = matrix.dim;
    parts.values = matrix.values;
    return std::make_shared<const EmbeddingSet>(std::move(parts));
}

/// Every column of samples that comes from neighbours and pairs, through a whole audit.
void audits() {
    AuditRequest request;
    request.real = setOf(gaussian(400, 40, 13), "real");
    request.models = {{"near", setOf(scaled(gaussian(350, 40, 14), 1.2F), "near")},
                      {"copies", setOf(repeated(gaussian(400, 40, 13), 300), "copies")}};
    request.options.threads = 2;
    const auto audited = [&](bool onCard) {
        request.options.makeSearch = [=](BackendChoice, MatrixView, unsigned threads,
                                         const JobContext&) -> std::unique_ptr<NeighborSearch> {
            if (onCard)
                return card();
            return std::make_unique<GemmSearch>(threads);
        };
        return runAudit(request);
    };
    const auto expected = audited(false);
    const auto found = audited(true);
    for (std::size_t model = 0; model < 2; ++model)
        for (const char* id : {"realism", "rarity", "p_precision", "p_recall", "fidelity", "pce"})
            CHECK_ABOUT(std::ranges::equal(found->models[model]->column(id), expected->models[model]->column(id), {},
                                           std::bit_cast<std::uint64_t, double>, std::bit_cast<std::uint64_t, double>),
                        id);
}

void leavesItToTheCpu() {
    const simulated::Machine before = simulated::machine();
    const auto search = card();
    simulated::machine().largestAllocation = 1000;
    const Matrix set = gaussian(300, 20, 6);
    std::string stages;
    const JobContext job({}, [&](const Progress& progress) { stages += progress.stage + "\n"; });
    CHECK(finishFit(beginFit(set.view(), columnMeans(set.view()), 1, job, search->accelerator())).factor.values ==
          fitOf(set, nullptr).factor.values);
    CHECK(stages.find(kLeftToTheCpu) != std::string::npos);
    const RowSummary summary = summarizeRows(set.view(), 1, {});
    CHECK(similarities(set.view(), summary, 1, {}, search->accelerator()).matrix.values ==
          similarities(set.view(), summary, 1).matrix.values);
    CHECK(PrincipalComponents::fit(set.view(), {}, 1, search->accelerator()).axis(1) ==
          PrincipalComponents::fit(set.view(), {}, 1).axis(1));
    const OutsideQuery side{set.view(), {0, 1, 2}, 6.0};
    CHECK(outsideProbabilities(PairSearch::ByProducts, side, side, 1, {}, search->accelerator()).a ==
          outsideProbabilities(PairSearch::ByProducts, side, side, 1, {}).a);
    CHECK(search->hardware().find("CPU") != std::string::npos);
    simulated::machine().largestAllocation = before.largestAllocation;
}

} // namespace

int main() {
    run("Frechet distances", frechetDistances);
    run("directions without variance", flatDirections);
    run("Vendi scores", vendiScores);
    run("principal components", principalComponents);
    run("layouts", layouts);
    run("pairs", pairs);
    run("audits", audits);
    run("leaves what does not fit to the CPU", leavesItToTheCpu);
    CHECK(simulated::counts().nothingIsHeld());
    return verdict();
}
