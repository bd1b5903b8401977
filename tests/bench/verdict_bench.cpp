// How far the verdicts on single samples can be believed: many small audits of sets drawn anew. First where nothing is
// wrong: how many samples each test flags at 1 %. Then with 30 % planted faults: how many of the rejected are wrongly
// rejected at a false discovery rate of 5 %, how many faults are found, and what the bad share is estimated at. Where
// distances tie, a good sample that equals a planted one is one too many as well, and not counted as wrong.
#include "engine/audit/run/audit.h"
#include "engine/base/parallel.h"
#include "engine/gpu/backends/backends.h"
#include "engine/math/statistics/significance_tests.h"
#include "engine/metrics/verdicts/real_partition.h"
#include "engine/metrics/verdicts/relabelling.h"
#include "engine/metrics/verdicts/verdicts.h"
#include "tests/bench/bench_data.h"
#include "tests/bench/bench_options.h"
#include "tests/bench/verdict_data.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace assay;
using bench::Law;
using bench::VerdictSource;

namespace {

enum class Fault { None, FarNoise, Collapse, Copies, Crowded, Lost, OneOutput, FiveOutputs, SixteenOutputs };

constexpr std::array<const char*, 9> kFaults{"none",
                                             "noise",
                                             "collapsed mode",
                                             "copies",
                                             "one combination at 60 %",
                                             "the commonest combination lost",
                                             "all one output",
                                             "all 5 outputs",
                                             "all 16 outputs"};
constexpr double kFaultShare = 0.3;
constexpr double kCrowdedShare = 0.6;   ///< of Fault::Crowded
constexpr double kCrowdedInReal = 0.02; ///< its combination is the one whose real share is nearest

struct Setting {
    Law law;
    std::size_t rows; ///< of both sets
    std::size_t dim;  ///< of a continuous law
    Fault fault;
};

std::shared_ptr<const EmbeddingSet> asSet(std::vector<float> values, std::size_t dim) {
    EmbeddingParts parts;
    parts.rows = values.size() / dim;
    parts.values = std::move(values);
    parts.dim = dim;
    parts.name = "drawn";
    return std::make_shared<const EmbeddingSet>(std::move(parts));
}

/// What one audit says.
struct Outcome {
    std::array<double, 4> flagged{}; ///< at 1 %: unrealistic, over-represented, copy, missed
    double wrong = 0.0;              ///< share of the rejected that are good
    double found = 0.0;              ///< share of the faults that are rejected
    double missed = 0.0;             ///< share of real samples called missed
    double estimated = 0.0;
};

double shareAtMost(const std::vector<double>& p, double bound) {
    return static_cast<double>(std::count_if(p.begin(), p.end(), [bound](double value) { return value <= bound; })) /
           static_cast<double>(p.size());
}

std::size_t faultsIn(const Setting& setting) {
    if (setting.fault >= Fault::OneOutput)
        return setting.rows;
    if (setting.fault == Fault::None || setting.fault == Fault::Lost)
        return 0;
    return static_cast<std::size_t>((setting.fault == Fault::Crowded ? kCrowdedShare : kFaultShare) *
                                    static_cast<double>(setting.rows));
}

using Row = std::vector<float>;

std::vector<Row> rowsOf(const std::vector<float>& values, std::size_t dim) {
    std::vector<Row> rows;
    for (std::size_t at = 0; at < values.size(); at += dim)
        rows.emplace_back(values.begin() + static_cast<std::ptrdiff_t>(at),
                          values.begin() + static_cast<std::ptrdiff_t>(at + dim));
    return rows;
}

/// The combination of the real rows whose share is nearest to this one.
Row combinationOf(const std::vector<float>& realRows, std::size_t dim, double share) {
    std::map<Row, std::size_t> counts;
    for (Row& row : rowsOf(realRows, dim))
        ++counts[std::move(row)];
    const auto rows = static_cast<double>(realRows.size() / dim);
    return std::ranges::min_element(
               counts, {}, [&](const auto& one) { return std::abs(static_cast<double>(one.second) / rows - share); })
        ->first;
}

/// Appends a good sample, of another combination than the lost one.
void appendBut(const Row& lost, VerdictSource& source, std::vector<float>& rows) {
    for (;;) {
        source.append(rows);
        if (!std::equal(lost.begin(), lost.end(), rows.end() - static_cast<std::ptrdiff_t>(source.dim())))
            return;
        rows.resize(rows.size() - source.dim());
    }
}

/// The faults first, then good samples.
std::vector<float> modelRows(const Setting& setting, VerdictSource& source, const std::vector<float>& realRows) {
    const std::size_t faults = faultsIn(setting);
    std::vector<float> rows;
    if (setting.fault >= Fault::OneOutput) {
        const std::size_t outputs = setting.fault == Fault::OneOutput     ? 1
                                    : setting.fault == Fault::FiveOutputs ? 5
                                                                          : 16;
        for (std::size_t i = 0; i < outputs; ++i)
            source.append(rows);
        rows.reserve(faults * source.dim());
        for (std::size_t i = outputs * source.dim(); i < faults * source.dim(); ++i)
            rows.push_back(rows[i - outputs * source.dim()]);
        return rows;
    }
    const Row crowded = setting.fault == Fault::Crowded ? combinationOf(realRows, source.dim(), kCrowdedInReal) : Row{};
    const Row lost = setting.fault == Fault::Lost ? combinationOf(realRows, source.dim(), 1.0) : Row{};
    for (std::size_t i = 0; i < faults; ++i) {
        if (setting.fault == Fault::Crowded)
            rows.insert(rows.end(), crowded.begin(), crowded.end());
        else if (setting.fault == Fault::FarNoise)
            source.appendNoise(rows);
        else if (setting.fault == Fault::Collapse)
            source.appendCollapsed(rows);
        else
            source.appendCopy(realRows, rows);
    }
    for (std::size_t i = faults; i < setting.rows; ++i)
        if (setting.fault == Fault::Lost)
            appendBut(lost, source, rows);
        else
            source.append(rows);
    return rows;
}

Outcome audit(const Setting& setting, std::size_t k, unsigned seed) {
    VerdictSource source(setting.law, setting.dim, seed);
    std::vector<float> realRows;
    for (std::size_t i = 0; i < setting.rows; ++i)
        source.append(realRows);
    std::vector<float> rows = modelRows(setting, source, realRows);
    const std::vector<float> drawn = realRows;
    const std::vector<float> made = rows;
    const std::size_t faults = faultsIn(setting);
    AuditOptions options;
    options.k = k;
    options.backend = source.dim() <= 16 ? BackendChoice::KdTree : BackendChoice::Gemm;
    options.threads = 1;
    options.tablesOnly = true;
    options.seed = seed;
    const auto realSet = asSet(std::move(realRows), source.dim());
    const auto modelSet = asSet(std::move(rows), source.dim());
    const auto audit = runAudit({realSet, {{"s", modelSet}}, options, {}});
    const auto& real = audit->real;
    const auto& model = audit->models[0];
    const MetricInputs in{*real, *model->tables, k};
    const EqualRowCounts equal = countEqualRows(realSet->matrix(), modelSet->matrix(), {}, {.threads = 1});
    const auto search = makeNeighborSearch(options.backend, realSet->matrix(), 1, {});
    const ComputeContext context{seed, 1};
    const RealPartition partition = partitionReal(*realSet, real->neighbors, k, search.get(), context);
    const VerdictScores scores =
        judgeSynthetic({in, partition, modelSet->matrix(), nullptr, equal, search.get(), 0.05});
    const CoverageVerdicts missed = judgeReal(
        in, partition, drawLabels(*real, partition, modelSet->matrix(), *model->tables, *search, context), 0.05);

    Outcome outcome;
    outcome.flagged = {shareAtMost(scores.pUnrealistic, 0.01), shareAtMost(scores.pOverRepresented, 0.01),
                       shareAtMost(scores.pCopy, 0.01), shareAtMost(missed.pUncovered, 0.01)};
    // What is bad by its verdict, and what by its making: synthetic samples, or the real ones of a lost combination.
    const bool isLost = setting.fault == Fault::Lost;
    const std::vector<double>& verdicts = isLost ? missed.coverageVerdict : scores.verdict;
    const std::vector<Row> judged = rowsOf(isLost ? drawn : made, source.dim());
    const std::set<Row> bad = isLost ? std::set{combinationOf(drawn, source.dim(), 1.0)}
                                     : std::set(judged.begin(), judged.begin() + static_cast<std::ptrdiff_t>(faults));
    double planted = 0.0;
    double right = 0.0;
    double wrong = 0.0;
    for (std::size_t row = 0; row < judged.size(); ++row) {
        const bool isRejected = verdicts[row] != 0.0;
        const bool isEqual = bench::isTied(setting.law) && bad.contains(judged[row]);
        if (isLost ? isEqual : row < faults) {
            planted += 1.0;
            right += isRejected ? 1.0 : 0.0;
        } else if (!isEqual) {
            wrong += isRejected ? 1.0 : 0.0;
        }
    }
    outcome.wrong = wrong > 0.0 ? wrong / (wrong + right) : 0.0;
    outcome.found = planted > 0.0 ? right / planted : 0.0;
    outcome.missed =
        1.0 - static_cast<double>(std::count(missed.coverageVerdict.begin(), missed.coverageVerdict.end(), 0.0)) /
                  static_cast<double>(setting.rows);
    outcome.estimated = shareNotUniform(scores.pAny);
    return outcome;
}

void simulate(const Setting& setting, std::size_t audits, std::size_t k) {
    std::vector<Outcome> outcomes(audits);
    parallelFor(audits, 0, {},
                [&](std::size_t a, unsigned) { outcomes[a] = audit(setting, k, static_cast<unsigned>(a) + 1); });
    const auto percent = [&](const auto& of) {
        double sum = 0.0;
        for (const Outcome& outcome : outcomes)
            sum += of(outcome);
        return 100.0 * sum / static_cast<double>(audits);
    };
    std::printf("| %s | %zu | %zu | %s |", bench::nameOf(setting.law),
                bench::isTied(setting.law) ? bench::dimensionOf(setting.law) : setting.dim, setting.rows,
                kFaults[static_cast<std::size_t>(setting.fault)]);
    for (std::size_t test = 0; test < 4; ++test)
        std::printf(" %.2f |", percent([&](const Outcome& outcome) { return outcome.flagged[test]; }));
    std::printf(" %.2f | %.1f | %.2f | %.1f |\n", percent([](const Outcome& o) { return o.wrong; }),
                percent([](const Outcome& o) { return o.found; }), percent([](const Outcome& o) { return o.missed; }),
                percent([](const Outcome& o) { return o.estimated; }));
    std::fflush(stdout);
}

/// What verdicts take of an audit of N + N Gaussian rows, everything included.
void measure(std::size_t rows, std::size_t dim) {
    VerdictSource source(Law::Gaussian, dim, 1);
    std::vector<float> values;
    for (std::size_t i = 0; i < 2 * rows; ++i)
        source.append(values);
    const auto half = values.begin() + static_cast<std::ptrdiff_t>(rows * dim);
    const auto realSet = asSet({values.begin(), half}, dim);
    const auto modelSet = asSet({half, values.end()}, dim);
    for (int repeat = 0; repeat < 5; ++repeat) {
        std::shared_ptr<const AuditResult> audit;
        const double whole = bench::secondsOf([&] { audit = runAudit({realSet, {{"s", modelSet}}, {}, {}}); });
        const auto& real = audit->real;
        const auto& model = audit->models[0];
        const auto search = makeNeighborSearch(BackendChoice::Auto, realSet->matrix(), 0, {});
        const ComputeContext context{0, 0};
        RealPartition partition;
        const double things =
            bench::secondsOf([&] { partition = partitionReal(*realSet, real->neighbors, 5, search.get(), context); });
        const MetricInputs in{*real, *model->tables, 5};
        const double synthetic = bench::secondsOf([&] {
            judgeSynthetic({in, partition, modelSet->matrix(), nullptr, {}, search.get(), 0.05});
        });
        const double missed = bench::secondsOf([&] {
            judgeReal(in, partition, drawLabels(*real, partition, modelSet->matrix(), *model->tables, *search, context),
                      0.05);
        });
        const double all = things + synthetic + missed;
        std::printf("%zu x %zu x %zu: audit %.2f s, of it things %.3f, synthetic side %.3f, real side %.3f: %.1f %%\n",
                    rows, rows, dim, whole, things, synthetic, missed, 100.0 * all / whole);
    }
}

} // namespace

