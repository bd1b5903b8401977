#include "engine/io/read_embeddings.h"

#include "engine/data/embedding_set.h"
#include "engine/io/format_table.h"
#include "engine/io/sha256.h"
#include "engine/job/error.h"

#include <filesystem>
#include <new>
#include <system_error>

namespace assay {
namespace {

// Hashing runs at several times the speed of unpacking and converting.
constexpr double readingShare = 0.85;

bool exists(const std::string& file) {
    std::error_code ignored;
    return !file.empty() && std::filesystem::exists(file, ignored);
}

std::shared_ptr<const EmbeddingSet> readFrom(const InputFile& input, const std::string& key, const JobContext& job) {
    try {
        const Format& format = formatOf(input);
        const std::filesystem::path path(input.name());
        EmbeddingParts parts =
            format.read(input, key, job.part("Reading " + path.filename().string(), 0.0, readingShare));
        parts.name = path.stem().string();
        parts.source.file = key.empty() ? input.name() : input.name() + ":" + key;
        const JobContext hashing = job.part("Hashing " + path.filename().string(), readingShare, 1.0);
        parts.source.sha256 =
            input.isInMemory() ? sha256OfBytes(input.memory(), hashing) : sha256OfFile(input.name(), hashing);
        return std::make_shared<const EmbeddingSet>(std::move(parts));
    } catch (const std::bad_alloc&) {
        throw Error(ErrorKind::NotEnoughMemory, input.name() + ": reading it needs more memory than there is");
    }
}

} // namespace

FileSpec parseFileSpec(const std::string& text) {
    if (exists(text))
        return {text, {}};
    for (std::size_t colon = text.rfind(':'); colon != std::string::npos && colon > 0;
         colon = text.rfind(':', colon - 1))
        if (exists(text.substr(0, colon)))
            return {text.substr(0, colon), text.substr(colon + 1)};
    constexpr std::string_view archive = ".npz:";
    const std::size_t at = text.rfind(archive);
    if (at == std::string::npos)
        return {text, {}};
    return {text.substr(0, at + archive.size() - 1), text.substr(at + archive.size())};
}

std::shared_ptr<const EmbeddingSet> readEmbeddings(const std::string& fileSpec, const JobContext& job) {
    const FileSpec spec = parseFileSpec(fileSpec);
    return readFrom(InputFile::onDisk(spec.file), spec.key, job);
}

std::shared_ptr<const EmbeddingSet> readEmbeddingsFromMemory(const std::string& name, std::span<const std::byte> bytes,
                                                             const std::string& key, const JobContext& job) {
    return readFrom(InputFile::inMemory(name, bytes), key, job);
}

} // namespace assay
