// assay._engine: the engine for Python. What it returns is the engine's own: JSON, tables, reports, columns.
#include "engine/audit/run/audit.h"
#include "engine/base/error.h"
#include "engine/compat/programs.h"
#include "engine/io/sets/statistics_file.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/metrics/embedding/reference_scores.h"
#include "engine/report/page/explore_page.h"
#include "engine/report/pages/report.h"
#include "engine/report/scores/explain.h"
#include "engine/report/scores/score_output.h"
#include "engine/store/audit_file.h"
#include "engine/store/decisions.h"
#include "engine/subsets/requirements/requirements.h"
#include "engine/subsets/rules/filter.h"
#include "engine/subsets/rules/set_rules.h"
#include "engine/subsets/what_if/kept_audit.h"
#include "engine/version.h"
#include "python/src/requests.h"
#include "python/src/run_job.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

namespace nb = nanobind;

namespace assay::python {
namespace {

using AuditPtr = std::shared_ptr<const AuditResult>;

/// A finished audit.
struct Audit {
    AuditPtr result;
    std::vector<CompatResult> compat{};

    const ModelAudit& model(std::size_t index) const { return *result->models.at(index); }
    const ModelAudit& heldOut() const {
        if (!result->heldOut)
            throw Error(ErrorKind::InvalidArgument, "held_out: expected an audit with a held-out set, found none");
        return *result->heldOut->audit;
    }
};

/// Lets an array live as long as what it shows.
nb::capsule ownerOf(std::shared_ptr<const void> owner) {
    auto held = std::make_unique<std::shared_ptr<const void>>(std::move(owner));
    nb::capsule capsule(held.get(),
                        [](void* kept) noexcept { delete static_cast<std::shared_ptr<const void>*>(kept); });
    static_cast<void>(held.release());
    return capsule;
}

template <typename T>
nb::object arrayOf(const std::vector<T>& values, std::vector<std::size_t> shape, const AuditPtr& owner) {
    return nb::cast(nb::ndarray<nb::numpy, const T>(values.data(), shape.size(), shape.data(), ownerOf(owner)));
}

nb::tuple tableOf(const NeighborTable& table, const AuditPtr& owner) {
    const std::vector<std::size_t> shape{table.rows(), table.k};
    return nb::make_tuple(arrayOf(table.index, shape, owner), arrayOf(table.distance, shape, owner));
}

nb::dict neighborsOf(const AuditPtr& audit, const ModelAudit& model) {
    nb::dict tables;
    tables["real_to_real"] = tableOf(audit->real->neighbors, audit);
    tables["real_to_synthetic"] = tableOf(model.tables->real.nearest, audit);
    tables["synthetic_to_real"] = tableOf(model.tables->synthetic.nearest, audit);
    tables["synthetic_to_synthetic"] = tableOf(model.tables->syntheticToSynthetic, audit);
    return tables;
}

/// Columns of one side by id, each of numbers; row numbers are those of the file, as in the CSV.
nb::dict columnsOf(const AuditPtr& audit, const ModelAudit& model, Side side) {
    nb::dict columns;
    for (const ColumnValues& column : model.columns) {
        const Column& about = column.external ? column.external->column() : *findColumn(column.id);
        if (about.side != side)
            continue;
        if (about.unit == Unit::Row) {
            auto numbers = std::make_shared<std::vector<double>>(column.values.get());
            for (double& number : *numbers)
                number = audit->valueInFile(about, number);
            const std::size_t count = numbers->size();
            columns[nb::cast(column.id)] =
                nb::ndarray<nb::numpy, const double>(numbers->data(), {count}, ownerOf(numbers));
        } else {
            columns[nb::cast(column.id)] = arrayOf(column.values.get(), {column.values.size()}, audit);
        }
    }
    return columns;
}

/// Row in the file, id, class and group of every sample; no groups where the set has none.
nb::tuple samplesOf(const EmbeddingSet& set) {
    nb::list rows;
    nb::list ids;
    nb::list labels;
    nb::list groups;
    for (std::size_t row = 0; row < set.rows(); ++row) {
        rows.append(set.fileRow(row));
        ids.append(set.idText(row));
        labels.append(set.labelText(row));
        if (set.hasGroups())
            groups.append(set.groupText(row));
    }
    return nb::make_tuple(rows, ids, labels, groups);
}

/// Pictures of the examples of each finding beside each other, [height, width, channels] by the finding's id.
nb::dict findingPictures(const AuditResult& audit, const ModelAudit& model) {
    nb::dict strips;
    for (const Finding& finding : model.findings) {
        const EmbeddingSet& set = finding.side == Side::Real ? *audit.real->set : *model.set;
        const ImageStore* images = set.images();
        const std::size_t count = finding.examples.size();
        if (images == nullptr || images->isDrawn() || count == 0)
            continue;
        const std::size_t line = images->width() * images->channels();
        auto strip = std::make_shared<std::vector<std::uint8_t>>(count * images->bytesPerImage());
        for (std::size_t at = 0; at < count; ++at) {
            const std::vector<std::uint8_t> pixels = images->pixels(finding.examples[at].row);
            for (std::size_t y = 0; y < images->height() && !pixels.empty(); ++y)
                std::copy_n(pixels.data() + y * line, line, strip->data() + (y * count + at) * line);
        }
        strips[nb::cast(finding.kind->id)] = nb::ndarray<nb::numpy, const std::uint8_t>(
            strip->data(), {images->height(), count * images->width(), images->channels()}, ownerOf(strip));
    }
    return strips;
}

Audit runRequest(const nb::dict& real, const nb::list& models, const nb::object& heldOut, const nb::dict& options,
                 const nb::object& progress) {
    Request request;
    if (!real.empty()) // not of the demo
        request.real = setRequest(real);
    for (const nb::handle model : models)
        request.models.push_back(setRequest(nb::cast<nb::dict>(model)));
    if (!heldOut.is_none())
        request.heldOut = setRequest(nb::cast<nb::dict>(heldOut));
    request = withOptions(std::move(request), options);
    const CompatProgram* program = request.compat.empty() ? nullptr : findCompatProgram(request.compat);
    if (!request.compat.empty() && program == nullptr) {
        std::string known;
        for (const CompatProgram& one : compatPrograms())
            known.append(known.empty() ? "" : ", ").append(one.id);
        throw Error(ErrorKind::InvalidArgument, "compat: expected one of " + known + ", found " + request.compat);
    }
    return runJob(progress, [&](const JobContext& job) {
        constexpr double kRead = 0.05;
        const bool more = program != nullptr || !request.curves.empty();
        const double audited = more ? 0.4 : 1.0;
        const AuditRequest loaded = load(request, job.part({}, 0.0, kRead));
        Audit audit{runAudit(loaded, job.part({}, kRead, audited))};
        if (program != nullptr)
            audit.compat = computeCompat(*audit.result, *program, request.options, job.part({}, audited, 0.7));
        if (!request.curves.empty())
            audit.result = withCurves(audit.result, request.curves, request.options, job.part({}, 0.7, 1.0));
        return audit;
    });
}

/// Adds the scores and curves that an audit has of its models beyond those of every audit to its last model.
void completeLast(Audit& audit, const AuditOptions& options, const JobContext& job) {
    const CurveRequest curves = curvesOfModels(*audit.result);
    auto last = std::make_shared<AuditResult>(*audit.result);
    last->models = {audit.result->models.back()};
    if (!audit.compat.empty())
        audit.compat.push_back(
            computeCompat(*last, *audit.compat.front().program, options, job.part({}, 0.0, 0.5)).front());
    if (curves.empty())
        return;
    auto complete = std::make_shared<AuditResult>(*audit.result);
    complete->curves = withCurves(last, curves, options, job.part({}, 0.5, 1.0))->curves;
    audit.result = complete;
}

/// The audit with one model more. The real set is not scored again.
Audit add(const Audit& audit, const nb::dict& model, const nb::dict& options, const nb::object& progress) {
    const SetRequest set = setRequest(model);
    const AuditOptions work = optionsOf(*audit.result, workOptions(options));
    return runJob(progress, [&](const JobContext& job) {
        constexpr double kRead = 0.05;
        const auto read = readModel(set, *audit.result, work.threads, job.part({}, 0.0, kRead));
        Audit more{addModels(*audit.result, {{set.name, read}}, work, job.part({}, kRead, 0.6)), audit.compat};
        completeLast(more, work, job.part({}, 0.6, 1.0));
        return more;
    });
}

/// The scores of a published program, which audit files do not hold: by model (program, [(name, values, is a curve)]).
nb::list compatOf(const Audit& audit) {
    nb::list models;
    for (const CompatResult& result : audit.compat) {
        nb::list metrics;
        for (const CompatValue& metric : result.metrics)
            metrics.append(nb::make_tuple(metric.name, metric.values, metric.isCurve));
        models.append(nb::make_tuple(result.program->id, metrics));
    }
    return models;
}

std::vector<CompatResult> compatFrom(const nb::list& models) {
    std::vector<CompatResult> results;
    for (const nb::handle model : models) {
        CompatResult result{findCompatProgram(nb::cast<std::string>(model[0])), {}};
        for (const nb::handle metric : model[1])
            result.metrics.push_back({nb::cast<std::string>(metric[0]), nb::cast<std::vector<double>>(metric[1]),
                                      nb::cast<bool>(metric[2])});
        if (result.program != nullptr)
            results.push_back(std::move(result));
    }
    return results;
}

/// @param compat as compatOf() returns it
Audit openAudit(const std::string& file, const nb::object& progress, const nb::list& compat) {
    return runJob(progress, [&, scores = compatFrom(compat)](const JobContext& job) {
        return Audit{readAuditFile(file, job), scores};
    });
}

std::string keptText(const FilterRules& rules, const KeptAudit& kept) {
    return withKeptAsJson(R"({"models":[{}]})", rules, {&kept, 1});
}

/// Audits what rules keep of a model. @return flags of the kept samples, and `kept` of the JSON of assay-score
nb::tuple keep(const Audit& audit, std::size_t model, const std::string& rules, const nb::dict& options,
               const nb::object& progress) {
    const SampleFilter filter{.rules = rulesFromJson(rules)};
    const AppliedFilter applied(*audit.result, model, filter);
    const AuditOptions work = workOptions(options);
    const KeptAudit kept =
        runJob(progress, [&](const JobContext& job) { return auditKept(*audit.result, model, filter, work, job); });
    nb::list flags;
    for (const bool flag : applied.kept())
        flags.append(flag);
    return nb::make_tuple(flags, keptText(filter.rules, kept));
}

/// Audits given samples of a model. @param flags a byte for each sample, not 0 for a kept one
/// @return `kept` of the JSON of assay-score
std::string keepSamples(const Audit& audit, std::size_t model, const nb::bytes& flags, const nb::dict& options,
                        const nb::object& progress) {
    std::vector<bool> chosen;
    for (std::size_t row = 0; row < flags.size(); ++row)
        chosen.push_back(flags.c_str()[row] != 0);
    const AuditOptions work = workOptions(options);
    const KeptAudit kept =
        runJob(progress, [&](const JobContext& job) { return auditKept(*audit.result, model, chosen, work, job); });
    return keptText({}, kept);
}

/// Checks what has to hold of an audit. @return a sentence for every condition and model that does not meet it
std::vector<std::string> unmet(const Audit& audit, const std::vector<std::string>& conditions, const std::string& rules,
                               const nb::object& progress) {
    std::vector<Requirement> requirements;
    requirements.reserve(conditions.size());
    for (const std::string& condition : conditions)
        requirements.push_back(withName("require", [&] { return parseRequirement(condition); }));
    const auto ofKept = std::ranges::find_if(requirements, &Requirement::kept);
    if (ofKept != requirements.end() && rules.empty())
        throw Error(ErrorKind::InvalidArgument, "require: expected rules beside '" + ofKept->text + "', found none");
    withName("require", [&] { return checkRequirements(*audit.result, requirements); }); // before the long part
    const AuditOptions work = workOptions(nb::dict());
    std::vector<KeptAudit> kept;
    if (ofKept != requirements.end())
        kept = runJob(progress, [&](const JobContext& job) {
            const SampleFilter filter{.rules = rulesFromJson(rules)};
            const std::size_t count = audit.result->models.size();
            std::vector<KeptAudit> all;
            for (std::size_t m = 0; m < count; ++m)
                all.push_back(auditKept(*audit.result, m, filter, work, job.step(m, count)));
            return all;
        });
    std::vector<std::string> sentences;
    for (const RequirementOutcome& outcome : checkRequirements(*audit.result, requirements, kept))
        if (!outcome.met)
            sentences.push_back(outcome.sentence);
    return sentences;
}

Decisions decisionsOf(const std::string& rules) {
    Decisions decisions;
    if (!rules.empty())
        decisions.rules = rulesFromJson(rules);
    return decisions;
}

/// Arrays that were lent may have been written to since: what is made of them now would belie the audit.
void requireUnchanged(const AuditResult& audit, const JobContext& job) {
    audit.real->set->requireUnchanged(job);
    for (const auto& model : audit.models)
        model->set->requireUnchanged(job);
    if (audit.heldOut)
        audit.heldOut->audit->set->requireUnchanged(job);
}

void report(const Audit& audit, const std::string& file, const std::string& rules, const nb::object& progress) {
    requireReportFile(file);
    const Decisions decisions = decisionsOf(rules);
    runJob(progress, [&](const JobContext& job) {
        requireUnchanged(*audit.result, job);
        ReportParts parts;
        parts.replayCommand = replayCommand(*audit.result);
        parts.appendix = Appendix::Written;
        const std::size_t count = rules.empty() ? 0 : audit.result->models.size();
        for (std::size_t m = 0; m < count; ++m)
            parts.decided.push_back(
                keptSamples(*audit.result, m, filterOf(decisions, m), optionsOf(*audit.result), job.step(m, count)));
        writeReport(*audit.result, parts, file, job.silent());
    });
}

void page(const Audit& audit, const std::string& file, std::size_t samples, const nb::object& progress) {
    runJob(progress, [&](const JobContext& job) {
        requireUnchanged(*audit.result, job);
        writeExplorePage(*audit.result, {.samples = samples}, file, job);
    });
}

/// A page of one model that is written at once, for a cell of a notebook.
void modelPage(const Audit& audit, std::size_t model, const std::string& file, std::size_t samples) {
    AuditResult alone = *audit.result;
    alone.models = {alone.models.at(model)};
    runJob(nb::none(), [&](const JobContext& job) {
        requireUnchanged(alone, job);
        writeExplorePage(alone, {.samples = samples, .plane = PageOptions::Plane::Components}, file, job);
    });
}

void save(const Audit& audit, const std::string& file, bool pack, const std::string& rules,
          const nb::object& progress) {
    const Decisions decisions = decisionsOf(rules);
    AuditFileOptions options;
    options.inputs = pack ? InputData::Packed : InputData::Referenced;
    append(options.history, utcText(std::chrono::system_clock::now()),
           std::string("Written by assay for Python ") + kVersion);
    runJob(progress, [&](const JobContext& job) {
        requireUnchanged(*audit.result, job);
        writeAuditFile(*audit.result, file, job, &decisions, options);
    });
}

std::vector<std::string> namesOf(const Audit& audit) {
    std::vector<std::string> names;
    for (const auto& model : audit.result->models)
        names.push_back(model->name);
    return names;
}

std::vector<std::string> readyRuleNames() {
    std::vector<std::string> names;
    for (const ReadyRule& ready : readyRules())
        names.emplace_back(ready.id);
    return names;
}

std::string readyRule(const std::string& name) {
    const ReadyRule* ready = findReadyRule(name);
    return ready == nullptr ? std::string() : rulesToJson(FilterRules{ready->rule});
}

/// What the catalogue says of every metric and column.
nb::dict catalog() {
    nb::dict all;
    const auto add = [&](const auto& rows) {
        for (const auto& row : rows) {
            nb::dict about;
            about["title"] = row.title;
            about["definition"] = row.definition;
            about["source"] = row.source;
            if constexpr (requires { row.words; }) {
                nb::list words;
                for (const std::string_view word : row.words)
                    words.append(word);
                about["words"] = words;
            }
            all[nb::cast(row.id)] = about;
        }
    };
    add(metricCatalog());
    add(columnCatalog());
    return all;
}

/// Scores of a set against a mean and covariance: of a file, or of arrays.
nb::dict frechet(const nb::object& reference, const nb::dict& samples, const nb::dict& options,
                 const nb::object& progress) {
    using Doubles = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;
    SetStatistics given{{}, {}, "the reference", {}};
    std::string file;
    if (nb::isinstance<nb::str>(reference)) {
        file = nb::cast<std::string>(reference);
    } else {
        const auto [mean, covariance] = nb::cast<std::pair<Doubles, Doubles>>(reference);
        given.mean.assign(mean.data(), mean.data() + mean.size());
        given.covariance.assign(covariance.data(), covariance.data() + covariance.size());
    }
    const SetRequest set = setRequest(samples);
    const Request work = withOptions({}, options);
    ReferenceScores scores = runJob(progress, [&](const JobContext& job) {
        if (!file.empty()) {
            std::optional<SetStatistics> read = readStatistics(file, job.silent());
            if (!read)
                throw Error(ErrorKind::BadInput,
                            file + ": expected mu and sigma in an .npz, or NAME.mu.npy beside NAME.cov.npy");
            given = std::move(*read);
        }
        const GaussianFit fit = gaussianOf(given, job.silent());
        const auto rows = readUnchanged(set, work.options.threads, job.part({}, 0.0, 0.2));
        return scoreAgainst(
            fit, given.file, rows->matrix(), set.name,
            {.seed = work.options.seed, .threads = work.options.threads, .job = job.part({}, 0.2, 1.0)});
    });
    nb::dict result;
    result["frechet_distance"] = scores.distance;
    result["frechet_infinity"] = scores.infinity.value;
    result["frechet_infinity_interval"] = nb::make_tuple(scores.infinity.low, scores.infinity.high);
    result["frechet_infinity_r2"] = scores.infinity.r2;
    const auto influence = std::make_shared<const std::vector<double>>(std::move(scores.influence));
    result["frechet_influence"] =
        nb::ndarray<nb::numpy, const double>(influence->data(), {influence->size()}, ownerOf(influence));
    return result;
}

const char* nameOf(ErrorKind kind) {
    switch (kind) {
    case ErrorKind::BadInput:
        return "bad_input";
    case ErrorKind::InvalidArgument:
        return "invalid_argument";
    case ErrorKind::NotEnoughMemory:
        return "not_enough_memory";
    case ErrorKind::WriteFailed:
        return "write_failed";
    case ErrorKind::DeviceFailed:
        break;
    }
    return "device_failed";
}

/// The engine's errors as assay.Error, which assay._errors defines.
void translate(const std::exception_ptr& thrown, void* /*payload*/) {
    try {
        std::rethrow_exception(thrown);
    } catch (const Error& error) {
        const nb::object make = nb::module_::import_("assay._errors").attr("of_engine");
        const nb::object value = make(error.what(), nameOf(error.kind()));
        PyErr_SetObject(value.type().ptr(), value.ptr());
    } catch (const Cancelled&) {
        PyErr_SetNone(PyExc_KeyboardInterrupt);
    }
}

} // namespace
} // namespace assay::python

