#include "engine/io/files/refusal.h"
#include "engine/io/hdf5/hdf5_file.h"
#include "engine/io/numpy/npy_array.h"
#include "engine/io/pictures/npz_pictures.h"
#include "engine/io/preparation/built_in.h"
#include "engine/io/readers/formats.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

namespace assay {
namespace {

/// The key as the file lists it, without leading slashes.
std::string keyOf(const std::string& asked) {
    return asked.substr(std::min(asked.find_first_not_of('/'), asked.size()));
}

void requireReadable(const Hdf5File& file, const std::string& name, const std::string& key) {
    if (const std::string why = file.problem(key); !why.empty())
        refuse(placeOf(name, printable(key)), "a dataset in this file", why);
}

/// A dataset of that name in the same group as the matrix; empty when there is none. Adds a note when it exists but
/// cannot be read.
std::optional<std::size_t> beside(const Hdf5File& file, std::size_t matrix, const std::string& name,
                                  std::vector<std::string>& notes) {
    const std::string& key = file.arrays()[matrix].key;
    const std::string wanted = key.substr(0, key.rfind('/') + 1) + name; // npos + 1 is 0
    if (const std::string why = file.problem(wanted); !why.empty()) {
        notes.push_back("'" + printable(wanted) + "' left out: " + why);
        return std::nullopt;
    }
    const auto found = std::ranges::find(file.arrays(), wanted, &NamedArray::key);
    const auto array = static_cast<std::size_t>(found - file.arrays().begin());
    return found == file.arrays().end() || array == matrix ? std::nullopt : std::optional(array);
}

/// Ids or classes of the rows; empty when there are none.
std::vector<std::string> listBeside(const Hdf5File& file, std::size_t list, std::size_t rows, const JobContext& job) {
    const NpyHeader header = asList(file.arrays()[list].header);
    if (header.shape.size() != 1 || header.shape[0] != rows || !(header.type.isWhole() || header.type.isText()))
        refuse(file.where(list), std::to_string(rows) + " whole numbers or texts, one for each row", header.text());
    return file.texts(list, job);
}

ClassLabels labelsBeside(const Hdf5File& file, std::size_t list, std::size_t rows, const JobContext& job) {
    const std::vector<std::string> texts = listBeside(file, list, rows, job);
    return file.arrays()[list].header.type.isText() ? labelsFromFields(texts) : labelsFromDecimals(texts);
}

std::shared_ptr<const ImageStore> readImages(const Hdf5File& file, std::size_t array, const JobContext& job) {
    const NpyHeader& header = file.arrays()[array].header;
    requirePictures(header, file.where(array)); // before anything is unpacked
    return readPictures(*file.open(array, job), header, file.where(array), job);
}

void addCompanions(EmbeddingParts& parts, const Hdf5File& file, std::size_t matrix, const JobContext& job) {
    std::vector<std::string>& notes = parts.source.notes;
    if (const auto labels = beside(file, matrix, "labels", notes))
        parts.labels = labelsBeside(file, *labels, parts.rows, job);
    if (const auto ids = beside(file, matrix, "ids", notes))
        parts.ids = listBeside(file, *ids, parts.rows, job);
    const auto images = beside(file, matrix, "images", notes);
    if (!images)
        return;
    const NpyHeader& header = file.arrays()[*images].header;
    if (!holdsPictures(header)) {
        notes.push_back(file.where(*images) + " left out: " + header.text() + " is no array of pictures");
        return;
    }
    if (header.shape[0] != parts.rows)
        refuse(file.where(*images), std::to_string(parts.rows) + " pictures, one for each row", header.text());
    parts.images = readImages(file, *images, job);
}

} // namespace

EmbeddingParts readHdf5(const InputFile& input, const std::string& key, const JobContext& job) {
    const Hdf5File file(input, job);
    // An unreadable dataset of embeddings is an error: no other dataset replaces it.
    requireReadable(file, input.name(), key.empty() ? "embeddings" : keyOf(key));
    if (file.arrays().empty()) // then these are why there is nothing to choose from
        for (const std::string& one : file.unreadable())
            requireReadable(file, input.name(), one);
    const std::size_t matrix = chooseMatrix(file.arrays(), input.name(), keyOf(key));
    const NamedArray& chosen = file.arrays()[matrix];
    requireReadable(file, input.name(), chosen.key);
    EmbeddingParts parts;
    const NpyHeader shape = setShape(parts, chosen.header, file.where(matrix));
    parts.source.key = chosen.key;
    if (std::string others = othersNote(file.arrays(), matrix, input.name()); !others.empty())
        parts.source.notes.push_back(std::move(others));
    addCompanions(parts, file, matrix, job.part({}, 0.0, 0.1));
    if (const auto& mapping = input.mapping(); mapping && input.reading().allowsView())
        if (const auto place = file.place(matrix))
            if (auto view = viewNpyMatrix(input.memory().subspan(place->first, place->second), mapping, shape)) {
                parts.values = std::move(*view);
                return parts;
            }
    const JobContext reading = job.part({}, 0.1, 1.0);
    take(parts, takeNpyMatrix(*file.open(matrix, reading), shape, file.where(matrix), input.reading(), reading));
    return parts;
}

std::vector<std::string> hdf5Choices(const InputFile& input, const JobContext& job) {
    return matrixChoices(Hdf5File(input, job).arrays());
}

PictureParts picturesOfHdf5(const InputFile& input, const std::string& key, PictureOrder /*order*/,
                            const JobContext& job) {
    const Hdf5File file(input, job);
    const std::string wanted = key.empty() ? "images" : keyOf(key);
    requireReadable(file, input.name(), wanted);
    const auto found = std::ranges::find(file.arrays(), wanted, &NamedArray::key);
    if (found == file.arrays().end())
        refuse(input.name(), "pictures as '" + printable(wanted) + "'", listingOf(file.arrays()));
    const auto array = static_cast<std::size_t>(found - file.arrays().begin());
    PictureParts parts;
    parts.images = readImages(file, array, job);
    const std::size_t rows = parts.images->rows();
    if (const auto ids = beside(file, array, "ids", parts.notes))
        parts.ids = listBeside(file, *ids, rows, job);
    if (const auto labels = beside(file, array, "labels", parts.notes))
        parts.labels = labelsBeside(file, *labels, rows, job);
    return parts;
}

} // namespace assay
