// What utility and membership are worth (docs/useful-private.md). `--coverage N`: N audits without leakage, and how
// often the interval of the membership AUC holds 0.5. `--cost ROWS,DIM,CLASSES`: what the classifier costs. `--table
// FILE`: simple generators of a table with labels (tests/bench/sklearn_tables.py writes some), ranked by each metric
// and by utility; utility after discarding; privacy against utility.
#include "engine/audit/run/audit.h"
#include "engine/base/parallel.h"
#include "engine/io/sets/read_embeddings.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/metrics/held_out/membership.h"
#include "engine/metrics/utility/utility.h"
#include "engine/subsets/what_if/kept_audit.h"
#include "engine/subsets/what_if/useful_what_if.h"
#include "tests/bench/bench_data.h"
#include "tests/bench/bench_options.h"
#include "tests/bench/table_makers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <vector>

using namespace assay;
using bench::Maker;
using bench::Table;

namespace {

/// Audits without leakage: all three sets of one law, the synthetic one narrower or wider.
void printCoverage(std::size_t audits) {
    struct Setting {
        std::size_t real, synthetic, heldOut, dim;
        float width;
    };
    constexpr std::array kSettings{Setting{500, 500, 500, 8, 1.0F}, Setting{300, 200, 150, 4, 1.0F},
                                   Setting{1000, 400, 300, 16, 0.7F}, Setting{200, 500, 600, 2, 1.3F}};
    std::puts("| real | synthetic | held out | dimensions | width | AUC holds 0.5 | mean width of the interval | TPR "
              "holds 0.01 |");
    std::puts("|---|---|---|---|---|---|---|---|");
    for (const Setting& setting : kSettings) {
        std::size_t holds = 0;
        std::size_t tprHolds = 0;
        double width = 0.0;
        const auto search = makeCpuSearch(BackendChoice::Gemm, {}, 1, {});
        for (std::size_t audit = 0; audit < audits; ++audit) {
            const auto seed = static_cast<unsigned>(3 * audit);
            const std::vector<float> real = bench::sample(setting.real, setting.dim, 0, seed + 1);
            std::vector<float> synthetic = bench::sample(setting.synthetic, setting.dim, 0, seed + 2);
            for (float& value : synthetic)
                value *= setting.width;
            const std::vector<float> heldOut = bench::sample(setting.heldOut, setting.dim, 0, seed + 3);
            const auto nearest = [&](const std::vector<float>& set, std::size_t rows) {
                return search
                    ->nearest({set.data(), rows, setting.dim}, {synthetic.data(), setting.synthetic, setting.dim}, 1,
                              {})
                    .distancesAt(1);
            };
            MembershipScores scores;
            scores.heldOutDistance = nearest(heldOut, setting.heldOut);
            const MembershipResamples resamples =
                resampleMembership(nearest(real, setting.real), scores, {1000, audit, 0});
            const Bounds auc = percentileBounds(resamples.auc);
            const Bounds tpr = percentileBounds(resamples.tpr1);
            holds += auc.low <= 0.5 && auc.high >= 0.5 ? 1 : 0;
            tprHolds += tpr.low <= 0.01 && tpr.high >= 0.01 ? 1 : 0;
            width += (auc.high - auc.low) / static_cast<double>(audits);
        }
        const auto share = [&](std::size_t count) {
            return 100.0 * static_cast<double>(count) / static_cast<double>(audits);
        };
        std::printf("| %zu | %zu | %zu | %zu | %.1f | %.1f %% | %.3f | %.1f %% |\n", setting.real, setting.synthetic,
                    setting.heldOut, setting.dim, static_cast<double>(setting.width), share(holds), width,
                    share(tprHolds));
    }
}

/// Gaussian classes on a curved surface of few dimensions, as embeddings of pictures lie.
std::shared_ptr<const EmbeddingSet> classes(std::span<const std::size_t> sizes, float apart, std::size_t rows,
                                            unsigned seed) {
    const std::size_t dim = sizes[1];
    const std::size_t count = sizes[2];
    Table table{bench::sample(rows, dim, 30, seed), dim, {}};
    std::mt19937 random(seed + 100);
    std::mt19937 shape(7);
    std::normal_distribution<float> normal;
    std::vector<float> centres(count * dim);
    for (float& value : centres)
        value = apart * normal(shape);
    for (std::size_t r = 0; r < rows; ++r) {
        const auto own = static_cast<std::uint32_t>(random() % count);
        table.code.push_back(own);
        for (std::size_t c = 0; c < dim; ++c)
            table.values[r * dim + c] += centres[own * dim + c];
    }
    return bench::asSet(table, "classes");
}

/// @param sizes rows of the real and the synthetic set, dimensions, classes; a fifth as many rows are held out
void printCost(std::span<const std::size_t> sizes, unsigned threads) {
    const ComputeContext context{.threads = threads};
    std::puts("| rows | dimensions | classes | apart | accuracy | trained on real | seconds, real | seconds, model |");
    std::puts("|---|---|---|---|---|---|---|---|");
    for (const float apart : {0.2F, 0.06F, 0.02F, 0.005F}) {
        const auto real = classes(sizes, apart, sizes[0], 1);
        const auto synthetic = classes(sizes, apart, sizes[0], 2);
        const auto heldOut = classes(sizes, apart, sizes[0] / 5, 3);
        std::shared_ptr<const RealUtility> byReal;
        const double ofReal = bench::secondsOf(
            [&] { byReal = std::make_shared<const RealUtility>(realUtility(real, heldOut, context)); });
        SyntheticUtility utility;
        const double ofModel = bench::secondsOf([&] { utility = syntheticUtility(byReal, *synthetic, context); });
        std::printf("| %zu | %zu | %zu | %.3f | %.4f | %.4f | %.1f | %.1f%s |\n", sizes[0], sizes[1], sizes[2],
                    static_cast<double>(apart), utility.classes->test.accuracy, byReal->classes.accuracy, ofReal,
                    ofModel, utility.classes->test.converged ? "" : " (not converged)");
    }
}

/// The rows of a file as a table.
Table tableOf(const EmbeddingSet& set) {
    Table table{{set.matrix().data, set.matrix().data + set.rows() * set.dim()}, set.dim(), {}};
    table.code = set.labels().code;
    return table;
}

/// Half of the rows for training, half held out.
std::array<Table, 2> halves(const Table& table, std::mt19937& random) {
    std::vector<std::size_t> order(table.rows());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), random);
    std::array<Table, 2> parts{Table{{}, table.dim, {}}, Table{{}, table.dim, {}}};
    for (std::size_t r = 0; r < order.size(); ++r)
        parts[r % 2].append(table.row(order[r]), table.code[order[r]]);
    return parts;
}

