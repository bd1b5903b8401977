#include "engine/subsets/curves/requested_curves.h"

#include "engine/base/error.h"
#include "engine/base/find_by.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/subsets/curves/curve_parts.h"
#include "engine/subsets/curves/removal.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace assay {
namespace {

/// Largest number of parts of one size that the sample-size curve audits.
constexpr std::size_t kMaxSampleSizeParts = 16;

using namespace curves;

/// Two-sided 95 % quantile of the standard normal distribution.
constexpr double kQuantile = 1.959963984540054;

/// Scores of all parts of one size: parts x metrics.
struct SizeScores {
    std::size_t rows; ///< synthetic samples of a part
    std::vector<std::vector<double>> scores;
};

/// Rows of one part, ascending; all parts have equal size.
std::vector<std::uint32_t> partOf(std::span<const std::uint32_t> shuffled, std::size_t part, std::size_t rows) {
    const auto some = shuffled.subspan(part * rows, rows);
    std::vector<std::uint32_t> list(some.begin(), some.end());
    std::sort(list.begin(), list.end());
    return list;
}

double meanAt(const SizeScores& size, std::size_t metric) {
    double sum = 0.0;
    for (const std::vector<double>& scores : size.scores)
        sum += scores[metric];
    return sum / static_cast<double>(size.scores.size());
}

/// Estimate of s^2, see sampleSizeCurve(); NaN if no size has two parts.
double varianceOfOne(const std::vector<SizeScores>& sizes, std::size_t metric) {
    double sum = 0.0;
    std::size_t freedom = 0;
    for (const SizeScores& size : sizes) {
        const double mean = meanAt(size, metric);
        for (const std::vector<double>& scores : size.scores)
            sum += (scores[metric] - mean) * (scores[metric] - mean) * static_cast<double>(size.rows);
        freedom += size.scores.size() - 1;
    }
    return sum / static_cast<double>(freedom);
}

class SampleSizes {
public:
    SampleSizes(const AuditResult& audit, const ModelAudit& model, const AuditOptions& options)
        : real_(*audit.real->set), synthetic_(*model.set), options_(options),
          metrics_(drawnMetrics(SubsetScores::Tables)),
          realOrder_(shuffledRows(real_.rows(), options.seed, Draw::RealPart)),
          syntheticOrder_(shuffledRows(synthetic_.rows(), options.seed, Draw::SyntheticPart)),
          sizes_{{synthetic_.rows(), {scoresOf(model)}}} {}

    CurveValues run(const JobContext& job) {
        // All parts of one size together take about half of the time that those of twice the size do.
        double done = 0.0;
        for (std::size_t parts = 2; fits(parts); parts *= 2) {
            const double next = done + (1.0 - done) / 2.0;
            sizes_.push_back(auditParts(parts, job.phase("scoring smaller samples", done, next)));
            done = next;
        }
        std::reverse(sizes_.begin(), sizes_.end());
        CurveValues curve{"sample_size", {}, {}};
        for (const SizeScores& size : sizes_)
            curve.x.push_back(static_cast<double>(size.rows));
        for (std::size_t m = 0; m < metrics_.size(); ++m)
            curve.lines.push_back(lineOf(m));
        job.checkpoint(1.0);
        return curve;
    }

private:
    bool fits(std::size_t parts) const {
        constexpr std::size_t kFewest = 50;
        const std::size_t rows = std::min(real_.rows(), synthetic_.rows()) / parts;
        return rows >= kFewest && rows > 4 * options_.k;
    }

    SizeScores auditParts(std::size_t parts, const JobContext& job) const {
        const std::size_t rows = synthetic_.rows() / parts;
        SizeScores size{rows, {}};
        const std::size_t audited = std::min(parts, kMaxSampleSizeParts);
        for (std::size_t part = 0; part < audited; ++part) {
            const JobContext own = job.step(part, audited);
            const auto real =
                rowsOf(real_, partOf(realOrder_, part, real_.rows() / parts), real_.name(), own.part({}, 0.0, 0.05));
            const auto synthetic =
                rowsOf(synthetic_, partOf(syntheticOrder_, part, rows), synthetic_.name(), own.part({}, 0.05, 0.1));
            const auto audit = runAudit({real, {{"part", synthetic}}, options_, {}}, own.part({}, 0.1, 1.0));
            size.scores.push_back(scoresOf(*audit->models.front()));
        }
        return size;
    }

    std::vector<double> scoresOf(const ModelAudit& model) const {
        std::vector<double> scores;
        for (const Metric* metric : metrics_)
            scores.push_back(model.metric(metric->id));
        return scores;
    }

