#include "engine/store/audit_parts.h"

#include "engine/base/sha256.h"
#include "engine/io/files/file_hash.h"
#include "engine/io/files/refusal.h"
#include "engine/io/sets/join_beside.h"
#include "engine/io/sets/read_embeddings.h"

#include <filesystem>
#include <optional>
#include <system_error>

namespace assay::store {
namespace {

namespace fs = std::filesystem;

std::string absolute(const std::string& spec) {
    if (spec.empty())
        return {};
    const FileSpec given = parseFileSpec(spec);
    std::error_code ignored;
    const std::string file = fs::absolute(given.file, ignored).lexically_normal().string();
    return given.key.empty() ? file : file + ":" + given.key;
}

/// Searches a file at its recorded place, then beside the audit file.
std::optional<std::string> find(const std::string& spec, const std::string& auditFile) {
    const FileSpec given = parseFileSpec(spec);
    std::error_code ignored;
    for (const fs::path& place :
         {fs::path(given.file), fs::absolute(auditFile, ignored).parent_path() / fs::path(given.file).filename()})
        if (fs::exists(place, ignored))
            return given.key.empty() ? place.string() : place.string() + ":" + given.key;
    return std::nullopt;
}

} // namespace

void writeBeside(ValueWriter& values, const std::string& path, const SourceInfo& source) {
    if (source.pictures.empty() && source.labels.empty())
        return;
    values.text(path + "/beside/pictures", absolute(source.pictures));
    values.text(path + "/beside/labels", absolute(source.labels));
    values.text(path + "/beside/labels_sha256", source.labelsSha256);
    values.text(path + "/beside/join", source.join);
    values.text(path + "/beside/order", source.picturesByParts ? "parts" : "path");
}

void readBeside(const ValueReader& values, const std::string& path, const std::string& auditFile, SetFiles& files) {
    if (!values.has(path + "/beside/pictures"))
        return;
    SourceInfo source;
    values.text(path + "/beside/pictures", source.pictures);
    values.text(path + "/beside/labels", source.labels);
    values.text(path + "/beside/labels_sha256", source.labelsSha256);
    values.text(path + "/beside/join", source.join);
    std::string order;
    values.text(path + "/beside/order", order);
    source.picturesByParts = order == "parts";
    source.file = files.embeddings;
    files = filesOf(source);
    if (!source.labels.empty()) {
        const auto labels = find(source.labels, auditFile);
        if (!labels)
            refuse(source.labels, "the labels of " + auditFile, "no such file; it may also lie beside the audit file");
        if (sha256OfFile(parseFileSpec(*labels).file) != source.labelsSha256)
            refuse(*labels, "the labels that " + auditFile + " was made of", "a file that has changed since");
        files.labels = *labels;
    }
    if (source.pictures.empty())
        return;
    const auto pictures = find(source.pictures, auditFile);
    files.pictures = pictures.value_or(std::string());
    if (!pictures)
        files.note = source.pictures + ": not there any more; opened without pictures";
}

} // namespace assay::store
