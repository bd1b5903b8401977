#include "engine/io/preparation/built_in.h"

#include "engine/data/image_store.h"
#include "engine/io/files/refusal.h"
#include "engine/io/numpy/npy_array.h"

namespace assay {
namespace {

std::string textOf(const WindowShape& window) {
    return "series of " + std::to_string(window.steps) + " steps x " + std::to_string(window.features) +
           (window.features == 1 ? " feature" : " features");
}

} // namespace

Scaling scalingOfBuiltIn(const SourceInfo& source) {
    return source.builtIn == kPixelEmbedding    ? Scaling::DctLow
           : source.builtIn == kSeriesEmbedding ? Scaling::Features
                                                : Scaling::None;
}

std::string builtInNote(const SourceInfo& source, const std::string& place) {
    if (source.builtIn.empty())
        return {};
    const std::string scored = place + ": no embeddings: scored by the built-in " + source.builtIn;
    if (source.builtIn == kSeriesEmbedding)
        return scored + ", which compares windows step by step: one that is shifted in time, or out of phase, is far "
                        "away; embed the series with a network for scores to rely on";
    return scored + ", which sees layout and colour, but neither detail nor meaning; embed the pictures with a network "
                    "for scores to rely on";
}

bool holdsSeries(const NpyHeader& header) {
    return header.type.isFloat() && withoutUnitAxes(header).shape.size() == 3;
}

NpyHeader asMatrix(const NpyHeader& header, const std::string& where) {
    NpyHeader matrix = withoutUnitAxes(header);
    if (!holdsSeries(header))
        return matrix;
    if (!header.count() || *header.count() == 0)
        refuse(where, "series [windows, steps, features] with values", header.text());
    if (header.order == NpyHeader::Order::Fortran)
        refuse(where, "series in C order, as numpy.ascontiguousarray makes them", header.text() + " in Fortran order");
    matrix.shape = {matrix.shape[0], matrix.shape[1] * matrix.shape[2]};
    return matrix;
}

NpyHeader setShape(EmbeddingParts& parts, const NpyHeader& header, const std::string& where) {
    NpyHeader matrix = asMatrix(header, where);
    if (holdsSeries(header)) {
        const NpyHeader series = withoutUnitAxes(header);
        parts.fileFacts.window = {series.shape[1], series.shape[2]};
        parts.source.builtIn = kSeriesEmbedding;
    }
    requireMatrix(matrix, where);
    parts.rows = matrix.shape[0];
    parts.dim = matrix.shape[1];
    return matrix;
}

void requireSaidSeries(const EmbeddingParts& parts, const std::string& place) {
    constexpr std::size_t kCoordinates = 3;
    constexpr std::size_t kFewestPoints = 16;
    const WindowShape& window = parts.fileFacts.window;
    if (window.features != kCoordinates || window.steps < kFewestPoints || parts.source.key == kSeriesKey)
        return;
    refuse(place, "embeddings [samples, dimensions], or series [windows, steps, features]",
           "[" + std::to_string(parts.rows) + ", " + std::to_string(window.steps) +
               ", 3], as point clouds are stored, whose points have no order: embed them with a network. If they are "
               "steps in time, say so: append ':series' to the name of a .npy file, call an archive's array 'series', "
               "or in Python assay.Set(values, series=True)");
}

void drawSeries(EmbeddingParts& parts) {
    const bool isStandardised = parts.preparation && parts.preparation->scaling == Scaling::Features;
    const bool isWhole = !parts.held && parts.values.size() == parts.rows * parts.dim;
    if (parts.source.builtIn == kSeriesEmbedding && isStandardised && isWhole && !parts.images)
        parts.images = seriesPictures(parts.values.span(), parts.preparation->window);
}

namespace {

/// Whether samples without windows are what audit files of version 0.1 recorded as windows of one step: [N, 1, d] are
/// samples of d features now.
bool wereWindows(const EmbeddingParts& parts, const WindowShape& recorded) {
    return parts.fileFacts.window == WindowShape{} && recorded.steps == 1 && parts.dim == recorded.features;
}

} // namespace

void requireSameKind(const EmbeddingParts& parts, const ValuePreparation& preparation, const std::string& place) {
    const WindowShape& window = parts.fileFacts.window;
    const WindowShape& real = preparation.window;
    if (window != real && !wereWindows(parts, real))
        refuse(place, (real.steps > 0 ? textOf(real) : "samples") + std::string(", as the real set has"),
               window.steps > 0 ? textOf(window) : "no series");
    const ClipSample clips = parts.fileFacts.clips;
    if (clips != ClipSample::None && preparation.clips != ClipSample::None && clips != preparation.clips)
        refuse(place,
               preparation.clips == ClipSample::Mean ? "one sample a clip, as in the real set (':clips')"
                                                     : "one sample a frame, as in the real set (':frames')",
               clips == ClipSample::Mean ? "one sample a clip" : "one sample a frame");
    const bool isOfPictures = preparation.scaling == Scaling::DctLow || preparation.scaling == Scaling::Pca;
    if (isOfPictures && parts.source.builtIn != kPixelEmbedding)
        refuse(place,
               std::string("only pictures, as in the real set, which is scored by the built-in ") +
                   (preparation.scaling == Scaling::DctLow ? kPixelFrequencies : kPixelComponents),
               "embeddings of " + std::to_string(parts.dim) + " columns");
}

} // namespace assay