NB_MODULE(_engine, module) {
    using namespace assay;
    using namespace assay::python;
    nb::register_exception_translator(translate);
    module.attr("version") = kVersion;
    module.attr("json_schema") = kJsonSchema;
    module.def("audit", &runRequest, nb::arg("real"), nb::arg("models"), nb::arg("held_out").none(), nb::arg("options"),
               nb::arg("progress").none());
    module.def("open", &openAudit, nb::arg("file"), nb::arg("progress").none(), nb::arg("compat") = nb::list());
    module.def("frechet", &frechet, nb::arg("reference"), nb::arg("samples"), nb::arg("options"),
               nb::arg("progress").none());
    module.def("ready_rules", &readyRuleNames);
    module.def("ready_rule", &readyRule);
    module.def("catalog", &catalog);
    nb::class_<Audit>(module, "Audit")
        .def_prop_ro("names", &namesOf)
        .def_prop_ro("has_held_out", [](const Audit& self) { return self.result->heldOut != nullptr; })
        .def("json", [](const Audit& self) { return scoresAsJson(*self.result, self.compat); })
        .def("table", [](const Audit& self) { return scoresAsTable(*self.result); })
        .def("csv",
             [](const Audit& self, std::size_t model, bool synthetic) {
                 return synthetic ? syntheticScoresAsCsv(*self.result, self.model(model))
                                  : realScoresAsCsv(*self.result, self.model(model));
             })
        .def("columns",
             [](const Audit& self, std::size_t model, bool synthetic) {
                 return columnsOf(self.result, self.model(model), synthetic ? Side::Synthetic : Side::Real);
             })
        .def("held_out_columns",
             [](const Audit& self) { return columnsOf(self.result, self.heldOut(), Side::Synthetic); })
        .def("held_out_samples", [](const Audit& self) { return samplesOf(*self.heldOut().set); })
        .def("real_samples", [](const Audit& self) { return samplesOf(*self.result->real->set); })
        .def("samples", [](const Audit& self, std::size_t model) { return samplesOf(*self.model(model).set); })
        .def("neighbors",
             [](const Audit& self, std::size_t model) { return neighborsOf(self.result, self.model(model)); })
        .def("finding_pictures",
             [](const Audit& self, std::size_t model) { return findingPictures(*self.result, self.model(model)); })
        .def("explain",
             [](const Audit& self, std::size_t model, std::uint32_t row, bool synthetic) {
                 const SampleId sample = synthetic ? SampleId{syntheticSet(model), row} : SampleId{SetId::Real, row};
                 return explainSample(*self.result, model, sample);
             })
        .def("keep", &keep, nb::arg("model"), nb::arg("rules"), nb::arg("options"), nb::arg("progress").none())
        .def("keep_samples", &keepSamples, nb::arg("model"), nb::arg("flags"), nb::arg("options"),
             nb::arg("progress").none())
        .def("unmet", &unmet, nb::arg("conditions"), nb::arg("rules"), nb::arg("progress").none())
        .def("add", &add, nb::arg("model"), nb::arg("options"), nb::arg("progress").none())
        .def_prop_ro("compat", &compatOf)
        .def("report", &report, nb::arg("file"), nb::arg("rules"), nb::arg("progress").none())
        .def("page", &page, nb::arg("file"), nb::arg("samples"), nb::arg("progress").none())
        .def("model_page", &modelPage, nb::arg("model"), nb::arg("file"), nb::arg("samples"))
        .def("save", &save, nb::arg("file"), nb::arg("pack"), nb::arg("rules"), nb::arg("progress").none());
}