/// Both halves with each feature standardised by the training half, so that distances mean the same for all features.
void standardise(std::array<Table, 2>& parts) {
    Table& training = parts[0];
    for (std::size_t c = 0; c < training.dim; ++c) {
        double sum = 0.0;
        double squares = 0.0;
        const auto rows = static_cast<double>(training.rows());
        for (std::size_t r = 0; r < training.rows(); ++r) {
            sum += static_cast<double>(training.row(r)[c]);
            squares += std::pow(static_cast<double>(training.row(r)[c]), 2.0);
        }
        const double mean = sum / rows;
        const double variance = squares / rows - mean * mean;
        const double deviation = variance > 1e-9 ? std::sqrt(variance) : 1.0;
        for (Table& part : parts)
            for (std::size_t r = 0; r < part.rows(); ++r) {
                float& value = part.values[r * part.dim + c];
                value = static_cast<float>((static_cast<double>(value) - mean) / deviation);
            }
    }
}

/// Kendall's tau-b.
double tauOf(const std::vector<double>& a, const std::vector<double>& b) {
    double agree = 0.0;
    double ofA = 0.0;
    double ofB = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const auto sign = [](double x, double y) { return x > y ? 1.0 : x < y ? -1.0 : 0.0; };
            const double x = sign(a[i], a[j]);
            const double y = sign(b[i], b[j]);
            agree += x * y;
            ofA += x * x;
            ofB += y * y;
        }
    return ofA > 0.0 && ofB > 0.0 ? agree / std::sqrt(ofA * ofB) : 0.0;
}

/// Sums for a mean and its standard error over splits.
struct Mean {
    std::vector<double> values;
    void add(double value) { values.push_back(value); }
    double mean() const {
        return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    }
    double error() const {
        double squares = 0.0;
        for (const double value : values)
            squares += std::pow(value - mean(), 2.0);
        const auto count = static_cast<double>(values.size());
        return std::sqrt(squares / (count - 1.0) / count);
    }
};

/// What is measured of one maker over all splits.
struct Row {
    Mean accuracy, real, auc, tpr, authenticity, bad, dcr, dcrHeldOut;
    std::map<std::string, Mean> kept; ///< utility after discarding, by what; and of as many kept at random
};

constexpr std::array kRanked{"clipped_density",
                             "clipped_coverage",
                             "precision",
                             "recall",
                             "density",
                             "coverage",
                             "integrated_alpha_precision",
                             "integrated_beta_recall",
                             "authenticity",
                             "pce",
                             "rce",
                             "re",
                             "nn_accuracy",
                             "frechet_distance",
                             "kernel_distance",
                             "vendi_score",
                             "fld",
                             "ct_score",
                             "bad_share",
                             "coverage_missed",
                             "membership_auc"};

