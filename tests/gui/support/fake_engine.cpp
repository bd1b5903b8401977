#include "tests/gui/support/fake_engine.h"

#include "engine/audit/findings/findings.h"
#include "engine/base/error.h"
#include "engine/base/find_by.h"
#include "engine/data/embedding_set.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/metrics/verdicts/verdict.h"

#include <chrono>
#include <filesystem>
#include <numeric>
#include <thread>

namespace assay::test {
namespace {

constexpr std::size_t kRealRows = 20;

double fakeValue(std::string_view column, std::size_t row) {
    if (column == "fidelity")
        return static_cast<double>(row) / 10.0;
    if (column == "pce")
        return -static_cast<double>(row);
    if (column == "authentic")
        return row == 1 || row == 3 ? 0.0 : 1.0;
    if (column == "verdict")
        return row == 1 || row == 3 ? static_cast<double>(Verdict::Copy) : 0.0;
    return 0.0;
}

std::shared_ptr<const RealAnalysis> makeReal(std::shared_ptr<const EmbeddingSet> set) {
    auto real = std::make_shared<RealAnalysis>();
    real->set = std::move(set);
    real->seconds = 0.25;
    real->backend = "gemm";
    return real;
}

} // namespace

std::shared_ptr<const EmbeddingSet> makeSet(const std::string& name, std::size_t rows) {
    EmbeddingParts parts;
    parts.name = name;
    parts.rows = rows;
    parts.dim = 2;
    std::vector<float> values(rows * 2);
    std::iota(values.begin(), values.end(), 0.0F);
    parts.values = std::move(values);
    return std::make_shared<const EmbeddingSet>(std::move(parts));
}

std::shared_ptr<const ModelAudit> makeModel(const std::string& name, std::size_t rows) {
    auto model = std::make_shared<ModelAudit>();
    model->name = name;
    model->set = makeSet(name, rows);
    model->backend = "gemm";
    model->seconds = 0.25;
    for (const Metric& metric : metricCatalog())
        model->metrics.push_back({metric.id, 0.5});
    for (const Column& column : columnCatalog()) {
        std::vector<double> values;
        const std::size_t count = column.side == Side::Synthetic ? rows : kRealRows;
        for (std::size_t row = 0; row < count; ++row)
            values.push_back(fakeValue(column.id, row));
        model->columns.push_back({column.id, std::move(values)});
    }
    return model;
}

std::shared_ptr<const AuditResult> makeAudit(const std::vector<std::string>& models) {
    auto audit = std::make_shared<AuditResult>();
    audit->real = makeReal(makeSet("real", kRealRows));
    for (const std::string& name : models)
        audit->models.push_back(makeModel(name));
    return audit;
}

void FakeEngine::waitWhileHeld(const JobContext& job) const {
    while (hold) {
        job.checkpoint(0.5);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    job.checkpoint(0.5);
}

EngineCalls FakeEngine::calls() {
    EngineCalls calls;
    calls.readSet = [this](const SetFiles& files, const PreparationChoice& choice, const PreparationPtr& preparation,
                           const JobContext& job) {
        const std::string& file = files.embeddings;
        job.checkpoint(0.0);
        if (file == failReading)
            throw Error(ErrorKind::BadInput, file + ": expected an array of shape [N, d], found nothing");
        scalings.push_back(preparation ? preparation->scaling : choice.scaling.value_or(Scaling::None));
        const auto set = makeSet(std::filesystem::path(file).stem().string(), kRealRows);
        EmbeddingParts parts;
        parts.name = set->name();
        parts.rows = set->rows();
        parts.dim = set->dim();
        const MatrixView values = set->matrix();
        parts.values = std::vector<float>(values.data, values.data + values.rows * values.dim);
        ValuePreparation made;
        made.scaling = scalings.back();
        parts.preparation = std::make_shared<const ValuePreparation>(made);
        return std::make_shared<const EmbeddingSet>(std::move(parts));
    };
    calls.runAudit = [this](const AuditRequest& request, const JobContext& job) {
        options = request.options;
        heldOut = request.heldOut ? request.heldOut->name() : "";
        auto audit = std::make_shared<AuditResult>();
        audit->k = request.options.k;
        audit->real = makeReal(request.real);
        for (const AuditModel& model : request.models) {
            const JobContext part = job.part("Scoring " + model.name, 0.0, 1.0);
            if (model.name == request.models.back().name)
                waitWhileHeld(part);
            if (failAudit && !audit->models.empty())
                throw Error(ErrorKind::InvalidArgument, model.name + ": k = 5 needs more rows");
            audit = std::make_shared<AuditResult>(*audit);
            auto scored = std::make_shared<ModelAudit>(*makeModel(model.name));
            scored->hardware = hardware;
            if (model.name == copying)
                scored->findings = {Finding{.kind = findBy(findingKinds(), &FindingKind::id, "copy"),
                                            .value = 0.5,
                                            .sentence = "50 % of its samples are copies.",
                                            .marksModel = true,
                                            .place = 0.0,
                                            .rows = {0, 1, 2, 3, 4}}};
            audit->models.push_back(scored);
            ++audited;
            if (request.partial) {
                request.partial(audit);
                ++partials;
            }
        }
        return std::shared_ptr<const AuditResult>(audit);
    };
    calls.addModels = [this](const AuditResult& base, const std::vector<AuditModel>& models, const AuditOptions& given,
                             const JobContext& job) {
        options = given;
        auto audit = std::make_shared<AuditResult>(base);
        waitWhileHeld(job.part("Scoring", 0.0, 1.0));
        for (const AuditModel& model : models) {
            audit->models.push_back(makeModel(model.name));
            ++audited;
        }
        return std::shared_ptr<const AuditResult>(audit);
    };
    calls.withCurves = [this](const std::shared_ptr<const AuditResult>& base, const CurveRequest& request,
                              const AuditOptions& given, const JobContext& job) {
        options = given;
        auto audit = std::make_shared<AuditResult>(*base);
        waitWhileHeld(job);
        if (request.sampleSize)
            audit->curves.push_back({"sample_size", {}, {}, {"sample_size", {1.0}, {{"pce", {2.0}}}}});
        if (request.badFraction)
            audit->curves.push_back({"bad_fraction",
                                     {},
                                     request.badFraction->bad ? request.badFraction->bad->name() : "noise",
                                     {"bad_fraction", {0.0}, {{"pce", {2.0}}}}});
        return std::shared_ptr<const AuditResult>(audit);
    };
    calls.judgeAgain = [this](const AuditResult& record, const AuditOptions& given, const JobContext& job) {
        options = given;
        waitWhileHeld(job);
        auto audit = std::make_shared<AuditResult>(record);
        for (auto& model : audit->models)
            model = makeModel(model->name);
        return std::shared_ptr<const AuditResult>(audit);
    };
    calls.makeDemo = [](const JobContext& job) {
        job.checkpoint(0.0);
        return Demo{makeSet("demo", kRealRows), {makeSet("faithful", 10), makeSet("copies", 10)}};
    };
    return calls;
}

} // namespace assay::test
