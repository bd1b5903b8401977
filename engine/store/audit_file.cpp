#include "engine/store/audit_file.h"

#include "engine/audit/findings/findings.h"
#include "engine/audit/result/audit_result.h"
#include "engine/base/atomic_file.h"
#include "engine/base/error.h"
#include "engine/data/embedding_set.h"
#include "engine/demo/demo.h"
#include "engine/io/sets/read_embeddings.h"
#include "engine/store/audit_fields.h"
#include "engine/store/audit_parts.h"
#include "engine/store/decisions.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {
namespace {

namespace fs = std::filesystem;

// Views for users and other programs; this program reads only the tables below the views.
const char* const kViews = R"sql(
CREATE VIEW model AS
    SELECT CAST(substr(path, 8, instr(substr(path, 8), '/') - 1) AS INTEGER) AS number, value AS name
    FROM value WHERE path GLOB 'models/*/name' ORDER BY number;
CREATE VIEW metric AS
    SELECT model.name AS model, substr(v.path, length('models/' || model.number || '/metrics/') + 1) AS id, v.value AS value,
        (SELECT value FROM value WHERE path = replace(v.path, '/metrics/', '/low/')) AS low,
        (SELECT value FROM value WHERE path = replace(v.path, '/metrics/', '/high/')) AS high
    FROM model JOIN value v ON v.path GLOB 'models/' || model.number || '/metrics/*';
)sql";

/// In front of the version that computed an audit.
const std::string kProgram = "Assay ";

/// Recorded origin of a set.
struct Input {
    std::string role, name, file, beside, key, sha256;
    std::int64_t rows = 0, dim = 0;
};

Input inputOf(const std::string& role, const EmbeddingSet& set, const fs::path& folder) {
    const FileSpec given = parseFileSpec(set.source().file); // without a key when the user gave none
    Input input{role, set.name(), {}, {}, given.key, set.source().sha256};
    input.rows = static_cast<std::int64_t>(set.rows());
    input.dim = static_cast<std::int64_t>(set.dim());
    if (given.file.empty()) // generated
        return input;
    std::error_code ignored;
    // Arrays of another program lie in no file; their name is no path.
    input.file =
        fs::exists(given.file, ignored) ? fs::absolute(given.file, ignored).lexically_normal().string() : given.file;
    input.beside = fs::path(input.file).lexically_proximate(folder).string();
    return input;
}

void writeInputs(Database& database, const AuditResult& audit, const fs::path& folder) {
    database.run(
        "CREATE TABLE input(id INTEGER PRIMARY KEY, role TEXT NOT NULL, name TEXT NOT NULL, file TEXT NOT NULL, "
        "beside TEXT NOT NULL, key TEXT NOT NULL, sha256 TEXT NOT NULL, rows INTEGER NOT NULL, "
        "dim INTEGER NOT NULL)");
    std::vector<Input> inputs{inputOf("real", *audit.real->set, folder)};
    for (const auto& model : audit.models)
        inputs.push_back(inputOf("synthetic", *model->set, folder));
    if (audit.heldOut)
        inputs.push_back(inputOf("held_out", *audit.heldOut->audit->set, folder));
    Statement insert = database.prepare("INSERT INTO input VALUES(NULL, ?, ?, ?, ?, ?, ?, ?, ?)");
    for (const Input& input : inputs)
        insert.runWith(input.role, input.name, input.file, input.beside, input.key, input.sha256, input.rows,
                       input.dim);
}

std::vector<Input> readInputs(Database& database) {
    std::vector<Input> inputs;
    Statement rows = database.prepare("SELECT role, name, file, beside, key, sha256, rows, dim FROM input ORDER BY id");
    while (rows.step())
        inputs.push_back({rows.text(0), rows.text(1), rows.text(2), rows.text(3), rows.text(4), rows.text(5),
                          rows.integer(6), rows.integer(7)});
    return inputs;
}

/// Reads the inputs of an audit file.
class Inputs {
public:
    Inputs(std::string file, ValueReader& values, const InputReader& read)
        : file_(std::move(file)), values_(values), read_(read), preparation_(store::readPreparation(values)) {
        if (!read_)
            read_ = [](const SetFiles& files, const PreparationPtr& preparation, const JobContext& job) {
                ReadOptions options;
                options.preparation = preparation;
                return readSet(files, job, options);
            };
    }

