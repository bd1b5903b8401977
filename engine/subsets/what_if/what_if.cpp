#include "engine/subsets/what_if/what_if.h"

#include "engine/audit/result/audit_result.h"
#include "engine/base/error.h"
#include "engine/base/find_by.h"
#include "engine/base/parallel.h"
#include "engine/data/embedding_set.h"
#include "engine/data/matrix_view.h"
#include "engine/math/linear/centre.h"
#include "engine/metrics/balls/near_pairs.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/metrics/one_class/alpha_beta.h"
#include "engine/metrics/tables/subset_neighbors.h"
#include "engine/subsets/what_if/what_if_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>

namespace assay {

/// Builds the pair tables of an audit of the kept synthetic rows, as far as the catalogue's aggregates read them, and
/// computes these aggregates.
///
/// The tables differ from those of a full audit in three ways that no aggregate depends on: neighbour tables are
/// shorter; the count of synthetic samples in a real sample's ball stops at k; holding of the real side is 1 for any
/// positive number of balls.
class SubsetAudit {
public:
    /// @param tables kept by reference; run() reads them and extends their lists
    /// @param threads 0: all cores
    SubsetAudit(WhatIfTables& tables, unsigned threads);

    /// Computes the metrics of the tables' `scores` for the kept rows.
    /// @param kept more than k synthetic rows
    /// @return values in catalogue order
    /// @throws Cancelled
    std::vector<MetricValue> run(const RowMask& kept, const JobContext& job);

private:
    void resize(const RowMask& kept);
    void fillTables(const RowMask& kept, const JobContext& job);
    bool fillList(NeighborTable& table, std::size_t at, const SubsetNeighbors& lists, std::size_t row,
                  const RowMask& kept) const;
    bool fillSynthetic(std::size_t keptRow, const RowMask& kept);
    bool fillReal(std::size_t row, const RowMask& kept);
    void searchAgain(const RowMask& kept, const std::vector<std::uint32_t>& missingSynthetic,
                     const std::vector<std::uint32_t>& missingReal, const JobContext& job);
    void coverReal(const RowMask& kept, const JobContext& job);
    std::vector<CentredBall> markMembers(std::span<const CentredBall> balls, const JobContext& job);
    std::vector<CentredBall> keptBalls() const;
    std::vector<std::uint32_t> uncoveredReal() const;
    void countBalls(std::span<const CentredBall> balls, const JobContext& job);
    std::vector<MetricValue> computeMetrics(const JobContext& job);
    std::vector<MetricValue> computeFrom(const MetricInputs& inputs, const JobContext& job) const;

