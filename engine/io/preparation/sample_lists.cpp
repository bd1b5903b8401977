#include "engine/io/preparation/sample_lists.h"

#include "engine/io/files/refusal.h"
#include "engine/io/numpy/npy_array.h"

#include <cstdint>

namespace assay {
namespace {

/// Null when the key does not exist or is a pickle.
const NpzEntry* entryOf(const NpzArchive& archive, std::string_view key, std::size_t rows) {
    const NpzEntry* entry = archive.find(key);
    if (entry == nullptr || !entry->header || entry->isObject())
        return nullptr;
    const std::vector<std::uint64_t> shape = asList(*entry->header).shape;
    if (shape.empty() || shape[0] != rows)
        refuse(archive.where(*entry), std::to_string(rows) + " entries, one for each sample", entry->header->text());
    return entry;
}

} // namespace

void requireList(const NpyHeader& header, const std::string& where, const std::string& what) {
    if (asList(header).shape.size() != 1 || !(header.type.isWhole() || header.type.isText()))
        refuse(where, what + " as a 1-D array of whole numbers or text", header.text());
}

std::vector<std::string> readTextList(ByteSource& source, const std::string& where, const std::string& what,
                                      const JobContext& job) {
    const NpyHeader header = asList(readNpyHeader(source, where));
    requireList(header, where, what);
    return readNpyTexts(source, header, where, job);
}

ClassLabels readClassList(ByteSource& source, const std::string& where, const JobContext& job) {
    const NpyHeader header = asList(readNpyHeader(source, where));
    requireList(header, where, "labels");
    return header.type.isText() ? labelsFromText(readNpyTexts(source, header, where, job))
                                : labelsFromIntegers(readNpyIntegers(source, header, where, job));
}

std::vector<std::string> readIdList(const NpzArchive& archive, std::string_view key, std::size_t rows,
                                    const JobContext& job) {
    const NpzEntry* entry = entryOf(archive, key, rows);
    return entry == nullptr ? std::vector<std::string>()
                            : readTextList(*archive.open(*entry), archive.where(*entry), "ids", job);
}

ClassLabels readLabelList(const NpzArchive& archive, std::string_view key, std::size_t rows, const JobContext& job) {
    const NpzEntry* entry = entryOf(archive, key, rows);
    return entry == nullptr ? ClassLabels() : readClassList(*archive.open(*entry), archive.where(*entry), job);
}

} // namespace assay
