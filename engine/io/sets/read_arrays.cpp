#include "engine/io/sets/read_arrays.h"

#include "engine/base/error.h"
#include "engine/base/sha256.h"
#include "engine/io/files/refusal.h"
#include "engine/io/numpy/npy_array.h"
#include "engine/io/pictures/array_pictures.h"
#include "engine/io/pictures/pixel_embedding.h"
#include "engine/io/preparation/built_in.h"
#include "engine/io/preparation/sample_lists.h"
#include "engine/io/sets/read_embeddings.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace assay {
namespace {

/// The bytes of a .npy file whose elements lie elsewhere than its header.
class LentBytes : public ByteSource {
public:
    explicit LentBytes(const LentArray& array)
        : header_(std::as_bytes(std::span(array.header))), elements_(array.elements),
          bytes_(header_.size() + elements_.size()) {}

    std::uint64_t size() const noexcept override { return bytes_; }

    std::size_t readSome(std::span<std::byte> into) override {
        std::span<const std::byte>& rest = header_.empty() ? elements_ : header_;
        const std::size_t some = std::min(into.size(), rest.size());
        if (some > 0)
            std::memcpy(into.data(), rest.data(), some);
        rest = rest.subspan(some);
        return some;
    }

private:
    std::span<const std::byte> header_, elements_; ///< those that were not read yet
    std::uint64_t bytes_;
};

NpyHeader headerOf(const LentArray& array, const std::string& where) {
    LentBytes source(array);
    return readNpyHeader(source, where);
}

std::string hashOf(const LentArray& array, const JobContext& job) {
    Sha256 hash;
    hash.add(std::as_bytes(std::span(array.header)));
    hash.add(array.elements, job);
    return hash.hex();
}

std::shared_ptr<const ImageStore> imagesOf(const LentArray& array, const std::string& where, const JobContext& job) {
    LentBytes source(array);
    const NpyHeader header = readNpyHeader(source, where);
    requirePictures(header, where);
    return readPictures(source, header, where, job);
}

void readValues(EmbeddingParts& parts, const LentArray& array, const std::string& where, const ValueReading& reading,
                const JobContext& job) {
    LentBytes source(array);
    const NpyHeader header = setShape(parts, readNpyHeader(source, where), where);
    std::optional<FloatStorage> view;
    if (reading.allowsView())
        view = viewNpyMatrix(array.elements, array.memory, header);
    if (view)
        parts.values = std::move(*view);
    else
        take(parts, takeNpyMatrix(source, header, where, reading, job));
}

EmbeddingParts readParts(const SetArrays& arrays, const ValueReading& reading, const JobContext& job) {
    EmbeddingParts parts;
    if (arrays.values) {
        readValues(parts, *arrays.values, arrays.place, reading, job);
        if (arrays.isSeries)
            parts.source.key = kSeriesKey;
        if (arrays.images)
            parts.images = imagesOf(*arrays.images, arrays.place + ": images", job);
    } else {
        const std::string where = arrays.place + ": images";
        parts = embedPictures(imagesOf(*arrays.images, where, job), where, job);
    }
    // The constructor of the set compares the number of entries with that of the rows.
    if (arrays.labels) {
        const std::string where = arrays.place + ": labels";
        requireList(headerOf(*arrays.labels, where), where, kLabelList);
        LentBytes source(*arrays.labels);
        parts.labels = readClassList(source, where, job);
    }
    if (arrays.ids) {
        const std::string where = arrays.place + ": ids";
        requireList(headerOf(*arrays.ids, where), where, "ids");
        LentBytes source(*arrays.ids);
        parts.ids = readTextList(source, where, "ids", job);
    }
    return parts;
}

} // namespace

std::shared_ptr<const EmbeddingSet> readArrays(const SetArrays& arrays, const JobContext& job,
                                               const ReadOptions& options, const SetFiles& beside) {
    if (!arrays.values && !arrays.images)
        throw Error(ErrorKind::InvalidArgument, arrays.place + ": expected embeddings or pictures, found neither");
    SetSource source{arrays.place, arrays.place, arrays.name, {}};
    source.read = [&](const ValueReading& reading, const JobContext& part) { return readParts(arrays, reading, part); };
    try {
        EmbeddingParts parts = assay::readParts(source, options, beside, job.part("Reading " + arrays.name, 0.0, 0.6));
        parts.source.sha256 = hashOf(arrays.values ? *arrays.values : *arrays.images,
                                     job.part("Taking the checksum of " + arrays.name, 0.6, 0.85));
        return std::make_shared<const EmbeddingSet>(std::move(parts), job.part("Checking " + arrays.name, 0.85, 1.0),
                                                    options.threads);
    } catch (const std::bad_alloc&) {
        throw Error(ErrorKind::NotEnoughMemory, arrays.place + ": reading it needs more memory than there is");
    }
}

} // namespace assay