    WhatIfTables& tables_;
    unsigned threads_;
    std::vector<std::uint32_t> rows_;          ///< kept synthetic rows, ascending
    std::vector<std::uint32_t> newRow_;        ///< per synthetic row: its index among the kept rows
    PairTables pair_;                          ///< reused between runs to avoid allocations
    std::shared_ptr<const RealCentre> centre_; ///< computed on first use if the audit has none
};

namespace {

constexpr std::size_t kRowsPerTask = 2048;
/// Number of pairs times dimensions up to which one pass over all pairs is run each time; above it membership lists are
/// extended and kept.
constexpr std::size_t kModerateWork = std::size_t{1} << 29;

/// One list per worker of a parallelFor(), so that workers append without locks.
class PerWorker {
public:
    explicit PerWorker(unsigned threads) : lists_(resolveThreads(threads)) {}
    void add(unsigned worker, std::size_t row) { lists_[worker].push_back(static_cast<std::uint32_t>(row)); }
    std::vector<std::uint32_t> ascending() const {
        std::vector<std::uint32_t> all;
        for (const auto& list : lists_)
            all.insert(all.end(), list.begin(), list.end());
        std::sort(all.begin(), all.end());
        return all;
    }

private:
    std::vector<std::vector<std::uint32_t>> lists_;
};

void resizeTable(NeighborTable& table, std::size_t rows, std::size_t k) {
    table.k = k;
    table.index.resize(rows * k);
    table.distance.resize(rows * k);
}

/// Sets a flag to 1; several workers may set it at the same time.
void mark(std::uint32_t& flag) {
    std::atomic_ref(flag).store(1, std::memory_order_relaxed);
}

} // namespace

SubsetAudit::SubsetAudit(WhatIfTables& tables, unsigned threads)
    : tables_(tables), threads_(threads), newRow_(tables.syntheticRows()) {}

std::vector<MetricValue> SubsetAudit::run(const RowMask& kept, const JobContext& job) {
    resize(kept);
    fillTables(kept, job.part({}, 0.0, 0.5));
    coverReal(kept, job.part({}, 0.5, 0.9));
    return computeMetrics(job.part({}, 0.9, 1.0));
}

void SubsetAudit::resize(const RowMask& kept) {
    rows_ = kept.rows();
    for (std::size_t row = 0; row < rows_.size(); ++row)
        newRow_[rows_[row]] = static_cast<std::uint32_t>(row);
    const std::size_t real = tables_.realRows();
    const NeighborTable& whole = tables_.model.tables->synthetic.nearest;
    const bool deep = tables_.scores == SubsetScores::Samples;
    resizeTable(pair_.syntheticToSynthetic, rows_.size(), std::min(tables_.ownNeighbors(), rows_.size() - 1));
    resizeTable(pair_.synthetic.nearest, rows_.size(),
                deep ? whole.k : std::min(whole.k, std::max<std::size_t>(tables_.k, 2)));
    resizeTable(pair_.real.nearest, real, std::min(tables_.neighborsOfReal(), rows_.size()));
    pair_.syntheticRadius.resize(rows_.size());
    pair_.synthetic.holding.resize(rows_.size());
    pair_.synthetic.innerHolding.resize(rows_.size());
    pair_.real.inside.resize(real);
    pair_.real.insideInner.resize(real);
    pair_.real.holding.assign(real, 0);
}

/// Fills a row of a table with the nearest kept neighbours of a row of the whole set.
/// @return false when the row's list runs out
bool SubsetAudit::fillList(NeighborTable& table, std::size_t at, const SubsetNeighbors& lists, std::size_t row,
                           const RowMask& kept) const {
    std::uint32_t* index = table.index.data() + at * table.k;
    if (lists.nearestKept(row, kept, table.k, index, table.distance.data() + at * table.k) < table.k)
        return false;
    std::transform(index, index + table.k, index, [&](std::uint32_t old) { return newRow_[old]; });
    return true;
}

/// @return false when the row's list runs out
bool SubsetAudit::fillSynthetic(std::size_t keptRow, const RowMask& kept) {
    const std::size_t row = rows_[keptRow];
    if (!fillList(pair_.syntheticToSynthetic, keptRow, tables_.syntheticToSynthetic, row, kept))
        return false;
    pair_.syntheticRadius[keptRow] = pair_.syntheticToSynthetic.distanceAt(keptRow, tables_.k - 1);

    // Values between a synthetic sample and the real set do not depend on other synthetic samples.
    const PairTables& whole = *tables_.model.tables;
    const std::size_t from = row * whole.synthetic.nearest.k;
    const std::size_t to = keptRow * pair_.synthetic.nearest.k;
    std::copy_n(whole.synthetic.nearest.index.data() + from, pair_.synthetic.nearest.k,
                pair_.synthetic.nearest.index.data() + to);
    std::copy_n(whole.synthetic.nearest.distance.data() + from, pair_.synthetic.nearest.k,
                pair_.synthetic.nearest.distance.data() + to);
    pair_.synthetic.holding[keptRow] = whole.synthetic.holding[row];
    pair_.synthetic.innerHolding[keptRow] = whole.synthetic.innerHolding[row];
    return true;
}

/// @return false when the row's list runs out
bool SubsetAudit::fillReal(std::size_t row, const RowMask& kept) {
    if (!fillList(pair_.real.nearest, row, tables_.realToSynthetic, row, kept))
        return false;
    std::uint32_t inside = 0;
    std::uint32_t insideClipped = 0;
    for (std::size_t rank = 0; rank < tables_.k; ++rank) {
        const double distance = pair_.real.nearest.distanceAt(row, rank);
        inside += distance <= tables_.real.radius[row] ? 1 : 0;
        insideClipped += distance <= tables_.real.innerRadius[row] ? 1 : 0;
    }
    pair_.real.inside[row] = inside;
    pair_.real.insideInner[row] = insideClipped;
    return true;
}

void SubsetAudit::fillTables(const RowMask& kept, const JobContext& job) {
    tables_.realToSynthetic.choose(kept);
    tables_.syntheticToSynthetic.choose(kept);
    PerWorker missingSynthetic(threads_);
    PerWorker missingReal(threads_);
    // The synthetic rows, then the real ones.
    parallelRanges(rows_.size() + tables_.realRows(), kRowsPerTask, threads_, job.part({}, 0.0, 0.2),
                   [&](std::size_t first, std::size_t last, unsigned worker) {
                       for (std::size_t at = first; at < last; ++at) {
                           if (at < rows_.size() && !fillSynthetic(at, kept))
                               missingSynthetic.add(worker, rows_[at]);
                           if (at >= rows_.size() && !fillReal(at - rows_.size(), kept))
                               missingReal.add(worker, at - rows_.size());
                       }
                   });
    searchAgain(kept, missingSynthetic.ascending(), missingReal.ascending(), job.part({}, 0.2, 1.0));
}

/// Rows to search when the lists of the rows in `missing` run out. If many lists run out, rows whose list is nearly
/// exhausted are included, so that one search serves the next changes as well.
std::vector<std::uint32_t> rowsToSearch(const SubsetNeighbors& lists, const RowMask& kept,
                                        const std::vector<std::uint32_t>& missing, std::size_t k,
                                        const std::vector<std::uint32_t>& all) {
    constexpr std::size_t kFewOf = 64;
    if (missing.size() * kFewOf < all.size())
        return missing;
    std::vector<std::uint32_t> rows;
    for (const std::uint32_t row : all) {
        std::size_t found = 0;
        for (const std::uint32_t neighbor : lists.listOf(row))
            found += kept.bit(neighbor);
        if (found < 2 * k)
            rows.push_back(row);
    }
    return rows;
}

void SubsetAudit::searchAgain(const RowMask& kept, const std::vector<std::uint32_t>& missingSynthetic,
                              const std::vector<std::uint32_t>& missingReal, const JobContext& job) {
    const auto search = [&](SubsetNeighbors& lists, const std::vector<std::uint32_t>& missing,
                            const std::vector<std::uint32_t>& all, const JobContext& part) {
        if (missing.empty())
            return;
        lists.search(kept, rowsToSearch(lists, kept, missing, tables_.k, all), *tables_.search, part);
        lists.choose(kept);
    };
    std::vector<std::uint32_t> real(tables_.realRows());
    std::iota(real.begin(), real.end(), 0U);
    search(tables_.syntheticToSynthetic, missingSynthetic, rows_, job.part({}, 0.0, 0.4));
    search(tables_.realToSynthetic, missingReal, real, job.part({}, 0.4, 1.0));
    for (const std::uint32_t row : missingSynthetic)
        fillSynthetic(newRow_[row], kept);
    for (const std::uint32_t row : missingReal)
        fillReal(row, kept);
}

std::vector<CentredBall> SubsetAudit::keptBalls() const {
    std::vector<CentredBall> balls(rows_.size());
    for (std::size_t row = 0; row < balls.size(); ++row)
        balls[row] = {rows_[row], pair_.syntheticRadius[row]};
    return balls;
}

/// Marks the listed real samples of each ball as covered.
/// @return the balls whose list does not contain all members
std::vector<CentredBall> SubsetAudit::markMembers(std::span<const CentredBall> balls, const JobContext& job) {
    PerWorker open(threads_);
    parallelRanges(
        balls.size(), kRowsPerTask, threads_, job, [&](std::size_t first, std::size_t last, unsigned worker) {
            for (std::size_t b = first; b < last; ++b)
                if (!tables_.realInBalls.visit(balls[b], [&](std::uint32_t real) { mark(pair_.real.holding[real]); }))
                    open.add(worker, b);
        });
    std::vector<CentredBall> left;
    for (const std::uint32_t b : open.ascending())
        left.push_back(balls[b]);
    return left;
}

std::vector<std::uint32_t> SubsetAudit::uncoveredReal() const {
    const std::vector<std::uint32_t>& holding = pair_.real.holding;
    return rowsWhere(holding.size(), [&](std::size_t row) { return holding[row] == 0; });
}

void SubsetAudit::coverReal(const RowMask& kept, const JobContext& job) {
    std::vector<CentredBall> open = markMembers(keptBalls(), job.part({}, 0.0, 0.1));
    const auto work = [&] { return open.size() * uncoveredReal().size() * tables_.real.set->dim(); };
    if (work() > kModerateWork) {
        const BallMembers::Effort effort{tables_.k * tables_.realRows() / kept.count(), tables_.ballByteLimit()};
        tables_.realInBalls.extendLists(open, effort, *tables_.search, job.part({}, 0.1, 0.7));
        open = markMembers(open, job.part({}, 0.7, 0.75));
    }
    if (work() > 0)
        countBalls(open, job.part({}, 0.75, 1.0));
}

/// Marks the uncovered real samples inside these balls by one pass over all pairs.
void SubsetAudit::countBalls(std::span<const CentredBall> balls, const JobContext& job) {
    const std::vector<std::uint32_t> uncovered = uncoveredReal();
    std::vector<std::uint32_t> centres;
    std::vector<double> radii;
    for (const CentredBall& ball : balls) {
        centres.push_back(ball.centre);
        radii.push_back(ball.radius);
    }
    const MatrixView real = tables_.real.set->matrix();
    const std::vector<float> a = gatherRows(real, uncovered);
    const std::vector<float> b = gatherRows(tables_.model.set->matrix(), centres);
    const SideQuery gathered{.rows = {b.data(), centres.size(), real.dim}, .radius = radii};
    const PassResult counted = tables_.search->between({{a.data(), uncovered.size(), real.dim}}, gathered, job);
    for (std::size_t u = 0; u < uncovered.size(); ++u)
        pair_.real.holding[uncovered[u]] = counted.a.holding[u] > 0 ? 1 : 0;
}

std::vector<MetricValue> SubsetAudit::computeMetrics(const JobContext& job) {
    MetricInputs inputs{tables_.real, pair_, tables_.k};
    if (tables_.scores == SubsetScores::Tables)
        return computeFrom(inputs, job);
    const EmbeddingSet& real = *tables_.real.set;
    if (!centre_ && tables_.audit->described)
        centre_ = tables_.audit->described->centre;
    if (!centre_)
        centre_ = std::make_shared<const RealCentre>(
            RealCentre::of(real.matrix(), columnMeans(real.matrix(), threads_, job.part({}, 0.0, 0.0)), threads_,
                           job.part({}, 0.0, 0.0)));
    const EmbeddingSet synthetic(
        EmbeddingParts::of(gatherRows(tables_.model.set->matrix(), rows_), real.dim(), tables_.model.name),
        job.part({}, 0.0, 0.1), threads_);
    const std::vector<double> mean = columnMeans(synthetic.matrix(), threads_, job.part({}, 0.1, 0.1));
    inputs.results.put(SyntheticRows{synthetic.matrix()});
    inputs.results.put(IdentityEmbedding{EvaluationTables::of(*centre_, tables_.real.neighbors.distancesAt(1),
                                                              pair_.real.nearest, {synthetic.matrix(), mean},
                                                              {.threads = threads_, .job = job.part({}, 0.1, 0.2)})});
    inputs.cover = tables_.audit->cover;
    inputs.threads = threads_;
    inputs.job = job.part({}, 0.2, 0.9);
    inputs.pairSearch = tables_.search->pairSearch();
    inputs.accelerator = tables_.search->accelerator();
    inputs.results.put(findNearPairScores(inputs));
    inputs.job = job.silent();
    return computeFrom(inputs, job.part({}, 0.9, 1.0));
}

std::vector<MetricValue> SubsetAudit::computeFrom(const MetricInputs& inputs, const JobContext& job) const {
    std::vector<const Metric*> rows;
    for (const Metric& metric : metricCatalog())
        if (foundForSubset(metric, tables_.scores))
            rows.push_back(&metric);
    std::vector<MetricValue> values(rows.size());
    parallelFor(rows.size(), threads_, job, [&](std::size_t m, unsigned) {
        values[m] = {rows[m]->id, rows[m]->compute(inputs)};
    });
    return values;
}

namespace {

std::shared_ptr<const ModelAudit> modelOf(const AuditResult& audit, std::size_t model) {
    if (model >= audit.models.size())
        throw Error(ErrorKind::InvalidArgument,
                    fmt::format("model: expected an index below {}, found {}", audit.models.size(), model));
    return audit.models[model];
}

/// Makes the search with the audit's backend unless the options name another one, so that the timing trial need not run
/// again.
std::unique_ptr<NeighborSearch> searchFor(const ModelAudit& model, const AuditOptions& options) {
    BackendChoice choice = options.backend;
    if (choice == BackendChoice::Auto)
        for (const Backend& backend :
             cpuBackends()) // a graphics card of the audit may be missing now; Auto then chooses anew
            if (backend.name == model.backend)
                choice = backend.choice;
    return options.makeSearch(choice, model.set->matrix(), options.threads, {});
}

void requireOnePerRow(const char* what, std::size_t found, const ModelAudit& model) {
    if (found != model.set->rows())
        throw Error(ErrorKind::InvalidArgument, fmt::format("{}: expected {} {}, one per synthetic row, found {}",
                                                            model.name, model.set->rows(), what, found));
}

} // namespace

double WhatIfResult::metric(std::string_view id) const {
    const MetricValue* at = findBy(metrics, &MetricValue::id, id);
    if (at == nullptr)
        throw Error(ErrorKind::InvalidArgument, "There is no metric '" + std::string(id) + "'.");
    return at->value;
}

WhatIf::WhatIf(std::shared_ptr<const AuditResult> audit, std::size_t model, const AuditOptions& options,
               std::size_t bytesPerSample, SubsetScores scores) {
    auto search = searchFor(*modelOf(*audit, model), options);
    tables_ = std::make_unique<WhatIfTables>(std::move(audit), model, std::move(search), bytesPerSample, scores);
    subsetAudit_ = std::make_unique<SubsetAudit>(*tables_, options.threads);
}

WhatIf::~WhatIf() = default;
WhatIf::WhatIf(WhatIf&&) noexcept = default;
WhatIf& WhatIf::operator=(WhatIf&&) noexcept = default;

WhatIfResult WhatIf::evaluate(const std::vector<bool>& flags, const JobContext& job) {
    requireOnePerRow("flags", flags.size(), tables_->model);
    const RowMask kept(flags);
    if (kept.count() <= tables_->k)
        throw Error(ErrorKind::InvalidArgument,
                    fmt::format("{}: expected more than k = {} kept samples, found {} of {}", tables_->model.name,
                                tables_->k, kept.count(), flags.size()));
    WhatIfResult result{kept.count(), subsetAudit_->run(kept, job)};
    tables_->trim(kept);
    return result;
}

std::size_t WhatIf::bytes() const {
    return tables_->bytes();
}

} // namespace assay