/// Utility of the rows that a column keeps, beside as many at random.
void addKept(Row& row, const std::string& what, const UsefulWhatIf& whatIf, const std::vector<bool>& kept) {
    if (std::count(kept.begin(), kept.end(), true) < 10)
        return;
    const UsefulIfKept found = whatIf.evaluate(kept);
    if (!found.kept.accuracy || !found.random.accuracy)
        return;
    row.kept[what + " share"].add(static_cast<double>(found.kept.rows) / static_cast<double>(kept.size()));
    row.kept[what].add(*found.kept.accuracy);
    row.kept[what + " random"].add(*found.random.accuracy);
    row.kept[what + " membership"].add(*found.kept.membershipAuc);
}

void addDiscarded(Row& row, const std::shared_ptr<const AuditResult>& audit, std::size_t m) {
    const UsefulWhatIf whatIf(audit, m);
    const ModelAudit& model = *audit->models[m];
    const auto where = [&](std::string_view column, double from, double to) {
        std::vector<bool> kept;
        for (const double value : model.column(column))
            kept.push_back(value >= from && value <= to);
        return kept;
    };
    addKept(row, "verdict", whatIf, where("verdict", 0.0, 0.0));
    addKept(row, "authentic", whatIf, where("authentic", 1.0, 1.0));
    std::vector<double> fidelity = model.column("fidelity");
    std::nth_element(fidelity.begin(), fidelity.begin() + static_cast<std::ptrdiff_t>(fidelity.size() / 5),
                     fidelity.end());
    addKept(row, "fidelity", whatIf, where("fidelity", std::max(fidelity[fidelity.size() / 5], 1e-9), 1.0));
}

std::shared_ptr<const AuditResult> auditOf(const std::array<Table, 2>& parts, const std::vector<Table>& models) {
    AuditRequest request;
    request.real = bench::asSet(parts[0], "training");
    request.heldOut = bench::asSet(parts[1], "held-out");
    for (std::size_t m = 0; m < models.size(); ++m)
        request.models.push_back({"model " + std::to_string(m), bench::asSet(models[m], "model")});
    return runAudit(request);
}

void printRows(const std::vector<Row>& rows) {
    std::puts(
        "\n| generator | accuracy | trained on real | membership AUC | found at 1 % | authenticity | bad share |");
    std::puts("|---|---|---|---|---|---|---|");
    for (std::size_t m = 0; m < rows.size(); ++m)
        std::printf("| %s | %.3f ± %.3f | %.3f | %.3f ± %.3f | %.3f | %.2f | %.2f |\n", nameOf(Maker(m)),
                    rows[m].accuracy.mean(), rows[m].accuracy.error(), rows[m].real.mean(), rows[m].auc.mean(),
                    rows[m].auc.error(), rows[m].tpr.mean(), rows[m].authenticity.mean(), rows[m].bad.mean());
    std::puts("\n| generator | discarded by | kept | accuracy of all | kept | as many at random | gain | membership "
              "AUC, kept |");
    std::puts("|---|---|---|---|---|---|---|---|");
    for (std::size_t m = 0; m < rows.size(); ++m)
        for (const std::string what : {"verdict", "authentic", "fidelity"}) {
            const auto at = rows[m].kept.find(what);
            if (at == rows[m].kept.end() || at->second.values.size() < 2)
                continue;
            const auto& of = [&](const char* which) -> const Mean& { return rows[m].kept.at(what + which); };
            Mean gain;
            for (std::size_t s = 0; s < at->second.values.size(); ++s)
                gain.add(at->second.values[s] - of(" random").values[s]);
            std::printf("| %s | %s | %.0f %% | %.3f | %.3f | %.3f | %+.3f ± %.3f | %.3f |\n", nameOf(Maker(m)),
                        what.c_str(), 100.0 * of(" share").mean(), rows[m].accuracy.mean(), at->second.mean(),
                        of(" random").mean(), gain.mean(), gain.error(), of(" membership").mean());
        }
}

/// Kendall's tau of a metric's ranking with that by utility: of all generators, and of those whose labels are right, as
/// no metric of the samples alone sees labels.
struct Taus {
    Mean all, rightLabels;
};

void addTaus(std::map<std::string, Taus>& taus, std::span<const std::shared_ptr<const ModelAudit>> models) {
    for (const char* id : kRanked) {
        std::array<std::vector<double>, 2> values;
        std::array<std::vector<double>, 2> utility;
        for (std::size_t m = 0; m < models.size(); ++m) {
            const double good = merit(findMetric(id)->better, models[m]->metric(id));
            const bool isRight = Maker(m) != Maker::HalfMislabelled && Maker(m) != Maker::Mislabelled;
            for (std::size_t which = 0; which < (isRight ? 2U : 1U); ++which) {
                values[which].push_back(std::isnan(good) ? -1e300 : good);
                utility[which].push_back(models[m]->metric("utility_accuracy"));
            }
        }
        taus[id].all.add(tauOf(values[0], utility[0]));
        taus[id].rightLabels.add(tauOf(values[1], utility[1]));
    }
}

