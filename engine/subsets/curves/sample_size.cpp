#include "engine/subsets/curves/sample_size.h"

#include "engine/subsets/curves/curve_parts.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace assay {
namespace {

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

} // namespace assay
