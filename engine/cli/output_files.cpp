#include "engine/cli/output_files.h"

#include "engine/base/atomic_file.h"
#include "engine/base/error.h"
#include "engine/io/files/refusal.h"
#include "engine/io/sets/read_embeddings.h"

#include <algorithm>
#include <system_error>
#include <unistd.h>

namespace assay {
namespace {

namespace fs = std::filesystem;

/// Normalised path of a file, so that equal files compare equal, even when they do not exist yet.
fs::path oneSpelling(const std::string& file) {
    std::error_code ignored;
    const fs::path absolute = fs::absolute(file, ignored);
    const fs::path canonical = fs::weakly_canonical(absolute, ignored);
    return canonical.empty() ? absolute.lexically_normal() : canonical;
}

/// Whether a file that exists lies in a folder or below it.
bool isFileOf(const fs::path& folder, const std::string& file) {
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored) || !fs::is_regular_file(file, ignored))
        return false;
    const fs::path relative = oneSpelling(file).lexically_relative(oneSpelling(folder.string()));
    return !relative.empty() && *relative.begin() != "..";
}

} // namespace

OutputFiles::OutputFiles(const ScoreArguments& arguments)
    : inputs_{arguments.bad, arguments.replay, arguments.manifest, arguments.externalFile} {
    inputs_.insert(inputs_.end(), arguments.ruleFiles.begin(), arguments.ruleFiles.end());
    inputs_.insert(inputs_.end(), arguments.sampleScores.begin(), arguments.sampleScores.end());
    const auto add = [this](const SetFiles& files) {
        inputs_.insert(inputs_.end(), {files.embeddings, files.pictures, files.labels});
    };
    add(arguments.real);
    add(arguments.heldOut);
    for (const SyntheticArgument& model : arguments.synthetic)
        add(model.files);
    if (arguments.open != arguments.out) // an opened audit file may be written again
        inputs_.push_back(arguments.open);
}

void OutputFiles::add(const std::string& what, const std::string& file) {
    if (file.empty())
        return;
    const auto refuse = [&](const std::string& found) {
        throw Error(ErrorKind::WriteFailed,
                    printable(file, 400) + ": expected a file of its own for " + what + ", found " + found);
    };
    std::error_code ignored;
    for (const std::string& input : inputs_) {
        if (input.empty())
            continue;
        const std::string given = parseFileSpec(input).file;
        if (fs::equivalent(file, given, ignored))
            refuse("an input");
        if (isFileOf(given, file))
            refuse("a file of the input " + printable(given, 400));
    }
    if (isStream(file)) // a stream may serve several outputs
        return;
    const auto [other, added] = taken_.emplace(oneSpelling(file), what);
    if (!added)
        refuse("that of " + other->second);
}

void OutputFiles::addTables(const std::string& folder, const std::vector<std::string>& models) {
    if (folder.empty())
        return;
    for (const std::string& model : models)
        for (const Side side : {Side::Synthetic, Side::Real})
            add("--csv (model '" + printable(model) + "')", csvFile(folder, model, side));
}

void requireFolder(const std::string& folder) {
    std::error_code ignored;
    fs::path there = fs::absolute(folder, ignored);
    while (!fs::exists(there, ignored) && there.has_relative_path())
        there = there.parent_path();
    if (!fs::is_directory(there, ignored))
        throw Error(ErrorKind::WriteFailed, folder + ": expected a folder, found the file " + there.string());
    if (::access(there.c_str(), W_OK | X_OK) != 0)
        throw Error(ErrorKind::WriteFailed, folder + ": expected a folder to write to, found that " + there.string() +
                                                " may not be written to");
}

std::string csvFile(const std::string& folder, std::string model, Side side) {
    std::ranges::replace(model, '/', '_');
    model += side == Side::Synthetic ? ".synthetic.csv" : ".real.csv";
    return (fs::path(folder) / model).string();
}

} // namespace assay
