#include "engine/cli/statistics_step.h"

#include "engine/base/atomic_file.h"
#include "engine/base/error.h"
#include "engine/cli/export_step.h"
#include "engine/io/files/text_encoding.h"
#include "engine/io/sets/read_embeddings.h"
#include "engine/io/sets/statistics_file.h"
#include "engine/math/linear/centre.h"
#include "engine/math/products/dense_product.h"
#include "engine/math/statistics/gaussian_fit.h"
#include "engine/metrics/embedding/reference_scores.h"
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

struct Scored {
    std::string name;
    std::shared_ptr<const EmbeddingSet> set;
    ReferenceScores scores;
};

Scored scoredModel(const SyntheticArgument& model, const GaussianFit& reference, const ScoreArguments& arguments,
                   const JobContext& job) {
    ReadOptions reading;
    reading.threads = arguments.options.threads;
    reading.preparation = std::make_shared<const ValuePreparation>(); // values as they are, as in the reference
    const auto set = readSet(model.files, job.part({}, 0.0, 0.2), reading);
    ComputeContext context{.seed = arguments.options.seed, .threads = reading.threads, .job = job.part({}, 0.2, 1.0)};
    return {model.name, set,
            scoreAgainst(reference, arguments.real.embeddings, set->matrix(), model.files.embeddings, context)};
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
                  {{"frechet_distance", numberOrNull(model.scores.distance)},
                   {"frechet_infinity", numberOrNull(model.scores.infinity.value)},
                   {"frechet_infinity_r2", numberOrNull(model.scores.infinity.r2)}}}};
        if (!std::isnan(model.scores.infinity.value))
            one["intervals"]["frechet_infinity"] = {{"low", model.scores.infinity.low},
                                                    {"high", model.scores.infinity.high}};
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
        text += fmt::format("{:<{}}  {:>16.4f}  {:>24}\n", model.name, width, model.scores.distance,
                            std::isnan(model.scores.infinity.value)
                                ? std::string("-")
                                : fmt::format("{:.4f} ({:.4f} to {:.4f})", model.scores.infinity.value,
                                              model.scores.infinity.low, model.scores.infinity.high));
    return text + std::string(kOnlyFrechet) + "\n";
}

/// As in the tables of other audits: row and id first.
std::string asCsv(const Scored& model) {
    std::string text = "row,id,frechet_influence\n";
    for (std::size_t row = 0; row < model.scores.influence.size(); ++row) {
        text += std::to_string(row) + ',';
        appendCsvField(text, model.set->idText(row));
        text += fmt::format(",{}\n", model.scores.influence[row]);
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
    const GaussianFit reference = gaussianOf(*statistics, job.silent());
    std::vector<Scored> models;
    for (std::size_t m = 0; m < arguments.synthetic.size(); ++m)
        models.push_back(scoredModel(arguments.synthetic[m], reference, arguments,
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
    DoubleMatrix covariance = gramOf(columnsOf(real.matrix(), statistics.mean), threads, job.silent());
    const double scale = 1.0 / static_cast<double>(real.rows() - 1);
    for (std::size_t i = 0; i < covariance.rows; ++i)
        for (std::size_t j = 0; j <= i; ++j)
            covariance.at(j, i) = covariance.at(i, j) *= scale;
    statistics.covariance.assign(covariance.values.begin(), covariance.values.end());
    writeStatistics(statistics, arguments.statistics, job.silent());
}

} // namespace assay
