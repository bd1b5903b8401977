#include "engine/cli/statistics_step.h"

#include "engine/base/atomic_file.h"
#include "engine/base/error.h"
#include "engine/cli/export_step.h"
#include "engine/io/files/text_encoding.h"
#include "engine/io/sets/read_embeddings.h"
#include "engine/io/sets/statistics_file.h"
#include "engine/math/linear/centre.h"
#include "engine/math/linear/lapack.h"
#include "engine/math/products/dense_product.h"
#include "engine/metrics/embedding/frechet_infinity.h"
#include "engine/metrics/embedding/frechet_influence.h"
#include "engine/metrics/embedding/row_scores.h"
#include "engine/report/scores/score_output.h"
#include "engine/version.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace assay {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kOnlyFrechet =
    "The reference is a mean and a covariance: the Frechet distance can be told from them. All else compares samples, "
    "and needs the real ones.";

GaussianFit fitOf(const SetStatistics& statistics, const JobContext& job) {
    GaussianFit fit;
    fit.mean = statistics.mean;
    for (std::size_t c = 0; c < fit.mean.size(); ++c)
        fit.totalVariance += statistics.covariance.at(c, c);
    fit.factor = factorOf(statistics.covariance, job);
    double kept = 0.0;
    for (const double x : fit.factor.values)
        kept += x * x;
    constexpr double kSlack = 1e-5; // of sums in single precision
    if (!(std::abs(kept - fit.totalVariance) <= kSlack * std::abs(fit.totalVariance)))
        throw Error(ErrorKind::BadInput,
                    statistics.file + ": expected a covariance, found a matrix with negative eigenvalues");
    return fit;
}

struct Scored {
    std::string name{};
    std::shared_ptr<const EmbeddingSet> set{};
    double distance = kNaN;
    FrechetInfinity infinity{};
    std::vector<double> influence{};
};

Scored scoredModel(const SyntheticArgument& model, const GaussianFit& reference, const SetStatistics& statistics,
                   const ScoreArguments& arguments, const JobContext& job) {
    ReadOptions reading;
    reading.threads = arguments.options.threads;
    reading.preparation = std::make_shared<const ValuePreparation>(); // values as they are, as in the reference
    Scored result;
    result.name = model.name;
    result.set = readSet(model.files, job.part({}, 0.0, 0.2), reading);
    const MatrixView set = result.set->matrix();
    if (set.dim != reference.mean.size())
        throw Error(ErrorKind::BadInput,
                    fmt::format("{}: expected {} columns as in {}, found {}", model.files.embeddings,
                                reference.mean.size(), statistics.file, set.dim));
    if (set.rows < 2)
        throw Error(ErrorKind::BadInput,
                    model.files.embeddings + ": expected at least 2 samples for a Frechet distance, found 1");
    if (std::min(set.rows, set.dim) > kMaxEigenvalues)
        throw Error(ErrorKind::BadInput,
                    fmt::format("{}: expected at most {} rows or columns for a Frechet distance, found {} x {}",
                                model.files.embeddings, kMaxEigenvalues, set.rows, set.dim));
    const unsigned threads = arguments.options.threads;
    const GaussianFit fit = fitGaussian(set, threads, job.part({}, 0.2, 0.4));
    result.distance = frechetDistance(reference, fit, threads, job.part({}, 0.4, 0.5));
    const FrechetSpectrum spectrum = frechetSpectrum(reference, fit, threads, job.part({}, 0.5, 0.6));
    const std::vector<float> projected = alongDirections(spectrum, set, fit.mean, threads, job.part({}, 0.6, 0.7));
    if (set.rows > 2)
        result.influence =
            frechetInfluence(spectrum, set, fit.mean, projected, set.rows, threads, job.part({}, 0.7, 0.8));
    result.infinity = frechetInfinity(reference, spectrum, set, fit.mean, projected, result.distance,
                                      {arguments.options.seed, threads, job.part({}, 0.8, 1.0)});
    return result;
}

Json numberOrNull(double value) {
    return std::isnan(value) ? Json() : Json(value);
}

std::string asJson(const SetStatistics& statistics, const std::vector<Scored>& models) {
    Json json{{"assay", kVersion},
              {"schema", kJsonSchema},
              {"reference",
               {{"file", utf8OrEscaped(statistics.file)},
                {"holds", "mean and covariance"},
                {"dimensions", statistics.mean.size()},
                {"sha256", statistics.sha256}}},
              {"notes", {kOnlyFrechet}},
              {"models", Json::array()}};
    for (const Scored& model : models) {
        Json one{{"name", model.name},
                 {"file", utf8OrEscaped(model.set->source().file)},
                 {"rows", model.set->rows()},
                 {"sha256", model.set->source().sha256},
                 {"metrics",
                  {{"frechet_distance", numberOrNull(model.distance)},
                   {"frechet_infinity", numberOrNull(model.infinity.value)},
                   {"frechet_infinity_r2", numberOrNull(model.infinity.r2)}}}};
        if (!std::isnan(model.infinity.value))
            one["intervals"]["frechet_infinity"] = {{"low", model.infinity.low}, {"high", model.infinity.high}};
        json["models"].push_back(std::move(one));
    }
    return json.dump(2) + "\n";
}