    CurveLine lineOf(std::size_t metric) const {
        CurveLine line{std::string(metrics_[metric]->id), {}};
        const double variance = varianceOfOne(sizes_, metric);
        const MetricRange bounds = rangeOf(*metrics_[metric]);
        for (const SizeScores& size : sizes_) {
            line.y.push_back(meanAt(size, metric));
            if (sizes_.size() == 1)
                continue;
            const double halfWidth = kQuantile * std::sqrt(variance / static_cast<double>(size.rows));
            line.low.push_back(std::max(line.y.back() - halfWidth, bounds.low));
            line.high.push_back(std::min(line.y.back() + halfWidth, bounds.high));
        }
        return line;
    }

    const EmbeddingSet& real_;
    const EmbeddingSet& synthetic_;
    AuditOptions options_;
    std::vector<const Metric*> metrics_;
    std::vector<std::uint32_t> realOrder_, syntheticOrder_;
    std::vector<SizeScores> sizes_;
};

} // namespace

CurveValues sampleSizeCurve(const std::shared_ptr<const AuditResult>& audit, std::size_t model,
                            const AuditOptions& options, const JobContext& job) {
    AuditOptions same = tablesOnly(options);
    same.k = audit->k;
    same.seed = audit->seed;
    return SampleSizes(*audit, *audit->models.at(model), same).run(job);
}

namespace {

constexpr std::string_view kSalvy = "Salvy, Talbot, Thirion, ICLR 2026";
constexpr std::string_view kAlaa = "Alaa et al., ICML 2022";
constexpr std::string_view kFox = "Fox, Swarup, Adiga, AAAI 2025";

using enum Unit;

constexpr std::array kDemanded{
    Curve{"bad_fraction", "Bad fraction", "Share of bad samples", "Value", Share, Ratio,
          "Value of each metric when this share of good samples is replaced by bad ones. The ideal is one minus the "
          "share.",
          "each metric of a set with the share x of bad samples", kSalvy, nullptr, needs::kTables,
          Curve::Ideal::Falling},
    Curve{"bad_fraction_relative", "Bad fraction, relative", "Share of bad samples", "Value relative to none", Share,
          Ratio,
          "The same divided by the value without bad samples; for entropies the difference from it, in nats. The ideal "
          "is one minus the share.",
          "metric(x) / metric(0); of PCE, RCE and RE metric(x) - metric(0)", kSalvy, nullptr, needs::kTables,
          Curve::Ideal::Falling},
    Curve{"bad_fraction_coverage", "Calibration of coverage, measured", "Share of good samples", "Value", Share, Share,
          "Mean coverage as measured, as expected of that many good samples, and clipped coverage.",
          "mean over i of coverage_i, f(m) and clipped coverage, m = (1 - x) M", kSalvy, nullptr},
    Curve{"sample_size", "Sample size", "Synthetic samples", "Value", Count, Ratio,
          "Mean score of random parts of both sets, with the band in which one score of that size falls in 95 % of "
          "cases: it narrows with the root of the size.",
          "mean of each metric over random parts of both sets", kSalvy, nullptr},
    Curve{"discard", "Discarding", "Share discarded", "Value", Share, Ratio,
          "Each metric of the samples that remain when the worst by one score are removed, beside as many removed at "
          "random.",
          "each metric without the share x of the samples that are worst by one score", kFox, nullptr},
    Curve{"useful_by_discard", "Usefulness after discarding", "Share discarded", "Value", Share, Ratio,
          "Utility and membership of the samples that remain when the worst by one score are removed, beside as many "
          "removed at random.",
          "utility and membership without the share x of the samples that are worst by one score, and without as many "
          "drawn at random",
          kAlaa, nullptr},
    Curve{"pce_re_tradeoff", "PCE against RE", "Share discarded", "Nats", Share, Nats,
          "PCE and RE as the samples of highest PCE are discarded: fidelity gained against diversity lost.",
          "PCE and RE without the share x of the samples of highest PCE", kFox, nullptr},
    Curve{"removal_frontier", "Fidelity against coverage", "Share discarded", "Clipped density", Share, Ratio,
          "Clipped density and coverage of the remaining samples as others are discarded: by fidelity while sparing "
          "those that "
          "alone cover a real sample, by simple rankings, and at random.",
          "clipped density and clipped coverage without a share x of the samples", kSalvy, nullptr},
};

void put(AuditResult& result, RequestedCurve curve) {
    std::erase_if(result.curves,
                  [&](const RequestedCurve& old) { return old.key == curve.key && old.model == curve.model; });
    result.curves.push_back(std::move(curve));
}

/// Adds the bad-fraction curves. Good samples are those of the request, else the audit's held-out set, else a part of
/// the real set.
void addBadFraction(AuditResult& result, BadFractionRequest request, const AuditOptions& options,
                    const JobContext& job) {
    if (!request.good && result.heldOut)
        request.good = result.heldOut->audit->set;
    BadFractionCurves curves = badFractionCurves(result.real->set, request, options, job);
    for (CurveValues* values : {&curves.raw, &curves.relative, &curves.coverage})
        put(result, {std::string(values->id),
                     {},
                     curves.note,
                     std::move(*values),
                     curves.size,
                     request.bad ? request.bad->name() : std::string()});
}

void requireWhole(const EmbeddingSet& set) {
    if (set.held().count != set.rows())
        throw Error(ErrorKind::InvalidArgument, set.name() + ": curves over subsets expect all rows in one process, " +
                                                    "found " + std::to_string(set.held().count) + " of " +
                                                    std::to_string(set.rows()));
}

} // namespace

