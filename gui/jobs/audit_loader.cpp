#include "gui/jobs/audit_loader.h"

#include "gui/jobs/embedding_networks.h"

#include "engine/data/embedding_set.h"

#include <QCoreApplication>
#include <QFileInfo>

namespace assay {
namespace {

// Reading is a small part of the whole at any size worth waiting for.
constexpr double kReadShare = 0.03;
// A network takes by far the longest.
constexpr double kEmbedShare = 0.9;
constexpr double kFitPasses = 100.0; ///< over the series on which a network is fitted
// Drawing the demo takes as long as auditing it.
constexpr double kDemoShare = 0.5;

/// How a set that is compared with the real set is taken.
PreparationPtr preparationOf(const std::shared_ptr<const EmbeddingSet>& real) {
    return real ? real->preparation() : nullptr;
}

} // namespace

std::vector<AuditModel> AuditLoader::readModels(const std::vector<ModelFile>& files, const PreparationPtr& preparation,
                                                const JobContext& job) const {
    std::vector<AuditModel> models;
    const double count = static_cast<double>(files.size());
    for (std::size_t i = 0; i < files.size(); ++i) {
        const auto at = static_cast<double>(i);
        models.push_back(
            {files[i].name.toStdString(), calls_.readSet(setFiles(files[i].file, files[i].beside), {}, preparation,
                                                         job.part({}, at / count, (at + 1.0) / count))});
    }
    return models;
}

void AuditLoader::useConversions(const std::vector<Set>& sets, const JobContext& job) const {
    if (!calls_.keptConversion)
        return;
    for (const auto& [file, beside] : sets)
        if (const auto kept = calls_.keptConversion(setFiles(*file, *beside), job.silent())) {
            *file = QString::fromStdString(kept->embeddings);
            *beside = besideFiles(*kept);
        }
}

bool AuditLoader::embedSets(const std::vector<Set>& sets, const NetworkChoice& embedding, const QString& real,
                            const JobContext& job) const {
    const EmbeddingNetwork* network = embeddingNetwork(embedding.network);
    if (network == nullptr || !embed_ || !calls_.previewSet)
        return false;
    struct Embedding {
        QString* file;
        NetworkEmbedder::Run run;
        double work;
    };
    std::vector<Embedding> embedded;
    double total = 0.0;
    for (const auto& [file, beside] : sets) {
        const SetPreview preview = calls_.previewSet(setFiles(*file), job.silent());
        if (!network->embeds(preview))
            continue;
        NetworkEmbedder::Run run{embedding.python, *file, network->id, embeddingFile(*file, network->id)};
        if (network->of == Embedded::Series)
            (run.output == real ? run.fits : run.applies) = fittedNetworkFile(real);
        const double passes = run.fits.isEmpty() ? 1.0 : kFitPasses;
        embedded.push_back({file, run, passes * static_cast<double>(preview.rows)});
        total += embedded.back().work;
    }
    double done = 0.0;
    for (const auto& [file, run, work] : embedded) {
        const QString stage = QCoreApplication::translate("assay::AuditLoader", "Embedding %1 by %2")
                                  .arg(QFileInfo(*file).fileName(), network->title);
        embed_(run, job.part(stage.toStdString(), done / total, (done + work) / total));
        *file = run.output;
        done += work;
    }
    return !embedded.empty();
}

PreparationChoice AuditLoader::completed(const AuditFiles& files, const JobContext& job) const {
    if (!calls_.completedChoice)
        return files.choice;
    std::vector<SetFiles> sets{setFiles(files.real)};
    for (const ModelFile& model : files.models)
        sets.push_back(setFiles(model.file));
    if (!files.heldOut.isEmpty())
        sets.push_back(setFiles(files.heldOut));
    return calls_.completedChoice(files.choice, sets, job);
}

AuditLoader::Audit AuditLoader::open(const AuditFiles& chosen, const JobContext& whole, const Partial& partial) const {
    if (!chosen.audit.isEmpty())
        return calls_.readAuditFile(chosen.audit.toStdString(), whole);
    AuditFiles files = chosen;
    std::vector<Set> sets{{&files.real, &files.realBeside}};
    for (ModelFile& model : files.models)
        sets.push_back({&model.file, &model.beside});
    if (!files.heldOut.isEmpty())
        sets.push_back({&files.heldOut, &files.heldOutBeside});
    useConversions(sets, whole);
    const bool embedded = embedSets(sets, files.embedding, embeddingFile(files.real, files.embedding.network),
                                    whole.part({}, 0.0, kEmbedShare));
    const JobContext job = whole.part({}, embedded ? kEmbedShare : 0.0, 1.0);
    const double each = kReadShare / static_cast<double>(sets.size());
    AuditRequest request;
    request.real =
        calls_.readSet(setFiles(files.real, files.realBeside), completed(files, job), nullptr, job.part({}, 0.0, each));
    const PreparationPtr preparation = preparationOf(request.real);
    request.models =
        readModels(files.models, preparation, job.part({}, each, kReadShare - (files.heldOut.isEmpty() ? 0.0 : each)));
    if (!files.heldOut.isEmpty())
        request.heldOut = calls_.readSet(setFiles(files.heldOut, files.heldOutBeside), {}, preparation,
                                         job.part({}, kReadShare - each, kReadShare));
    request.options = files.options;
    request.partial = partial;
    return calls_.runAudit(request, job.part({}, kReadShare, 1.0));
}

AuditLoader::Audit AuditLoader::openDemo(const JobContext& job, const Partial& partial) const {
    const Demo demo = calls_.makeDemo(job.part({}, 0.0, kDemoShare));
    AuditRequest request;
    request.real = demo.real;
    for (const auto& set : demo.models)
        request.models.push_back({set->name(), set});
    request.partial = partial;
    return calls_.runAudit(request, job.part({}, kDemoShare, 1.0));
}

AuditLoader::Audit AuditLoader::addModels(const AuditResult& base, std::vector<ModelFile> models,
                                          const AuditOptions& options, const NetworkChoice& embedding,
                                          const JobContext& whole) const {
    std::vector<Set> given;
    given.reserve(models.size());
    for (ModelFile& model : models)
        given.push_back({&model.file, &model.beside});
    useConversions(given, whole);
    const bool embedded = embedSets(given, embedding, QString::fromStdString(base.real->set->source().file),
                                    whole.part({}, 0.0, kEmbedShare));
    const JobContext job = whole.part({}, embedded ? kEmbedShare : 0.0, 1.0);
    const std::vector<AuditModel> sets =
        readModels(models, preparationOf(base.real->set), job.part({}, 0.0, kReadShare));
    return calls_.addModels(base, sets, options, job.part({}, kReadShare, 1.0));
}

AuditLoader::Audit AuditLoader::addCurves(const Audit& base, CurveRequest request, const QString& bad,
                                          const AuditOptions& options, const JobContext& job) const {
    if (bad.isEmpty())
        return calls_.withCurves(base, request, options, job);
    QString file = bad;
    BesideFiles beside;
    useConversions({{&file, &beside}}, job);
    request.badFraction.emplace();
    request.badFraction->bad =
        calls_.readSet(setFiles(file, beside), {}, preparationOf(base->real->set), job.part({}, 0.0, kReadShare));
    return calls_.withCurves(base, request, options, job.part({}, kReadShare, 1.0));
}

} // namespace assay