    /// @param path path of the set in the audit file
    std::shared_ptr<const EmbeddingSet> read(const Input& input, const std::string& path, const JobContext& job) {
        auto set = store::hasPacked(values_, path) ? packed(input, path, job)
                   : input.file.empty()            ? generated(input, job)
                                                   : fromFile(input, path, job);
        if (static_cast<std::int64_t>(set->rows()) != input.rows || static_cast<std::int64_t>(set->dim()) != input.dim)
            throw Error(ErrorKind::BadInput, fmt::format("{}: expected {} to have {} rows, found {}", file_, input.name,
                                                         input.rows, set->rows()));
        return set;
    }

private:
    std::shared_ptr<const EmbeddingSet> packed(const Input& input, const std::string& path,
                                               const JobContext& job) const {
        const std::string source = input.key.empty() ? input.file : input.file + ":" + input.key;
        return store::readPacked(values_,
                                 {file_, path, input.name, source, input.sha256, static_cast<std::size_t>(input.rows),
                                  static_cast<std::size_t>(input.dim), preparation_},
                                 job);
    }

    std::shared_ptr<const EmbeddingSet> generated(const Input& input, const JobContext& job) {
        if (!demo_)
            demo_ = makeDemo(job);
        std::vector<std::shared_ptr<const EmbeddingSet>> sets = demo_->models;
        sets.push_back(demo_->real);
        for (const auto& set : sets)
            if (set->source().sha256 == input.sha256)
                return set;
        throw Error(ErrorKind::BadInput, file_ + ": expected a set of the built-in demo for " + input.name +
                                             ", found that this program makes others");
    }

    std::shared_ptr<const EmbeddingSet> fromFile(const Input& input, const std::string& path,
                                                 const JobContext& job) const {
        const fs::path folder = fs::absolute(file_).parent_path();
        std::string changed;
        for (const fs::path& place :
             {fs::path(input.file), folder / input.beside, folder / fs::path(input.file).filename()}) {
            std::error_code ignored;
            if (!fs::exists(place, ignored) || place.string() == changed)
                continue;
            SetFiles files{input.key.empty() ? place.string() : place.string() + ":" + input.key};
            store::readBeside(values_, path, file_, files);
            auto set = read_(files, preparation_, job);
            if (set->source().sha256 == input.sha256)
                return set;
            changed = place.string();
        }
        if (changed.empty())
            throw Error(ErrorKind::BadInput, input.file + ": expected an input of " + file_ +
                                                 ", found no such file; it may also lie beside the audit file");
        throw Error(ErrorKind::BadInput, changed + ": expected the file that " + file_ + " was made of (SHA-256 " +
                                             input.sha256.substr(0, 12) + "), found one that has changed since");
    }

    std::string file_;
    ValueReader& values_;
    InputReader read_;
    PreparationPtr preparation_; ///< common to all inputs
    std::optional<Demo> demo_;
};

/// Folders that only number their files were taken for classes once. The sets have no classes now, so that what was
/// computed of them is left out.
void dropLostClasses(const RealAnalysis& real, ModelAudit& model) {
    if (!real.set->hasLabels())
        model.classMeans.reset();
}

/// Writes the embeddings in which alpha-precision and beta-recall are evaluated, if the audit has them.
void writeEvaluation(ValueWriter& values, const RealDescription& described) {
    store::scales(values, "real", described.scales);
    if (described.centre)
        store::centre(values, "real/identity", *described.centre);
    if (!described.oneClass)
        return;
    const std::span<const float> weights = described.oneClass->model.network.weights();
    values.array("real/one_class/weights", std::vector<float>(weights.begin(), weights.end()));
    store::oneClass(values, "real/one_class", *described.oneClass);
}

/// @return null when the audit has only the neighbour tables
std::shared_ptr<const RealDescription> readEvaluation(ValueReader& values, const RealAnalysis& real) {
    const std::size_t rows = real.set->rows();
    const auto requireRows = [&](const std::string& path, const RealCentre& centre) {
        if (centre.distance.size() != rows || centre.ascending.size() != rows ||
            centre.centre.size() != real.set->dim())
            values.refuse(path,
                          fmt::format("expected distances of {} samples, found {}", rows, centre.distance.size()));
    };
    if (!values.hasArray("real/identity/centre"))
        return nullptr;
    auto described = std::make_shared<RealDescription>();
    store::scales(values, "real", described->scales);
    described->hardware = real.hardware;
    auto centre = std::make_shared<RealCentre>();
    store::centre(values, "real/identity", *centre);
    requireRows("real/identity", *centre);
    described->centre = std::move(centre);
    if (!values.hasArray("real/one_class/weights"))
        return described;
    std::vector<float> weights;
    values.array("real/one_class/weights", weights);
    if (weights.size() != OneClassNetwork::weightCount(real.set->dim()))
        values.refuse("real/one_class/weights",
                      "expected as many as the network has, found " + std::to_string(weights.size()));
    auto trained = std::make_shared<RealOneClass>(
        RealOneClass{OneClassModel{OneClassNetwork(real.set->dim(), std::move(weights)), {}, 0, 0, {}}, {}, {}});
    store::oneClass(values, "real/one_class", *trained);
    requireRows("real/one_class", trained->centre);
    described->oneClass = std::move(trained);
    return described;
}

