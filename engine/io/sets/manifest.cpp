#include "engine/io/sets/manifest.h"

#include "engine/base/error.h"
#include "engine/io/files/input_file.h"
#include "engine/io/files/refusal.h"
#include "engine/io/readers/format_table.h"
#include "engine/io/tables/table_header.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace assay {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::uint64_t kMaxBytes = std::uint64_t{16} << 20;
constexpr int kDepth = 4; // object, models, model, value

class Reader {
public:
    explicit Reader(std::string file) : file_(std::move(file)), folder_(fs::absolute(file_).parent_path()) {}

    Manifest read() const {
        const Json json = parse();
        requireKeys(json, "the file", std::array<std::string_view, 3>{"real", "models", "held_out"});
        Manifest manifest;
        manifest.real = set(member(json, "real", "the file"), "real");
        const Json& models = member(json, "models", "the file");
        if (models.is_object()) {
            for (const auto& [name, model] : models.items())
                add(manifest, name, set(model, "models." + printable(name)));
        } else if (models.is_array()) {
            for (std::size_t m = 0; m < models.size(); ++m) {
                const std::string where = "models[" + std::to_string(m) + "]";
                const SetFiles files = set(models[m], where, true);
                add(manifest, text(member(models[m], "name", where), where + ".name"), files);
            }
        } else {
            refuseAt("models", "an object of names and sets, or a list", models);
        }
        if (manifest.models.empty())
            refuseAt("models", "at least one set", models);
        if (json.contains("held_out"))
            manifest.heldOut = set(json["held_out"], "held_out");
        return manifest;
    }

private:
    Json parse() const {
        const InputFile input = InputFile::onDisk(file_);
        if (input.isDirectory() || input.size() > kMaxBytes)
            refuse(file_, "a JSON file that lists sets",
                   input.isDirectory() ? "a folder" : "a file that is far larger");
        std::string text(input.size(), '\0');
        readExactly(*input.open(), std::as_writable_bytes(std::span(text)), file_);
        std::vector<std::set<std::string>> keys; // of the objects that are open
        const auto check = [&](int depth, Json::parse_event_t event, const Json& parsed) {
            if (depth > kDepth)
                refuse(file_, "a JSON file that lists sets", "one that nests deeper than any such list");
            if (event == Json::parse_event_t::object_start)
                keys.emplace_back();
            else if (event == Json::parse_event_t::object_end)
                keys.pop_back();
            else if (event == Json::parse_event_t::key && !keys.back().insert(parsed.get<std::string>()).second)
                refuse(file_, "each key once in an object", inQuotes(parsed.get<std::string>()) + " twice");
            return true;
        };
        try {
            return Json::parse(text, check);
        } catch (const Json::parse_error& error) {
            const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, text.size()));
            refuse(file_ + ", line " + std::to_string(1 + std::count(text.begin(), end, '\n')), "JSON",
                   "what cannot be parsed");
        } catch (const Json::out_of_range&) {
            refuse(file_, "JSON that lists sets", "a number beyond what a double can hold");
        }
    }

    [[noreturn]] void refuseAt(const std::string& key, const std::string& expected, const Json& found) const {
        refuse(file_ + ": " + key, expected, printable(found.dump(-1, ' ', false, Json::error_handler_t::replace)));
    }

    const Json& member(const Json& object, const std::string& key, const std::string& where) const {
        const auto at = object.is_object() ? object.find(key) : object.end();
        if (at == object.end())
            refuseAt(where, "'" + key + "'", object);
        return *at;
    }

    std::string text(const Json& json, const std::string& where) const {
        if (!json.is_string() || json.get_ref<const std::string&>().empty())
            refuseAt(where, "a text", json);
        return json.get<std::string>();
    }

    void requireKeys(const Json& object, const std::string& where, std::span<const std::string_view> known) const {
        if (!object.is_object())
            refuseAt(where, "an object", object);
        for (const auto& [key, value] : object.items())
            if (std::ranges::find(known, key) == known.end())
                refuse(file_ + ": " + where, "only " + joined(known, ", "), inQuotes(key));
    }

    std::string place(const Json& json, const std::string& where) const {
        const std::string given = text(json, where);
        return fs::path(given).is_absolute() ? given : (folder_ / given).string();
    }

    /// A file of the manifest's folder where there is one, else the name of a column.
    std::string columnOrPlace(const Json& json, const std::string& where) const {
        const std::string file = place(json, where);
        std::error_code ignored;
        return fs::exists(parseFileSpec(file).file, ignored) ? file : text(json, where);
    }

    SetFiles set(const Json& json, const std::string& where, bool named = false) const {
        if (json.is_string() && !named)
            return {place(json, where)};
        constexpr std::array<std::string_view, 7> known{"embeddings", "pictures", "labels", "groups",
                                                        "join",       "order",    "name"};
        requireKeys(json, where, std::span(known).first(known.size() - (named ? 0 : 1)));
        SetFiles files{place(member(json, "embeddings", where), where + ".embeddings")};
        if (json.contains("pictures"))
            files.pictures = place(json["pictures"], where + ".pictures");
        if (json.contains("labels"))
            files.labels = place(json["labels"], where + ".labels");
        if (json.contains("groups"))
            files.groups = columnOrPlace(json["groups"], where + ".groups");
        if (json.contains("join"))
            files.join = choice(json["join"], where + ".join", "id", "row") ? JoinBy::Id : JoinBy::Row;
        if (json.contains("order"))
            files.order =
                choice(json["order"], where + ".order", "path", "parts") ? PictureOrder::Path : PictureOrder::Parts;
        return files;
    }

    /// @return whether the word is `first`
    bool choice(const Json& json, const std::string& where, const char* first, const char* second) const {
        const std::string word = text(json, where);
        if (word != first && word != second)
            refuseAt(where, std::string("'") + first + "' or '" + second + "'", json);
        return word == first;
    }

    void add(Manifest& manifest, const std::string& name, SetFiles files) const {
        const auto same = [&](const ManifestModel& other) { return other.name == name; };
        constexpr std::string_view kRefused("/\0", 2);
        if (name.empty() || name.find_first_of(kRefused) != std::string::npos ||
            std::ranges::any_of(manifest.models, same))
            refuse(file_ + ": models", "names that differ, without '/' and NUL", inQuotes(name));
        manifest.models.push_back({name, std::move(files)});
    }

    std::string file_;
    fs::path folder_;
};

} // namespace

bool isNamedManifest(const std::string& file) {
    return lowerCase(fs::path(file).extension().string()) == ".json";
}

Manifest readManifest(const std::string& file) {
    return Reader(file).read();
}

} // namespace assay
