// Samples as arrays of NumPy.
#include "engine/base/error.h"
#include "engine/data/embedding_set.h"
#include "engine/data/gather_rows.h"
#include "engine/io/numpy/npy_text.h"
#include "engine/io/numpy/npy_writer.h"
#include "engine/report/samples/exported_samples.h"
#include "engine/report/samples/sample_writers.h"

#include <optional>

namespace assay {
namespace {

std::vector<std::int64_t> rowNumbers(const ExportedSamples& samples) {
    std::vector<std::int64_t> numbers;
    numbers.reserve(samples.rows().size());
    for (const std::uint32_t row : samples.rows())
        numbers.push_back(static_cast<std::int64_t>(samples.set().fileRow(row)));
    return numbers;
}

/// Stores classes as numbers only when they are in numerical order, because reading sorts numbers that way.
WholeNumbers formOf(const std::vector<std::string>& classes) {
    std::optional<std::int64_t> last;
    for (const std::string& name : classes) {
        const auto number = wholeNumberOf(name);
        if (!number || (last && *number < *last))
            return WholeNumbers::AsText;
        last = number;
    }
    return WholeNumbers::AsNumbers;
}

std::vector<std::string> labelTexts(const ExportedSamples& samples) {
    std::vector<std::string> texts;
    texts.reserve(samples.rows().size());
    for (const std::uint32_t row : samples.rows())
        texts.push_back(samples.set().labelText(row));
    return texts;
}

std::vector<std::uint8_t> gatherPictures(const ExportedSamples& samples, const ImageStore& images,
                                         const JobContext& job) {
    std::vector<std::uint8_t> pixels;
    pixels.reserve(samples.rows().size() * images.bytesPerImage());
    for (std::size_t place = 0; place < samples.rows().size(); ++place) {
        if (place % 256 == 0)
            job.checkpoint(static_cast<double>(place) / static_cast<double>(samples.rows().size()));
        const std::vector<std::uint8_t> picture = samples.pixels(samples.rows()[place]);
        pixels.insert(pixels.end(), picture.begin(), picture.end());
    }
    return pixels;
}

} // namespace

void writeNpyExport(const ExportedSamples& samples, const std::filesystem::path& file, const JobContext& job) {
    const std::vector<std::int64_t> rows = rowNumbers(samples);
    writeNpy(file.string(), npyView<std::int64_t>(rows, {rows.size()}), job);
}

void writeNpzExport(const ExportedSamples& samples, const std::filesystem::path& file, const JobContext& job) {
    if (samples.rows().empty())
        throw Error(ErrorKind::InvalidArgument, file.string() + ": expected at least one sample to write, found none");
    const EmbeddingSet& set = samples.set();
    const std::size_t count = samples.rows().size();
    const std::vector<float> embeddings = gatherRows(set.matrix(), samples.rows());
    set.requireUnchanged();
    const std::vector<std::int64_t> rows = rowNumbers(samples);
    const NpyTextArray ids(samples.ids());
    std::vector<NpzItem> items{{"embeddings", npyView<float>(embeddings, {count, set.dim()})},
                               {"ids", ids.view()},
                               {"rows", npyView<std::int64_t>(rows, {count})}};
    std::optional<NpyTextArray> labels;
    if (set.hasLabels())
        items.push_back({"labels", labels.emplace(labelTexts(samples), formOf(set.labels().names)).view()});
    std::vector<std::uint8_t> pixels;
    if (const ImageStore* images = set.images(); images != nullptr && !images->isDrawn()) {
        pixels = gatherPictures(samples, *images, job.part({}, 0.0, 0.5));
        items.push_back(
            {"images", npyView<std::uint8_t>(pixels, {count, images->height(), images->width(), images->channels()})});
    }
    writeNpz(file.string(), items, NpzPacking::Stored, job.part({}, 0.5, 1.0));
}

} // namespace assay
