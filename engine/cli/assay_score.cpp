// assay-score: the audit without a display, for scripts, clusters and machines without one.
#include "engine/audit/audit.h"
#include "engine/audit/score_output.h"
#include "engine/cli/interrupt.h"
#include "engine/cli/lost_input.h"
#include "engine/cli/progress_bar.h"
#include "engine/cli/score_arguments.h"
#include "engine/data/embedding_set.h"
#include "engine/demo/demo.h"
#include "engine/io/atomic_file.h"
#include "engine/io/read_embeddings.h"
#include "engine/job/error.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <new>
#include <string>
#include <unistd.h>
#include <vector>

namespace assay {
namespace {

constexpr int kBadInputExit = kLostInputExit;
constexpr int kNotEnoughMemoryExit = 4;

AuditRequest loadDemo(const JobContext& job) {
    const Demo demo = makeDemo(job);
    AuditRequest request;
    request.real = demo.real;
    for (const auto& model : demo.models)
        request.models.push_back({model->name(), model});
    return request;
}

AuditRequest loadFiles(const ScoreArguments& arguments, const JobContext& job) {
    // Large files are mapped: this program runs for minutes, checks at the end that they stayed as they were, and is
    // prepared for one that is cut short (endOnLostInput).
    ReadOptions options;
    options.mapFrom = ReadOptions::mapLargeFiles;
    options.threads = arguments.options.threads;
    const double share = 1.0 / static_cast<double>(arguments.synthetic.size() + 1);
    AuditRequest request;
    request.real = readEmbeddings(arguments.real, job.part({}, 0.0, share), options);
    for (std::size_t m = 0; m < arguments.synthetic.size(); ++m) {
        const SyntheticArgument& model = arguments.synthetic[m];
        const double begin = share * static_cast<double>(m + 1);
        request.models.push_back({model.name, readEmbeddings(model.file, job.part({}, begin, begin + share), options)});
    }
    return request;
}

/// A model's name as a file name: whatever would lead into another folder is replaced.
std::string fileNameOf(std::string name) {
    std::replace(name.begin(), name.end(), '/', '_');
    return name;
}

void writeCsv(const AuditResult& audit, const std::string& folder) {
    std::error_code code;
    std::filesystem::create_directories(folder, code);
    if (code)
        throw Error(ErrorKind::WriteFailed, folder + ": expected a folder to write to, found: " + code.message());
    for (const auto& model : audit.models) {
        const std::string stem = (std::filesystem::path(folder) / fileNameOf(model->name)).string();
        writeFileAtomically(stem + ".synthetic.csv", syntheticScoresAsCsv(*model));
        writeFileAtomically(stem + ".real.csv", realScoresAsCsv(audit, *model));
    }
}

void print(const std::string& text) {
    if (std::fputs(text.c_str(), stdout) < 0 || std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
        throw Error(ErrorKind::WriteFailed, "standard output: expected room to write, found none");
}

void writeOutputs(const AuditResult& audit, const ScoreArguments& arguments) {
    if (arguments.json == "-")
        print(scoresAsJson(audit));
    else if (!arguments.json.empty())
        writeFileAtomically(arguments.json, scoresAsJson(audit));
    if (!arguments.csv.empty())
        writeCsv(audit, arguments.csv);
    if (!arguments.quiet && arguments.json != "-")
        print(scoresAsTable(audit));
}

/// What can be known to fail before minutes of work are spent: an output that would replace an input, a folder that is
/// not there. Writes nothing.
void checkOutputs(const ScoreArguments& arguments) {
    namespace fs = std::filesystem;
    std::error_code ignored;
    if (!arguments.json.empty() && arguments.json != "-") {
        std::vector<std::string> inputs{arguments.real};
        for (const SyntheticArgument& model : arguments.synthetic)
            inputs.push_back(model.file);
        for (const std::string& input : inputs)
            if (fs::equivalent(arguments.json, parseFileSpec(input).file, ignored))
                throw Error(ErrorKind::WriteFailed,
                            arguments.json + ": expected a file of its own for the output, found " + "an input");
        const fs::path folder = fs::absolute(arguments.json, ignored).parent_path();
        if (!fs::is_directory(folder, ignored))
            throw Error(ErrorKind::WriteFailed,
                        arguments.json + ": expected the folder " + folder.string() + ", found none");
    }
    if (!arguments.csv.empty() && fs::exists(arguments.csv, ignored) && !fs::is_directory(arguments.csv, ignored))
        throw Error(ErrorKind::WriteFailed, arguments.csv + ": expected a folder, found a file");
}

/// Tells what was left out on reading.
void printNotes(const AuditRequest& request) {
    const auto printFor = [](const EmbeddingSet& set) {
        for (const std::string& note : set.source().notes)
            std::fprintf(stderr, "assay-score: note: %s\n", note.c_str());
    };
    printFor(*request.real);
    for (const AuditModel& model : request.models)
        printFor(*model.set);
}

int exitCodeOf(ErrorKind kind) {
    return kind == ErrorKind::NotEnoughMemory ? kNotEnoughMemoryExit : kBadInputExit;
}

int run(const ScoreArguments& arguments, const Interrupt& interrupt) {
    ProgressBar bar(!arguments.quiet && isatty(STDERR_FILENO) == 1);
    try {
        checkOutputs(arguments);
        const JobContext job(interrupt.token(), [&bar](const Progress& progress) { bar.show(progress); });
        // Drawing the demo takes as long as auditing it; reading files is a small part at any size worth waiting for.
        const double loaded = arguments.demo ? 0.5 : 0.03;
        const JobContext loading = job.part({}, 0.0, loaded);
        AuditRequest request = arguments.demo ? loadDemo(loading) : loadFiles(arguments, loading);
        request.options = arguments.options;
        if (!arguments.quiet) {
            bar.wipe();
            printNotes(request);
        }
        const auto audit = runAudit(request, job.part({}, loaded, 1.0));
        bar.wipe();
        writeOutputs(*audit, arguments);
        return 0;
    } catch (const Cancelled&) {
        bar.wipe();
        std::fputs("assay-score: interrupted\n", stderr);
        return interrupt.exitCode();
    } catch (const Error& error) {
        bar.wipe();
        std::fprintf(stderr, "assay-score: %s\n", error.what());
        return exitCodeOf(error.kind());
    } catch (const std::bad_alloc&) {
        bar.wipe();
        std::fputs("assay-score: not enough memory for these sets\n", stderr);
        return kNotEnoughMemoryExit;
    } catch (const std::exception& error) { // a library's own words: better than none, and than an abort
        bar.wipe();
        std::fprintf(stderr, "assay-score: %s\n", error.what());
        return kBadInputExit;
    }
}

} // namespace
} // namespace assay

int main(int argc, char** argv) {
    int exitCode = 0;
    const auto arguments = assay::parseScoreArguments(argc, argv, exitCode);
    if (!arguments)
        return exitCode;
    assay::endOnLostInput();
    const assay::Interrupt interrupt;
    return assay::run(*arguments, interrupt);
}
