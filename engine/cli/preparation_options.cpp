#include "engine/cli/preparation_options.h"

#include "engine/cli/score_arguments.h"

#include <CLI/CLI.hpp>

#include <string>

namespace assay {

std::vector<CLI::Option*> addPreparationOptions(CLI::App& app, ScoreArguments& arguments) {
    const std::string group = "How files are taken";
    CLI::Option* scale =
        app.add_option_function<std::string>(
               "--scale", [&](const std::string& text) { arguments.choice.scaling = scalingOf(text).value(); },
               "Bring the features to one scale, fitted on the real set: none, zscore (columns), pca-whiten, l2 (rows)")
            ->default_str("none")
            ->check([](const std::string& text) {
                const auto known = scalingOf(text);
                return known && isChoice(*known) ? std::string()
                                                 : "expected none, zscore, pca-whiten or l2, found " + text;
            })
            ->type_name("NAME")
            ->group(group);
    CLI::Option* oneHot =
        app.add_flag("--one-hot", arguments.choice.oneHot,
                     "Tables: columns of text become columns of 0 and 1, one per category of the real set and one for "
                     "all other texts; numbers are z-scored unless --scale says otherwise")
            ->group(group);
    CLI::Option* dropNan = app.add_flag("--drop-nan", arguments.choice.dropsNotFinite,
                                        "Leave out rows with values that are not finite, and list them")
                               ->group(group);
    return {scale, oneHot, dropNan};
}

} // namespace assay