std::span<const Curve> requestedCurveCatalog() {
    return kDemanded;
}

const Curve* findAnyCurve(std::string_view id) {
    const Curve* demanded = findBy(kDemanded, &Curve::id, id);
    return demanded != nullptr ? demanded : findCurve(id);
}

std::shared_ptr<const AuditResult> withCurves(const std::shared_ptr<const AuditResult>& audit,
                                              const CurveRequest& request, const AuditOptions& options,
                                              const JobContext& job) {
    requireWhole(*audit->real->set);
    for (const auto& model : audit->models)
        requireWhole(*model->set);
    if (audit->heldOut)
        requireWhole(*audit->heldOut->audit->set);
    for (const auto* columns : {&request.discard, &request.useful})
        for (const std::string& column : *columns)
            if (!canDiscardBy(column))
                throw Error(ErrorKind::InvalidArgument,
                            "discard: expected a score of synthetic samples, found '" + column + "'");
    AuditOptions same = options;
    same.k = audit->k;
    same.seed = audit->seed;
    auto result = std::make_shared<AuditResult>(*audit);
    const std::size_t perModel =
        (request.sampleSize ? 1 : 0) + (request.frontier ? 1 : 0) + request.discard.size() + request.useful.size();
    const std::size_t steps = (request.badFraction ? 1 : 0) + perModel * audit->models.size();
    std::size_t step = 0;
    const auto next = [&](const std::string& stage) { return job.step(step++, steps, stage); };
    if (request.badFraction)
        addBadFraction(*result, *request.badFraction, same, next({}));
    for (std::size_t m = 0; m < audit->models.size(); ++m) {
        const ModelAudit& model = *audit->models[m];
        if (request.sampleSize)
            put(*result, {"sample_size", model.name, "disjoint random parts; seed " + std::to_string(audit->seed),
                          sampleSizeCurve(audit, m, same, next("Curves of " + model.name))});
        if (request.frontier)
            put(*result,
                {"removal_frontier", model.name, "ties and random removal: seed " + std::to_string(audit->seed),
                 removalFrontier(audit, m, same, next("Curves of " + model.name))});
        const auto noteOn = [&](const std::string& column) {
            return "worst first by " + std::string(findColumn(column)->title) + "; seed " + std::to_string(audit->seed);
        };
        for (const std::string& column : request.useful)
            put(*result, {"useful_by_" + column, model.name, noteOn(column),
                          usefulCurve(audit, m, column, same, next("Curves of " + model.name))});
        for (const std::string& column : request.discard) {
            const std::string note = noteOn(column);
            CurveValues values = discardCurve(audit, m, column, same, next("Curves of " + model.name));
            if (column == "pce")
                put(*result, {"pce_re_tradeoff", model.name, note, pceReTradeoff(values)});
            put(*result, {"discard_by_" + column, model.name, note, std::move(values)});
        }
    }
    job.checkpoint(1.0);
    return result;
}

const RequestedCurve* findRequestedCurve(const AuditResult& audit, std::string_view key, std::string_view model) {
    const auto at = std::find_if(audit.curves.begin(), audit.curves.end(),
                                 [&](const RequestedCurve& curve) { return curve.key == key && curve.model == model; });
    return at == audit.curves.end() ? nullptr : &*at;
}

CurveRequest requestForCurve(std::string_view key) {
    CurveRequest request;
    if (key.starts_with(kDiscardBy))
        request.discard = {std::string(key.substr(kDiscardBy.size()))};
    else if (key.starts_with(kUsefulBy))
        request.useful = {std::string(key.substr(kUsefulBy.size()))};
    else if (key == "sample_size")
        request.sampleSize = true;
    else if (key == "removal_frontier")
        request.frontier = true;
    else
        request.badFraction.emplace();
    return request;
}

std::string firstCurveOf(const CurveRequest& request) {
    if (request.badFraction)
        return "bad_fraction";
    if (request.sampleSize)
        return "sample_size";
    if (request.frontier)
        return "removal_frontier";
    if (!request.useful.empty())
        return std::string(kUsefulBy) + request.useful.front();
    return request.discard.empty() ? std::string() : std::string(kDiscardBy) + request.discard.front();
}

std::vector<const Column*> discardColumns(const AuditResult& audit) {
    std::vector<const Column*> columns;
    for (const Column& column : columnCatalog())
        if (canDiscardBy(column.id) &&
            std::ranges::all_of(audit.models, [&](const auto& model) { return model->hasColumn(column.id); }))
            columns.push_back(&column);
    return columns;
}

} // namespace assay
