#include "gui/jobs/audit_loader.h"

#include "engine/data/embedding_set.h"

namespace assay {
namespace {

// Reading is a small part of the whole at any size worth waiting for.
constexpr double kReadShare = 0.03;
// Drawing the demo takes as long as auditing it.
constexpr double kDemoShare = 0.5;

/// How a set that is compared with the real set is taken.
PreparationPtr preparationOf(const std::shared_ptr<const EmbeddingSet>& real) {
    return real ? real->preparation() : nullptr;
}

} // namespace

std::shared_ptr<const EmbeddingSet> AuditLoader::read(const SetFiles& files, const PreparationChoice& choice,
                                                      const PreparationPtr& preparation, const JobContext& job) const {
    return calls_.readAs ? calls_.readAs(files, choice, preparation, job) : calls_.readSet(files, job);
}

std::vector<AuditModel> AuditLoader::readModels(const std::vector<ModelFile>& files, const PreparationPtr& preparation,
                                                const JobContext& job) const {
    std::vector<AuditModel> models;
    const double count = static_cast<double>(files.size());
    for (std::size_t i = 0; i < files.size(); ++i) {
        const auto at = static_cast<double>(i);
        models.push_back({files[i].name.toStdString(), read(setFiles(files[i].file, files[i].beside), {}, preparation,
                                                            job.part({}, at / count, (at + 1.0) / count))});
    }
    return models;
}

std::shared_ptr<const AuditResult> AuditLoader::open(const AuditFiles& files, const JobContext& job,
                                                     const Partial& partial) const {
    if (!files.audit.isEmpty())
        return calls_.readAuditFile(files.audit.toStdString(), job);
    const double sets = static_cast<double>(files.models.size() + (files.heldOut.isEmpty() ? 1 : 2));
    const double each = kReadShare / sets;
    AuditRequest request;
    request.real = read(setFiles(files.real, files.realBeside), files.choice, nullptr, job.part({}, 0.0, each));
    request.models = readModels(files.models, preparationOf(request.real),
                                job.part({}, each, kReadShare - (files.heldOut.isEmpty() ? 0.0 : each)));
    if (!files.heldOut.isEmpty())
        request.heldOut = read(setFiles(files.heldOut, files.heldOutBeside), {}, preparationOf(request.real),
                               job.part({}, kReadShare - each, kReadShare));
    request.options = files.options;
    request.partial = partial;
    return calls_.runAudit(request, job.part({}, kReadShare, 1.0));
}

std::shared_ptr<const AuditResult> AuditLoader::openDemo(const JobContext& job, const Partial& partial) const {
    const Demo demo = calls_.makeDemo(job.part({}, 0.0, kDemoShare));
    AuditRequest request;
    request.real = demo.real;
    for (const auto& set : demo.models)
        request.models.push_back({set->name(), set});
    request.partial = partial;
    return calls_.runAudit(request, job.part({}, kDemoShare, 1.0));
}

std::shared_ptr<const AuditResult> AuditLoader::addModels(const AuditResult& base, const std::vector<ModelFile>& models,
                                                          const AuditOptions& options, const JobContext& job) const {
    const std::vector<AuditModel> sets =
        readModels(models, preparationOf(base.real->set), job.part({}, 0.0, kReadShare));
    return calls_.addModels(base, sets, options, job.part({}, kReadShare, 1.0));
}

std::shared_ptr<const AuditResult> AuditLoader::addCurves(const std::shared_ptr<const AuditResult>& base,
                                                          CurveRequest request, const QString& bad,
                                                          const AuditOptions& options, const JobContext& job) const {
    if (bad.isEmpty())
        return calls_.withCurves(base, request, options, job);
    request.badFraction.emplace();
    request.badFraction->bad = read(setFiles(bad), {}, preparationOf(base->real->set), job.part({}, 0.0, kReadShare));
    return calls_.withCurves(base, request, options, job.part({}, kReadShare, 1.0));
}

} // namespace assay
