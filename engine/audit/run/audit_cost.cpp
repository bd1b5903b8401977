#include "engine/audit/run/audit_cost.h"

#include "engine/audit/findings/findings.h"
#include "engine/audit/run/stages.h"
#include "engine/base/error.h"
#include "engine/metrics/embedding/row_scores.h"
#include "engine/metrics/features/feature_differences.h"
#include "engine/metrics/verdicts/verdicts.h"
#include "engine/neighbors/backends/cpu_backends.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

namespace assay {
namespace {

constexpr std::size_t kFixed = std::size_t{48} << 20; // libraries, tiles of every thread

/// Adds the memory of a set's stages: the sum of what they keep, and the largest working memory.
template <typename State>
void add(MemoryNeed& need, const AuditShape& shape, bool passed = false) {
    for (const Stage<State>& stage : stagesOf<State>()) {
        if (stage.memory == nullptr || (passed && stage.phase == Phase::Passes))
            continue;
        const StageMemory memory = stage.memory(shape);
        need.results += memory.kept;
        need.working = std::max(need.working, memory.working);
        need.lean = std::max(need.lean, memory.lean);
    }
}

/// A search that takes little memory, with short lists and products of integers alone. A graphics card needs little of
/// the host's anyway.
SearchMaker lean(const SearchMaker& make) {
    return [make](BackendChoice choice, MatrixView sample, unsigned threads, const JobContext& job) {
        return choice == BackendChoice::Cuda ? make(choice, sample, threads, job)
                                             : makeThinnedSearch(std::make_unique<GemmSearch>(threads, true), threads);
    };
}

} // namespace

std::size_t ownNeighbors(const AuditOptions& options, std::size_t available) {
    // One neighbour beyond the ball shows that all its members are listed. Covers and verdicts need the full catalogue.
    const std::size_t catalog = options.tablesOnly ? 0 : std::max(options.cover.neighbors(), kDensityNeighbors);
    return std::min(std::max({options.storedNeighbors, options.k + 1, catalog}), available);
}

std::size_t crossNeighbors(const AuditOptions& options, std::size_t available) {
    const std::size_t catalog = options.tablesOnly ? 0 : std::max(options.cover.k, kDensityNeighbors);
    constexpr std::size_t kForRatios = 2; // of the nearest to the second nearest distance
    return std::min(std::max({options.storedNeighbors, options.k, catalog, kForRatios}), available);
}

MemoryNeed memoryNeed(const AuditRequest& request, const AuditResult* begun) {
    MemoryNeed need;
    need.results = kFixed;
    const auto shape = [&](const EmbeddingSet& set) { return shapeOf(request, set, request.options); };
    add<RealState>(need, shape(*request.real), begun != nullptr && begun->real != nullptr);
    for (const AuditModel& model : request.models)
        add<ModelState>(need, shape(*model.set));
    if (request.heldOut && (begun == nullptr || begun->heldOut == nullptr)) {
        const std::size_t basis = heldOutBasisBytes(shape(*request.heldOut));
        add<ModelState>(need, shape(*request.heldOut));
        need.working = std::max(need.working, basis);
        need.lean = std::max(need.lean, basis);
    }
    return need;
}

AuditOptions withinMemory(const AuditRequest& request, const AuditResult* begun) {
    AuditOptions fitted = request.options;
    if (fitted.search)
        return fitted;
    const bool given = fitted.memoryLimit > 0;
    const std::size_t limit = given ? fitted.memoryLimit : availableMemory();
    const MemoryNeed need = memoryNeed(request, begun);
    if (limit == 0 || need.atFullSpeed() <= limit)
        return fitted;
    fitted.makeSearch = lean(fitted.makeSearch);
    if (need.atLeast() <= limit)
        return fitted;
    const std::size_t models = request.models.size();
    throw Error(ErrorKind::NotEnoughMemory, "an audit of " + std::to_string(request.real->rows()) + " real rows and " +
                                                std::to_string(models) +
                                                (models == 1 ? " synthetic set needs " : " synthetic sets needs ") +
                                                "up to " + bytesText(need.atLeast()) + " beyond its inputs, found " +
                                                bytesText(limit) + (given ? " allowed" : " free on this machine"));
}

std::size_t parseBytes(const std::string& text) {
    const auto refuse = [&] {
        return Error(ErrorKind::InvalidArgument,
                     "expected a number of bytes such as 800M, 4G or 1.5GiB, found '" + text + "'");
    };
    double value = 0.0;
    const char* end = text.data() + text.size();
    const auto [rest, failure] = std::from_chars(text.data(), end, value);
    if (failure != std::errc() || !std::isfinite(value) || value < 0.0)
        throw refuse();
    std::string unit(rest, end);
    std::transform(unit.begin(), unit.end(), unit.begin(), [](unsigned char c) { return std::tolower(c); });
    if (unit.ends_with("ib"))
        unit.resize(unit.size() - 2);
    else if (unit.ends_with("b"))
        unit.resize(unit.size() - 1);
    constexpr std::string_view kPrefixes = "kmgt";
    const std::size_t power = unit.empty() ? 0 : kPrefixes.find(unit) + 1; // npos + 1 is 0
    if (unit.size() > 1 || (!unit.empty() && power == 0))
        throw refuse();
    const double bytes = value * std::pow(1024.0, static_cast<double>(power));
    if (bytes < 1.0 || bytes > 0x1p62)
        throw refuse();
    return static_cast<std::size_t>(bytes);
}

namespace {

// Below about this many dimensions the trial of BackendChoice::Auto prefers the tree, and nanoflann's leaves out most
// rows.
constexpr std::size_t kFewDimensions = 10;

/// Measuring the candidates of one row, whatever the dimension.
constexpr double kMeasuring = 7e-6;

double searches(std::size_t queries, std::size_t base) {
    return static_cast<double>(queries) * std::log2(static_cast<double>(base) + 1.0);
}

} // namespace

PassCost::PassCost(BackendChoice choice, std::size_t dim)
    : dim_(static_cast<double>(dim)),
      byRows_(choice == BackendChoice::KdTree ||
              ((choice == BackendChoice::Auto || choice == BackendChoice::Nanoflann) && dim < kFewDimensions)) {}

/// Products and selection of pairs of rows. Near a surface of low dimension it takes down to half as long.
double PassCost::pairs(double count) const {
    return count * (3e-10 + 7e-12 * dim_);
}

/// Levels of a tree's search.
double PassCost::levels(double count) const {
    return count * (1e-7 + 5e-8 * dim_);
}

/// Dimensions that TopP&R measures distances in.
double PassCost::projected() const {
    return std::min(dim_, 32.0);
}

double PassCost::within(std::size_t rows) const {
    const auto count = static_cast<double>(rows);
    // Each pair of one set is needed once only.
    return byRows_ ? levels(searches(rows, rows)) : kMeasuring * count + pairs(count * count / 2.0);
}

double PassCost::between(std::size_t rowsA, std::size_t rowsB) const {
    // Counting the balls takes a tree another fifth of the time.
    return byRows_ ? levels(1.2 * (searches(rowsA, rowsB) + searches(rowsB, rowsA)))
                   : kMeasuring * static_cast<double>(rowsA + rowsB) +
                         pairs(static_cast<double>(rowsA) * static_cast<double>(rowsB));
}

double PassCost::values(std::size_t rows) const {
    return 2e-7 * static_cast<double>(rows);
}

double PassCost::rowScores(std::size_t rows) const {
    const auto count = static_cast<double>(rows);
    const double smaller = std::min(count, dim_);
    // Two Gram matrices and their eigenvalues; every pair of at most 10,000 rows in 32 dimensions.
    const double spectra = smaller > static_cast<double>(kMaxEigenvalues)
                               ? 0.0
                               : 1.2e-11 * count * smaller * dim_ + 1e-10 * smaller * smaller * smaller;
    const double used = std::min(count, 1e4);
    return spectra + used * used * (4.5e-10 + 2.7e-11 * projected()) + 1e-9 * count * dim_;
}

double PassCost::reading(std::size_t rows) const {
    return 2e-9 * static_cast<double>(rows) * dim_;
}

double PassCost::modes(std::size_t rows) const {
    // Each row is compared with about a thousand others.
    return static_cast<double>(std::min<std::size_t>(rows, 100'000)) * (5e-7 + 5e-9 * dim_);
}

double PassCost::setTests(std::size_t realRows, std::size_t rows) const {
    // Features sorted once more; classifiers on up to 5,000 rows of each side.
    const auto both = static_cast<double>(realRows + rows);
    const double trained = std::min(both, 1e4);
    return both * (2e-7 + 2e-8 * dim_) + trained * (1e-5 + 1.5e-8 * dim_);
}

double PassCost::examples(std::size_t realRows, std::size_t rows) const {
    // k-means on some samples of both sides, then every sample is read twice.
    const auto some = static_cast<double>(std::min(realRows, kExampleRows) + std::min(rows, kExampleRows));
    return some * (1e-6 + 4e-8 * dim_) + static_cast<double>(realRows + rows) * (1e-8 + 5e-9 * dim_);
}

CatalogCost PassCost::catalog(std::size_t realRows, std::size_t rows) const {
    const double larger = static_cast<double>(std::max(realRows, rows));
    const double smaller = static_cast<double>(std::min(realRows, rows));
    const double both = larger + smaller;
    const double subset = std::min(smaller, 1e3);
    const double subsets = std::clamp(larger / std::max(subset, 1.0), 1.0, 100.0);
    const double kernels = subsets * subset * subset * (2e-11 * dim_ + 2e-9);
    const double used = std::min(larger, 1e4);
    const double dims = std::min(smaller, dim_);
    const double roots = dims > static_cast<double>(kMaxEigenvalues) ? 0.0 : 2e-10 * dims * dims * dims;
    CatalogCost cost{};
    cost.verdicts = 2.2e-6 * both;
    cost.likelihood = 3.0 * used * used * (1e-9 + 1e-11 * dim_);
    // Rows along the directions of the influence, and their sums; kernels of whole sets.
    const double influence = roots > 0.0 ? 1e-10 * static_cast<double>(rows) * dims * dim_ : 0.0;
    const double whole = std::min(larger, static_cast<double>(kKernelRows));
    cost.rowScores = rowScores(rows) + roots + kernels + influence + whole * whole * (1e-8 + 4e-11 * dim_) +
                     used * used * (8e-10 + 3e-11 * projected());
    const auto dim = static_cast<std::size_t>(dim_);
    const auto sorted = static_cast<double>(featureRows(realRows, dim) + featureRows(rows, dim));
    cost.features = sorted * dim_ * 3e-8 + both * dim_ * 3e-9;
    // How many pairs matter is not known before. Next to none of independent coordinates in 1,024 dimensions, or where
    // every synthetic sample is far away; twice as many as this near a surface of 30 of 1,024 dimensions.
    cost.nearPairs = byRows_ ? 5.5e-7 * dim_ * both : larger * smaller * (5e-10 + 6e-12 * dim_) + 4e-9 * both * dim_;
    cost.curves = both * (4e-6 + 3e-9 * dim_);
    cost.intervals = 9e-6 * both;
    return cost;
}

double PassCost::utility(double products) const {
    return 1e-10 * products;
}

double PassCost::training(std::size_t rows) const {
    // 100 epochs forwards and back over the weights of 200 hidden units, twice.
    return 4e-11 * static_cast<double>(rows) * 100.0 * (400.0 * dim_ + 40000.0);
}

} // namespace assay
