#include "engine/io/readers/formats.h"

#include "engine/io/files/refusal.h"
#include "engine/io/numpy/npy_array.h"
#include "engine/io/numpy/npy_text.h"
#include "engine/io/preparation/built_in.h"
#include "engine/io/preparation/sample_lists.h"
#include "engine/io/tensors/torch_file.h"

#include <algorithm>

namespace assay {
namespace {

/// Whether the file was written by torch.save before PyTorch 1.6: protocol 2 and a magic number.
bool isLegacyTorch(const InputFile& input) {
    return input.startsWith("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19");
}

TorchFile openTorch(const InputFile& input) {
    if (isLegacyTorch(input))
        refuse(input.name(), "a file of PyTorch 1.6 or later",
               "the older form, which is a pickle; write it again with torch.save(torch.load(...), ...), or as "
               ".safetensors");
    return TorchFile(input);
}

/// Classes from text; sorted by number when all texts are integers.
ClassLabels classesFrom(const std::vector<std::string>& texts) {
    std::vector<std::int64_t> numbers;
    for (const std::string& text : texts) {
        const auto number = wholeNumberOf(text);
        if (!number)
            return labelsFromFields(texts);
        numbers.push_back(*number);
    }
    return labelsFromIntegers(numbers);
}

/// Classes as a list, or as a tensor of whole numbers, which may be floats; empty when there are none.
ClassLabels labelsIn(const TorchFile& file, std::size_t rows, const JobContext& job) {
    const auto array = std::ranges::find(file.arrays(), "labels", &NamedArray::key);
    if (array != file.arrays().end()) {
        const NpyHeader header = asList(array->header);
        const auto place = static_cast<std::size_t>(array - file.arrays().begin());
        if (header.type.isFloat() && header.shape == std::vector<std::uint64_t>{rows}) {
            const TorchFile::Elements elements = file.open(place);
            return readClassNumbers(*elements.source, asList(elements.header), file.where(place), job);
        }
    }
    const auto texts = file.texts("labels", rows, job);
    return texts ? classesFrom(*texts) : ClassLabels();
}

} // namespace

bool recognisesTorch(const InputFile& input) {
    return isLegacyTorch(input) || zipContentOf(input) == ZipContent::Tensors;
}

EmbeddingParts readTorch(const InputFile& input, const std::string& key, const JobContext& job) {
    const TorchFile file = openTorch(input);
    const std::size_t matrix = chooseMatrix(file.arrays(), input.name(), key);
    const NamedArray& chosen = file.arrays()[matrix];
    EmbeddingParts parts;
    setShape(parts, chosen.header, file.where(matrix));
    parts.source.key = chosen.key;
    if (std::string others = othersNote(file.arrays(), matrix, input.name()); !others.empty())
        parts.source.notes.push_back(std::move(others));
    if (chosen.key != "labels")
        parts.labels = labelsIn(file, parts.rows, job.part({}, 0.0, 0.05));
    if (chosen.key != "ids")
        if (auto ids = file.texts("ids", parts.rows, job.part({}, 0.05, 0.1)))
            parts.ids = std::move(*ids);
    const TorchFile::Elements elements = file.open(matrix);
    const std::string where = file.where(matrix);
    take(parts, takeNpyMatrix(*elements.source, asMatrix(elements.header, where), where, input.reading(),
                              job.part({}, 0.1, 1.0)));
    return parts;
}

std::vector<std::string> torchChoices(const InputFile& input, const JobContext& /*job*/) {
    return matrixChoices(openTorch(input).arrays());
}

} // namespace assay