int main(int argc, char** argv) {
    std::size_t audits = 200;
    std::size_t k = 5;
    std::vector<std::size_t> rows{500, 5000};
    std::vector<std::size_t> dims{2, 16, 128};
    bool nullOnly = false;
    bool tied = false;
    std::string only;
    std::vector<std::size_t> cost;
    bench::BenchOptions app("Calibration and power of the verdicts over many simulated audits");
    app.add("--audits", audits);
    app.add("-k", k);
    app.add("--rows", rows);
    app.add("--dims", dims);
    app.add("--null", nullOnly, "Only sets without faults");
    app.add("--ties", tied, "Only data whose distances tie, instead of continuous data");
    app.add("--only", only, "Only data whose name contains this");
    app.add("--cost", cost, "Measure instead what verdicts take of an audit: rows and dimensions");
    if (!app.parse(argc, argv))
        return app.exitCode();
    if (cost.size() == 2) {
        measure(cost[0], cost[1]);
        return 0;
    }
    std::printf("Percent, means over %zu audits; flagged at 1 %%, the rest at a false discovery rate of 5 %%\n"
                "| data | d | N = M | faults | unrealistic | over-represented | copy | real: missed | wrong of the "
                "rejected | faults found | real samples missed | estimated bad |\n"
                "|---|---|---|---|---|---|---|---|---|---|---|---|\n",
                audits);
    const auto simulateAll = [&](Fault fault, const auto& laws, const std::vector<std::size_t>& dimensions) {
        for (const Law law : laws)
            for (const std::size_t dim : dimensions)
                for (const std::size_t n : rows)
                    if ((fault == Fault::None || !nullOnly) &&
                        std::string(bench::nameOf(law)).find(only) != std::string::npos)
                        simulate({law, n, dim, fault}, audits, k);
    };
    for (const Fault fault : {Fault::None, Fault::FarNoise, Fault::Collapse, Fault::Copies}) {
        if (tied)
            simulateAll(fault, bench::kTiedLaws, {0});
        else
            simulateAll(fault, bench::kContinuousLaws, dims);
    }
    if (tied)
        for (const Fault fault : {Fault::Crowded, Fault::Lost})
            simulateAll(fault, std::array{Law::Questions, Law::FewQuestions, Law::Flags, Law::ManyFlags}, {0});
    if (tied)
        for (const Fault fault : {Fault::OneOutput, Fault::FiveOutputs, Fault::SixteenOutputs}) {
            simulateAll(fault, std::array{Law::Gaussian}, {16});
            simulateAll(fault, bench::kTiedLaws, {0});
        }
    return 0;
}
