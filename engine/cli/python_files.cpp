#include "engine/cli/python_files.h"

#include "engine/base/error.h"
#include "engine/cli/score_arguments.h"
#include "engine/io/files/file_spec.h"
#include "engine/io/files/refusal.h"
#include "engine/io/sets/python_converter.h"

#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

namespace assay {
namespace {

/// In a build tree as where Assay is installed.
std::string convertScript() {
    std::error_code ignored;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", ignored);
    return (program.parent_path() / ASSAY_CONVERT_FROM_BIN).lexically_normal().string();
}

void convert(SetFiles& files, const ScoreArguments& arguments, const JobContext& job) {
    const bool readsSome = parseFileSpec(files.embeddings).file.ends_with(".h5ad"); // its matrix, without classes
    if (files.embeddings.empty() || !needsPython(files.embeddings) || (readsSome && arguments.python.empty()))
        return;
    PythonConverter converter{arguments.python, convertScript(), conversionFolder()};
    if (converter.python.empty()) {
        converter.python = "python3";
        throw Error(ErrorKind::BadInput,
                    files.embeddings +
                        ": expected a file that Assay reads itself, found one for a library of Python; "
                        "with --python python3 this is run first, and its result kept: " +
                        conversionCommand(converter, files.embeddings));
    }
    if (!arguments.quiet)
        std::fprintf(stderr, "assay-score: note: running %s\n",
                     printable(conversionCommand(converter, files.embeddings), 2000).c_str());
    files = convertedByPython(std::move(files), converter, job);
}

} // namespace

ScoreArguments withPythonFiles(ScoreArguments arguments, const JobContext& job) {
    convert(arguments.real, arguments, job);
    for (SyntheticArgument& model : arguments.synthetic)
        convert(model.files, arguments, job);
    convert(arguments.heldOut, arguments, job);
    return arguments;
}

} // namespace assay
