#include "gui/jobs/statistics_scores.h"

#include "engine/base/error.h"
#include "engine/data/embedding_set.h"
#include "engine/io/sets/read_embeddings.h"
#include "engine/io/sets/statistics_file.h"

#include <memory>
#include <utility>

namespace assay {

bool areAgainstStatistics(const AuditFiles& files, const JobContext& job) {
    return files.audit.isEmpty() && holdsOnlyStatistics(files.real.toStdString(), job);
}

StatisticsScores scoreAgainstStatistics(const AuditFiles& files, const JobContext& job) {
    if (!files.heldOut.isEmpty())
        throw Error(ErrorKind::BadInput, files.real.toStdString() + ": expected real samples beside held-out ones, "
                                                                    "found a mean and a covariance");
    const GaussianFit reference = gaussianOf(*readStatistics(files.real.toStdString(), job.silent()), job.silent());
    ReadOptions reading;
    reading.threads = files.options.threads;
    reading.preparation = std::make_shared<const ValuePreparation>(); // values as they are, as in the reference
    StatisticsScores result{files.real, {}};
    for (std::size_t m = 0; m < files.models.size(); ++m) {
        const ModelFile& model = files.models[m];
        const JobContext part = job.step(m, files.models.size(), model.name.toStdString());
        const auto set = readSet(setFiles(model.file, model.beside), part.part({}, 0.0, 0.2), reading);
        result.models.push_back(
            {model.name, set->rows(),
             scoreAgainst(
                 reference, files.real.toStdString(), set->matrix(), model.file.toStdString(),
                 {.seed = files.options.seed, .threads = files.options.threads, .job = part.part({}, 0.2, 1.0)})});
    }
    return result;
}

} // namespace assay
