#include "engine/cli/python_files.h"

#include "engine/base/error.h"
#include "engine/cli/score_arguments.h"
#include "engine/io/files/refusal.h"
#include "engine/io/files/terminal.h"
#include "engine/io/sets/python_converter.h"

#include <utility>

namespace assay {
namespace {

void convert(SetFiles& files, const ScoreArguments& arguments, const JobContext& job) {
    if (files.embeddings.empty() || !needsPython(files.embeddings) ||
        (isReadInPart(files.embeddings) && arguments.python.empty()))
        return;
    PythonConverter converter = installedConverter(arguments.python);
    if (converter.python.empty()) {
        converter.python = "python3";
        throw Error(ErrorKind::BadInput,
                    files.embeddings +
                        ": expected a file that Assay reads itself, found one for a library of Python; "
                        "with --python python3 this is run first, and its result kept: " +
                        conversionCommand(converter, files.embeddings));
    }
    if (!arguments.quiet)
        printMessage("assay-score: note", "running " + printable(conversionCommand(converter, files.embeddings), 2000));
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