std::string asTable(const std::vector<Scored>& models) {
    std::size_t width = 5;
    for (const Scored& model : models)
        width = std::max(width, model.name.size());
    std::string text = fmt::format("{:<{}}  {:>16}  {:>24}\n", "model", width, "frechet_distance", "frechet_infinity");
    for (const Scored& model : models)
        text += fmt::format("{:<{}}  {:>16.4f}  {:>24}\n", model.name, width, model.distance,
                            std::isnan(model.infinity.value)
                                ? std::string("-")
                                : fmt::format("{:.4f} ({:.4f} to {:.4f})", model.infinity.value, model.infinity.low,
                                              model.infinity.high));
    return text + std::string(kOnlyFrechet) + "\n";
}

/// As in the tables of other audits: row and id first.
std::string asCsv(const Scored& model) {
    std::string text = "row,id,frechet_influence\n";
    for (std::size_t row = 0; row < model.influence.size(); ++row) {
        text += std::to_string(row) + ',';
        appendCsvField(text, model.set->idText(row));
        text += fmt::format(",{}\n", model.influence[row]);
    }
    return text;
}

/// Names the first option that needs real samples.
void requireNoSamples(const ScoreArguments& arguments) {
    const std::pair<const char*, bool> needing[]{{"--held-out", !arguments.heldOut.embeddings.empty()},
                                                 {"--out", !arguments.out.empty()},
                                                 {"--report", !arguments.report.empty()},
                                                 {"--compat", !arguments.compat.empty()},
                                                 {"--rules", arguments.rules.has_value()},
                                                 {"--export", !arguments.exports.empty()},
                                                 {"--require", !arguments.requirements.empty()},
                                                 {"--statistics", !arguments.statistics.empty()},
                                                 {"a curve", arguments.wantCurves()}};
    for (const auto& [option, isWanted] : needing)
        if (isWanted)
            throw Error(ErrorKind::BadInput, fmt::format("{}: expected real samples for {}, found a mean and a "
                                                         "covariance",
                                                         arguments.real.embeddings, option));
}

} // namespace

bool isAgainstStatistics(const ScoreArguments& arguments, const JobContext& job) {
    return !arguments.real.embeddings.empty() && holdsOnlyStatistics(arguments.real.embeddings, job);
}

int scoreAgainstStatistics(const ScoreArguments& arguments, const JobContext& job) {
    requireNoSamples(arguments);
    const std::optional<SetStatistics> statistics = readStatistics(arguments.real.embeddings, job.silent());
    const GaussianFit reference = fitOf(*statistics, job.silent());
    std::vector<Scored> models;
    for (std::size_t m = 0; m < arguments.synthetic.size(); ++m)
        models.push_back(scoredModel(arguments.synthetic[m], reference, *statistics, arguments,
                                     job.step(m, arguments.synthetic.size(), arguments.synthetic[m].name)));
    std::optional<OutputFolder> folder;
    if (!arguments.csv.empty())
        folder.emplace(arguments.csv);
    AtomicFiles files; // declared here so that it is destroyed before the folder
    for (const Scored& model : models)
        if (!arguments.csv.empty())
            files.add(csvFile(arguments.csv, model.name, Side::Synthetic), asCsv(model));
    if (!arguments.json.empty() && arguments.json != "-")
        files.add(arguments.json, asJson(*statistics, models));
    files.commit();
    if (arguments.json == "-")
        printText(asJson(*statistics, models));
    else if (!arguments.quiet)
        printText(asTable(models));
    return 0;
}

void writeStatisticsOf(const EmbeddingSet& real, const ScoreArguments& arguments, const JobContext& job) {
    if (!real.preparation()->isNone())
        throw Error(ErrorKind::BadInput, "--statistics: expected a real set whose values are used as they are, found " +
                                             real.source().file + " with values that were prepared");
    if (real.rows() < 2)
        throw Error(ErrorKind::BadInput, "--statistics: expected at least 2 real samples, found 1");
    const unsigned threads = arguments.options.threads;
    SetStatistics statistics;
    statistics.mean = columnMeans(real.matrix(), threads, job.silent());
    statistics.covariance = gramOf(columnsOf(real.matrix(), statistics.mean), threads, job.silent());
    const double scale = 1.0 / static_cast<double>(real.rows() - 1);
    DoubleMatrix& covariance = statistics.covariance;
    for (std::size_t i = 0; i < covariance.rows; ++i)
        for (std::size_t j = 0; j <= i; ++j)
            covariance.at(j, i) = covariance.at(i, j) *= scale;
    writeStatistics(statistics, arguments.statistics, job.silent());
}

} // namespace assay