void writeModel(ValueWriter& values, const std::string& path, const ModelAudit& model) {
    store::model(values, path, model);
    store::writeBeside(values, path, model.set->source());
    store::writeScores(values, path, model);
}

void packInputs(ValueWriter& values, const AuditResult& audit, const JobContext& job) {
    const double step = 1.0 / static_cast<double>(audit.models.size() + (audit.heldOut ? 2 : 1));
    double done = 0.0;
    const auto pack = [&](const std::string& path, const EmbeddingSet& set) {
        store::writePacked(values, path, set, job.part("Packing " + set.name(), done, done + step));
        done += step;
    };
    pack("real", *audit.real->set);
    for (std::size_t m = 0; m < audit.models.size(); ++m)
        pack("models/" + std::to_string(m), *audit.models[m]->set);
    if (audit.heldOut)
        pack("held_out", *audit.heldOut->audit->set);
}

/// Rolls back an interrupted write to the file that will be replaced. Otherwise, SQLite would apply its journal to the
/// new file.
void rollBackJournal(const std::string& file) {
    const std::string journal = file + "-journal";
    std::error_code ignored;
    if (!fs::exists(journal, ignored))
        return;
    isAuditFile(file); // opening the file rolls the journal back
    fs::remove(journal, ignored);
}

/// Opens an audit file and checks that this program can read its version.
/// @throws Error{BadInput} otherwise
Database openAuditFile(const std::string& file, const JobContext& job = {}) {
    std::error_code ignored;
    if (!fs::exists(file, ignored))
        throw Error(ErrorKind::BadInput, file + ": expected an audit file, found no such file");
    const auto refuse = [&](const std::string& found) {
        return Error(ErrorKind::BadInput, file + ": expected an audit file of Assay, found " + found);
    };
    const auto open = [&] {
        try {
            return Database(file, Database::Mode::Read, {}, job);
        } catch (const Error& error) {
            const bool damaged = std::string_view(error.what()).find("damaged") != std::string_view::npos;
            throw refuse(damaged ? "a damaged one" : "something else");
        }
    };
    Database database = open();
    if (database.number("PRAGMA application_id") != kAuditFileId)
        throw refuse("another program's file");
    // In their place a view may run for ever.
    if (database.number("SELECT count(*) FROM sqlite_schema WHERE type = 'trigger' OR (type <> 'table' AND name IN "
                        "('input', 'value', 'array', 'decision', 'history'))") > 0)
        throw refuse("one with a view or a trigger in place of a table");
    const std::int64_t version = database.number("PRAGMA user_version");
    if (version > kAuditFileVersion)
        throw refuse(fmt::format(
            "one of a newer Assay (version {} of the file, this program reads up to {}); open it with a newer Assay",
            version, kAuditFileVersion));
    return database;
}

/// The oldest version whose programs read the file as it is meant.
std::int64_t versionFor(const AuditResult& audit) {
    const ValuePreparation& preparation = *audit.real->set->preparation();
    const bool hasGroups = audit.real->set->hasGroups() || (audit.heldOut && audit.heldOut->audit->set->hasGroups()) ||
                           std::ranges::any_of(audit.models, [](const auto& model) { return model->set->hasGroups(); });
    if (hasGroups)
        return kAuditFileVersion;
    const bool isNew = preparation.missing == Missing::Indicate || !preparation.dates.empty() ||
                       !preparation.ignoredColumns.empty() || !preparation.rowNumbers.empty();
    if (!preparation.columnKinds.empty())
        return kColumnsAuditFileVersion;
    return isNew ? kTablesAuditFileVersion : preparation.isNone() ? kPlainAuditFileVersion : kPreparedAuditFileVersion;
}

} // namespace

bool isAuditFile(const std::string& file) noexcept {
    try {
        Database database(file, Database::Mode::Read);
        return database.number("PRAGMA application_id") == kAuditFileId;
    } catch (const std::exception&) {
        return false;
    }
}

void requireAuditFile(const std::string& file) {
    if (!isAuditFile(file))
        throw Error(ErrorKind::BadInput, file + ": expected the audit file that was opened, found it gone or replaced");
}

InputData inputDataOf(const std::string& file, const JobContext& job) {
    Database database = openAuditFile(file, job);
    return database.number("SELECT count(*) FROM array WHERE path = 'real/packed/embeddings'") > 0
               ? InputData::Packed
               : InputData::Referenced;
}