void printTaus(const std::map<std::string, Taus>& taus) {
    std::vector<std::pair<double, std::string>> sorted;
    for (const auto& [id, tau] : taus)
        sorted.emplace_back(-tau.rightLabels.mean(), id);
    std::sort(sorted.begin(), sorted.end());
    std::puts("\n| metric | tau with utility, labels right | all generators |");
    std::puts("|---|---|---|");
    for (const auto& [tau, id] : sorted)
        std::printf("| `%s` | %.2f ± %.2f | %.2f ± %.2f |\n", id.c_str(), -tau, taus.at(id).rightLabels.error(),
                    taus.at(id).all.mean(), taus.at(id).all.error());
}

constexpr std::array kNoise{0.0, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6};

void printTrade(const std::vector<Row>& rows) {
    std::puts(
        "\n| noise of the copies | accuracy | membership AUC | found at 1 % | authenticity | DCR 5 % | held out |");
    std::puts("|---|---|---|---|---|---|---|");
    for (std::size_t m = 0; m < rows.size(); ++m)
        std::printf("| %.2f | %.3f ± %.3f | %.3f | %.3f | %.2f | %.2f | %.2f |\n", kNoise[m], rows[m].accuracy.mean(),
                    rows[m].accuracy.error(), rows[m].auc.mean(), rows[m].tpr.mean(), rows[m].authenticity.mean(),
                    rows[m].dcr.mean(), rows[m].dcrHeldOut.mean());
}

void addModel(Row& row, const ModelAudit& model) {
    row.accuracy.add(model.metric("utility_accuracy"));
    row.real.add(model.metric("real_utility_accuracy"));
    row.auc.add(model.metric("membership_auc"));
    row.tpr.add(model.metric("membership_tpr_1"));
    row.authenticity.add(model.metric("authenticity"));
    row.bad.add(model.metric("bad_share"));
    row.dcr.add(model.metric("dcr_5"));
    row.dcrHeldOut.add(model.metric("dcr_5_held_out"));
}

void printTable(const std::string& file, std::size_t splits) {
    const Table table = tableOf(*readEmbeddings(file));
    std::printf("\n### %s: %zu rows, %zu features, %zu splits\n", file.c_str(), table.rows(), table.dim, splits);
    std::vector<Row> rows(bench::kMakers);
    std::vector<Row> trade(kNoise.size());
    std::map<std::string, Taus> taus;
    for (std::size_t split = 0; split < splits; ++split) {
        std::mt19937 random(static_cast<unsigned>(split));
        std::array<Table, 2> parts = halves(table, random);
        standardise(parts);
        std::vector<Table> models;
        for (std::size_t m = 0; m < bench::kMakers; ++m)
            models.push_back(bench::made(Maker(m), parts[0], random));
        for (const double noise : kNoise)
            models.push_back(bench::noisyCopies(parts[0], noise, random));
        const auto audit = auditOf(parts, models);
        for (std::size_t m = 0; m < bench::kMakers; ++m) {
            addModel(rows[m], *audit->models[m]);
            addDiscarded(rows[m], audit, m);
        }
        for (std::size_t m = 0; m < kNoise.size(); ++m)
            addModel(trade[m], *audit->models[bench::kMakers + m]);
        addTaus(taus, std::span(audit->models).first(bench::kMakers));
    }
    printRows(rows);
    printTaus(taus);
    printTrade(trade);
}

} // namespace

int main(int argc, char** argv) {
    std::size_t coverage = 0;
    std::vector<std::size_t> cost;
    std::vector<std::string> tables;
    std::size_t splits = 10;
    unsigned threads = 0;
    bench::BenchOptions options("Utility and membership: what they say and what they cost");
    options.add("--coverage", coverage,
                "number of simulated audits without leakage, for each setting; 200 if nothing else is asked for");
    options.add("--cost", cost, "rows, dimensions and classes");
    options.add("--table", tables, "tables with labels (tests/bench/sklearn_tables.py)");
    options.add("--splits", splits, "of each table in a training and a held-out half");
    options.add("--threads", threads, "0: all cores");
    if (!options.parse(argc, argv))
        return options.exitCode();
    if (coverage == 0 && cost.empty() && tables.empty())
        coverage = 200;
    if (coverage > 0)
        printCoverage(coverage);
    if (cost.size() == 3)
        printCost(cost, threads);
    for (const std::string& file : tables)
        printTable(file, splits);
    return 0;
}
