#include "engine/cli/set_options.h"

#include "engine/cli/score_arguments.h"
#include "engine/io/readers/format_table.h"
#include "engine/io/sets/manifest.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

namespace assay {
namespace {

/// Assigns `NAME=FILE` to the model of that name, or `FILE` to the only model.
void applyTo(ScoreArguments& arguments, const std::string& option, const std::vector<std::string>& texts,
             std::string SetFiles::*member) {
    for (const std::string& text : texts) {
        const std::size_t equals = text.find('=');
        const auto named = std::ranges::find_if(arguments.synthetic, [&](const SyntheticArgument& model) {
            return equals != std::string::npos && model.name == text.substr(0, equals);
        });
        if (named != arguments.synthetic.end() && equals + 1 < text.size())
            named->files.*member = text.substr(equals + 1);
        else if (arguments.synthetic.size() == 1)
            arguments.synthetic.front().files.*member = text;
        else
            throw CLI::ValidationError(option, "expected NAME=FILE with the name of a synthetic set, found " + text);
    }
}

/// Separates a value without a model's name that is no file: a column of every set that has it.
/// @return the other values
std::vector<std::string> takeGroupColumn(ScoreArguments& arguments, const std::vector<std::string>& texts) {
    std::vector<std::string> others;
    for (const std::string& text : texts) {
        const std::size_t equals = text.find('=');
        const bool isNamed = equals != std::string::npos &&
                             std::ranges::any_of(arguments.synthetic, [&](const SyntheticArgument& model) {
                                 return model.name == text.substr(0, equals);
                             });
        std::error_code ignored;
        if (isNamed || std::filesystem::exists(parseFileSpec(text).file, ignored))
            others.push_back(text);
        else if (arguments.groups.empty())
            arguments.groups = text;
        else
            throw CLI::ValidationError("--groups", "expected one column for all sets, found another one, " + text);
    }
    return others;
}

/// Takes `NAME=KIND`; a name may contain the sign.
void takeColumnKind(PreparationChoice& choice, const std::string& text) {
    const std::size_t sign = text.rfind('=');
    const auto kind = sign == std::string::npos ? std::nullopt : columnKindOf(text.substr(sign + 1));
    if (!kind || sign == 0)
        throw CLI::ValidationError("--columns",
                                   "expected NAME=number, category, date, id, label, group or left-out, found " + text);
    setColumnKind(choice, text.substr(0, sign), kind);
}

} // namespace

std::string someFile(const std::string& text) {
    return text.empty() ? "expected the name of a file or folder, found none" : std::string();
}

CLI::Option* addName(CLI::App& app, const std::string& name, std::string& into, const std::string& help,
                     const std::string& type) {
    return app.add_option(name, into, help)->type_name(type)->check(someFile);
}

CLI::Option* addList(CLI::App& app, const std::string& name, std::vector<std::string>& into, const std::string& help,
                     const std::string& type) {
    return app.add_option(name, into, help)->type_name(type)->expected(1)->take_all();
}

SetOptions::SetOptions(CLI::App& app, ScoreArguments& arguments) {
    manifest = addName(app, "--manifest", arguments.manifest,
                       "All sets with their pictures and labels from a JSON file (docs/formats.md)", "FILE.json");
    app.option_defaults()->group("Pictures, labels and groups in files of their own");
    addName(app, "--real-pictures", arguments.real.pictures,
            "Pictures of the real set: a folder, or an array of uint8 [N, height, width, channels]");
    addName(app, "--real-labels", arguments.real.labels,
            "Classes, ids or both of the real set: a table, a .npy, or labels and ids of an .npz");
    addList(app, "--pictures", pictures_, "Pictures of a synthetic set", "[NAME=]FILE")->check(someFile);
    addList(app, "--labels", labels_, "Classes, ids or both of a synthetic set", "[NAME=]FILE")->check(someFile);
    addName(app, "--real-groups", arguments.real.groups,
            "Samples of the real set that belong together, such as those of a patient: a column of its table or "
            "labels, or a file as for labels",
            "COLUMN|FILE");
    addList(app, "--groups", groups_,
            "The same of a synthetic set; a column without NAME= is that of every set that has it. 'ids' groups real "
            "samples by their ids: patient12_slice3 is of patient12",
            "[NAME=]COLUMN|FILE|ids")
        ->check(someFile);
    addName(app, "--held-out-pictures", arguments.heldOut.pictures, "Pictures of the held-out set");
    addName(app, "--held-out-labels", arguments.heldOut.labels, "Classes, ids or both of the held-out set");
    addName(app, "--held-out-groups", arguments.heldOut.groups, "Samples of the held-out set that belong together",
            "COLUMN|FILE");
    app.add_option("--join", join_,
                   "How they find their rows: by id or by row; without it by id where both have ids, else by row")
        ->check(CLI::IsMember({"id", "row"}))
        ->type_name("id|row");
    app.add_option("--picture-order", order_,
                   "Pictures of a folder joined by row: in the order of the whole path, or of its parts")
        ->check(CLI::IsMember({"path", "parts"}))
        ->type_name("path|parts");
}

void SetOptions::apply(ScoreArguments& arguments) const {
    applyTo(arguments, "--pictures", pictures_, &SetFiles::pictures);
    applyTo(arguments, "--labels", labels_, &SetFiles::labels);
    applyTo(arguments, "--groups", takeGroupColumn(arguments, groups_), &SetFiles::groups);
    if (!arguments.groups.empty() && arguments.real.embeddings.empty() && arguments.synthetic.empty())
        throw CLI::ValidationError("--groups", "expected with sets of files, found none");
    if (arguments.heldOut.embeddings.empty() && !arguments.heldOut.isPlain())
        throw CLI::ValidationError("--held-out-pictures, --held-out-labels, --held-out-groups",
                                   "expected with --held-out, found none");
    if (arguments.real.embeddings.empty() && !arguments.real.isPlain())
        throw CLI::ValidationError("--real-pictures, --real-labels, --real-groups", "expected with --real, found none");
    std::vector<SetFiles*> all{&arguments.real, &arguments.heldOut};
    for (SyntheticArgument& model : arguments.synthetic)
        all.push_back(&model.files);
    const auto requireOne = [&](const std::string& option, const std::string& given, std::string SetFiles::*file,
                                const char* expected) {
        if (!given.empty() && std::ranges::none_of(all, [&](const SetFiles* set) { return !(set->*file).empty(); }))
            throw CLI::ValidationError(option, std::string("expected with ") + expected + ", found nothing to join");
    };
    if (std::ranges::all_of(all, [](const SetFiles* set) { return set->labels.empty() && set->groups.empty(); }))
        requireOne("--join", join_, &SetFiles::pictures, "pictures, labels or groups of their own");
    requireOne("--picture-order", order_, &SetFiles::pictures, "pictures of their own");
    for (SetFiles* files : all) {
        if (!join_.empty())
            files->join = join_ == "id" ? JoinBy::Id : JoinBy::Row;
        if (!order_.empty())
            files->order = order_ == "parts" ? PictureOrder::Parts : PictureOrder::Path;
    }
}

std::vector<CLI::Option*> addPreparationOptions(CLI::App& app, ScoreArguments& arguments) {
    app.option_defaults()->group("How files are taken");
    CLI::Option* scale =
        app.add_option_function<std::string>(
               "--scale", [&](const std::string& text) { arguments.choice.scaling = scalingOf(text).value(); },
               "Bring the features to one scale, fitted on the real set: none, zscore (columns), pca-whiten, l2 "
               "(rows); "
               "without it, zscore for a table and none for embeddings")
            ->check([](const std::string& text) {
                const auto known = scalingOf(text);
                return known && isSelectable(*known) ? std::string()
                                                     : "expected none, zscore, pca-whiten or l2, found " + text;
            })
            ->type_name("NAME");
    CLI::Option* oneHot = app.add_flag(
        "--one-hot", arguments.choice.oneHot,
        "Tables: every column of text becomes columns of 0 and 1, one per category of the real set and one for "
        "all other texts; without it, text with more than 50 different values is left out");
    CLI::Option* missing =
        app.add_option_function<std::string>(
               "--missing",
               [&](const std::string& text) {
                   arguments.choice.missing = missingOf(text).value();
                   arguments.choice.fillsGaps = false;
               },
               "Missing values (empty fields, NA, NaN, null): refuse them, drop rows that have any (or an infinite "
               "value), or indicate: fill in the real set's median and add a column of 0 and 1 for each that has any; "
               "without it, indicate for a table with named columns and refuse for anything else")
            ->check([](const std::string& text) {
                return missingOf(text) ? std::string() : "expected refuse, drop or indicate, found " + text;
            })
            ->type_name("refuse|drop|indicate");
    CLI::Option* dropNan = app.add_flag_callback(
        "--drop-nan",
        [&] {
            arguments.choice.missing = Missing::Drop;
            arguments.choice.fillsGaps = false;
        },
        "The same as --missing drop");
    dropNan->excludes(missing);
    CLI::Option* ignore = app.add_option("--ignore-columns", arguments.choice.ignoredColumns,
                                         "Tables: leave these columns out of every set that has them; without names, "
                                         "their numbers from 1")
                              ->type_name("NAME");
    CLI::Option* kinds =
        app.add_option_function<std::vector<std::string>>(
               "--columns",
               [&](const std::vector<std::string>& texts) {
                   for (const std::string& text : texts)
                       takeColumnKind(arguments.choice, text);
               },
               "Tables: what columns hold where they are not taken as you mean them: number, category, date, id, "
               "label, group (samples that belong together) or left-out; without names, by their numbers from 1")
            ->type_name("NAME=KIND");
    addName(
        app, "--python", arguments.python,
        "Have this Python convert files that its libraries read: Parquet, Arrow, JSON Lines, MATLAB up to 7, AnnData, "
        "data sets of Hugging Face; what it makes is kept (docs/formats.md)",
        "PROGRAM");
    return {scale, oneHot, missing, dropNan, ignore, kinds};
}

void takeManifest(ScoreArguments& arguments) {
    Manifest manifest = readManifest(arguments.manifest);
    arguments.real = std::move(manifest.real);
    for (ManifestModel& model : manifest.models)
        arguments.synthetic.push_back({std::move(model.name), std::move(model.files)});
    if (manifest.heldOut)
        arguments.heldOut = std::move(*manifest.heldOut);
}

} // namespace assay