void writeAuditFile(const AuditResult& audit, const std::string& file, const JobContext& job,
                    const Decisions* decisions, const AuditFileOptions& options) {
    if (!audit.real->set->isWhole())
        throw Error(ErrorKind::InvalidArgument,
                    file + ": expected an audit of one process, found one that several share");
    AtomicFile atomic(file);
    {
        Database database(atomic.temporaryName(), Database::Mode::Create, file);
        // No other program knows the temporary file, and an incomplete one is removed.
        database.run(fmt::format(
            "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA page_size = 16384;PRAGMA application_id = "
            "{}; PRAGMA user_version = {}",
            kAuditFileId, versionFor(audit)));
        Transaction transaction(database);
        std::error_code ignored;
        writeInputs(database, audit, fs::absolute(file, ignored).parent_path());
        ValueWriter values(database);
        values.text("program", kProgram + audit.computedBy);
        values.text("created", utcText(std::chrono::system_clock::now()));
        store::parameters(values, audit);
        store::writePreparation(values, *audit.real->set->preparation());
        store::realSet(values, "real", *audit.real);
        store::writeBeside(values, "real", audit.real->set->source());
        writeEvaluation(values, audit.described ? *audit.described : RealDescription{});
        const std::size_t models = audit.models.size();
        const double scored = options.inputs == InputData::Packed ? 0.1 : 1.0; // share of the work
        values.number("models", models);
        for (std::size_t m = 0; m < models; ++m) {
            job.checkpoint(scored * static_cast<double>(m) / static_cast<double>(models + 1));
            const std::string path = "models/" + std::to_string(m);
            writeModel(values, path, *audit.models[m]);
        }
        if (audit.heldOut)
            writeModel(values, "held_out", *audit.heldOut->audit);
        store::writeRequestedCurves(values, audit.curves);
        if (options.inputs == InputData::Packed)
            packInputs(values, audit, job.part({}, scored, 1.0));
        values.finish();
        createDecisions(database, decisions != nullptr ? *decisions : Decisions{});
        writeHistory(database, options.history);
        database.run(kViews);
        transaction.commit();
    }
    job.throwIfStopped();
    rollBackJournal(file);
    atomic.commit();
}

std::shared_ptr<const AuditResult> readAuditFile(const std::string& file, const JobContext& job,
                                                 const InputReader& read) {
    Database database = openAuditFile(file, job);
    const std::vector<Input> inputs = readInputs(database);
    ValueReader values(database);
    Inputs sets(file, values, read);
    auto audit = std::make_shared<AuditResult>();
    store::parameters(values, *audit);
    std::string program;
    values.text("program", program);
    audit->computedBy = program.substr(program.starts_with(kProgram) ? kProgram.size() : 0);
    std::size_t models = 0;
    values.number("models", models);
    const bool heldOut = !inputs.empty() && inputs.back().role == "held_out";
    if (inputs.size() != models + (heldOut ? 2 : 1))
        throw Error(ErrorKind::BadInput, file + ": expected an input for each of " + std::to_string(models) +
                                             " models and the real set, found " + std::to_string(inputs.size()));
    const double step = 1.0 / static_cast<double>(inputs.size());
    const auto part = [&](std::size_t i) {
        return job.part("Reading " + inputs[i].name, static_cast<double>(i) * step, static_cast<double>(i + 1) * step);
    };
    auto real = std::make_shared<RealAnalysis>();
    real->set = sets.read(inputs[0], "real", part(0));
    store::realSet(values, "real", *real);
    store::requireConsistent(file, *real);
    audit->described = readEvaluation(values, *real);
    audit->real = real;
    const auto readModel = [&](const std::string& path, std::size_t input) {
        auto model = std::make_shared<ModelAudit>();
        model->set = sets.read(inputs[input], path, part(input));
        store::model(values, path, *model);
        store::readScores(values, path, *model);
        dropLostClasses(*real, *model);
        store::requireConsistent(file, *real, *model);
        model->diagnostics = diagnose(*real, *model->tables, audit->k);
        // Files of earlier versions have no examples.
        const FindingInputs in{*real, audit->described.get(), nullptr, *model, audit->falseDiscoveryRate};
        model->findings = withExamples(model->findings, model->findings, in, {audit->seed, 0, job.silent()});
        return model;
    };
    for (std::size_t m = 0; m < models; ++m)
        audit->models.push_back(readModel("models/" + std::to_string(m), m + 1));
    if (heldOut) {
        auto analysis = std::make_shared<HeldOutAnalysis>();
        analysis->audit = readModel("held_out", models + 1);
        audit->heldOut = std::move(analysis);
    }
    audit->curves = store::readRequestedCurves(values);
    return audit;
}

} // namespace assay
