#include "engine/io/readers/formats.h"

#include "engine/io/files/refusal.h"
#include "engine/io/numpy/npy_array.h"
#include "engine/io/pictures/npz_pictures.h"
#include "engine/io/pictures/pixel_embedding.h"
#include "engine/io/preparation/built_in.h"

#include <utility>

namespace assay {

bool recognisesNpy(const InputFile& input) {
    return input.startsWith(npyMagic);
}

EmbeddingParts readNpy(const InputFile& input, const std::string& key, const JobContext& job) {
    const auto source = input.open();
    EmbeddingParts parts;
    const NpyHeader given = readNpyHeader(*source, input.name());
    if (holdsPictures(given) && holdsPictures(withoutUnitAxes(given))) { // [N, 1, d] is a matrix
        requireNoKey(input.name(), key, "a single array (.npy), which has no keys");
        return embedPictures(readPictures(*source, given, input.name(), job.part({}, 0.0, 0.5)), input.name(),
                             job.part({}, 0.5, 1.0));
    }
    if (key != kSeriesKey || !holdsSeries(given))
        requireNoKey(input.name(), key, "a single array (.npy), which has no keys");
    const NpyHeader header = setShape(parts, given, input.name());
    parts.source.key = key;
    std::optional<FloatStorage> view;
    if (const auto& mapping = input.mapping(); mapping && input.reading().allowsView())
        view = viewNpyMatrix(mapping->bytes().subspan(header.headerBytes), mapping, header);
    if (view)
        parts.values = std::move(*view);
    else
        take(parts, takeNpyMatrix(*source, header, input.name(), input.reading(), job));
    return parts;
}

} // namespace assay
