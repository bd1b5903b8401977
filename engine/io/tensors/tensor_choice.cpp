#include "engine/io/tensors/tensor_choice.h"

#include "engine/base/find_by.h"
#include "engine/io/files/refusal.h"
#include "engine/io/preparation/built_in.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <set>

namespace assay {
namespace {

std::string describeArray(const NamedArray& array) {
    return inQuotes(array.key) + " " + array.header.text();
}

} // namespace

NpyType typeNamed(std::string_view name, std::span<const NamedType> known, NpyType::ByteOrder order) {
    NpyType type;
    type.descr = std::string(name);
    if (const NamedType* found = findBy(known, &NamedType::name, name)) {
        type.kind = found->kind;
        type.itemBytes = found->bytes;
        type.order = order;
    }
    return type;
}

std::string listingOf(const std::vector<NamedArray>& arrays) {
    return arrays.empty() ? "no tensors" : joined(arrays, "; ", describeArray, 20);
}

std::size_t chooseMatrix(const std::vector<NamedArray>& arrays, const std::string& file, const std::string& key) {
    const std::string wanted = key.empty() ? "embeddings" : key;
    const auto named = std::ranges::find(arrays, wanted, &NamedArray::key);
    if (named != arrays.end())
        return static_cast<std::size_t>(named - arrays.begin());
    if (!key.empty())
        refuse(file, "a tensor " + inQuotes(key), listingOf(arrays));
    const std::vector<std::size_t> candidates = sampleMatrices(arrays);
    const auto isSeries = [](const NamedArray& array) { return holdsSeries(array.header); };
    if (const NamedArray* series = candidates.empty() ? seriesOf(arrays, isSeries) : nullptr)
        return static_cast<std::size_t>(series - arrays.data());
    if (candidates.empty())
        refuseOtherKinds(arrays, file);
    if (candidates.empty())
        refuse(file, "a tensor [samples, dimensions], or one series [windows, steps, features]", listingOf(arrays));
    if (candidates.size() > 1)
        refuse(file, "one tensor [samples, dimensions]",
               std::to_string(candidates.size()) + ": " + listingOf(arrays) +
                   ". Say which by appending ':key' to the file's name, as in '" + file + ":" +
                   printable(arrays[candidates.front()].key) + "'");
    return candidates.front();
}

std::vector<std::string> matrixChoices(const std::vector<NamedArray>& arrays) {
    std::vector<std::string> keys;
    if (std::ranges::find(arrays, "embeddings", &NamedArray::key) != arrays.end())
        return keys;
    for (const std::size_t i : sampleMatrices(arrays))
        keys.push_back(arrays[i].key);
    return keys.size() > 1 ? keys : std::vector<std::string>();
}

std::string othersNote(const std::vector<NamedArray>& arrays, std::size_t chosen, const std::string& file) {
    constexpr std::size_t kShown = 8;
    const std::string& key = arrays[chosen].key;
    const std::string group = key.substr(0, key.rfind('/') + 1); // npos + 1 is 0
    std::vector<std::string> others;
    for (const NamedArray& array : arrays) {
        const bool isUsed = array.key == key || array.key == group + "labels" || array.key == group + "groups" ||
                            array.key == group + "ids" || array.key == group + "images";
        const bool holdsNumbers =
            array.header.type.isNumeric() && !array.header.shape.empty() && array.header.count() != std::uint64_t{0};
        if (!isUsed && holdsNumbers)
            others.push_back(describeArray(array));
    }
    return others.empty()
               ? std::string()
               : file + ": " + describeArray(arrays[chosen]) + " taken; left out: " + joined(others, "; ", {}, kShown);
}

namespace {

/// Likely content of a matrix in a file with several arrays, judged by its name and shape. Only samples are taken
/// without a key.
enum class ArrayKind {
    Samples,
    Covariance, ///< square, named cov, sigma, ...
    Means,      ///< one row named mu, mean, ...; or named means, centroids, ...
    Projection, ///< at most three columns, named umap, tsne, coords, ...
    Boxes,      ///< four or five columns, named boxes, rois, ...
    Parameters  ///< of a model: components, weights, ...
};

using Words = std::vector<std::string>;

/// The words of the last part of a path, in lower case: `clap.covMatrix2` is clap, cov and matrix.
Words wordsOf(std::string_view key) {
    const std::size_t slash = key.rfind('/');
    Words words(1);
    char before = ' ';
    for (const char c : key.substr(slash == std::string_view::npos ? 0 : slash + 1)) {
        const auto letter = static_cast<unsigned char>(c);
        const bool begins = std::isupper(letter) != 0 && std::islower(static_cast<unsigned char>(before)) != 0;
        if ((std::isalpha(letter) == 0 || begins) && !words.back().empty())
            words.emplace_back();
        if (std::isalpha(letter) != 0)
            words.back() += static_cast<char>(std::tolower(letter));
        before = c;
    }
    if (words.back().empty())
        words.pop_back();
    return words;
}

bool isAmong(std::string_view word, std::initializer_list<std::string_view> known) {
    return std::ranges::find(known, word) != known.end();
}

bool anyIsAmong(const Words& words, std::initializer_list<std::string_view> known) {
    return std::ranges::any_of(words, [&](const std::string& word) { return isAmong(word, known); });
}

bool isTwoDimensional(const NamedArray& array) {
    return array.header.type.isNumeric() && withoutUnitAxes(array.header).shape.size() == 2;
}

constexpr std::uint64_t kPlotColumns = 3;

/// Whether an array belongs to the rows of a matrix.
bool isBesideRows(std::string_view key) {
    const std::string_view name = key.substr(key.rfind('/') + 1); // npos + 1 is 0
    return isAmong(name, {"labels", "groups", "ids", "images"});
}

/// @param shape rows and columns
ArrayKind kindOf(std::string_view key, const std::vector<std::uint64_t>& shape) {
    const Words words = wordsOf(key);
    const std::string last = words.empty() ? std::string() : words.back();
    const std::uint64_t rows = shape.at(0);
    const std::uint64_t columns = shape.at(1);
    if (rows == columns && anyIsAmong(words, {"sigma", "cov", "covs", "covmat", "covariance", "covariances", "corr",
                                              "correlation", "gram", "precision"}))
        return ArrayKind::Covariance;
    if ((rows == 1 && anyIsAmong(words, {"mu", "mean", "avg", "average", "std", "var", "variance"})) ||
        isAmong(last, {"means", "centroids", "centers", "centres", "prototypes"}))
        return ArrayKind::Means;
    if (columns <= kPlotColumns &&
        anyIsAmong(words, {"umap", "tsne", "sne", "pacmap", "trimap", "phate", "mds", "pca", "projection", "projected",
                           "coords", "coordinates", "xy", "xyz", "layout", "spatial", "plot"}))
        return ArrayKind::Projection;
    if ((columns == 4 || columns == 5) &&
        anyIsAmong(words, {"box", "boxes", "bbox", "bboxes", "roi", "rois", "anchors"}))
        return ArrayKind::Boxes;
    if (isAmong(last, {"components", "eigenvectors", "eigvecs", "loadings", "rotation", "weight", "weights", "kernel"}))
        return ArrayKind::Parameters;
    return ArrayKind::Samples;
}

ArrayKind kindBeside(const NamedArray& array, bool isBesideSparse) {
    const std::vector<std::uint64_t> shape = withoutUnitAxes(array.header).shape;
    const ArrayKind kind = kindOf(array.key, shape);
    return kind == ArrayKind::Samples && isBesideSparse && shape[1] <= kPlotColumns ? ArrayKind::Projection : kind;
}

/// Text for the user: "a covariance", "a projection for plots".
std::string_view textOf(ArrayKind kind) {
    switch (kind) {
    case ArrayKind::Covariance:
        return "a covariance";
    case ArrayKind::Means:
        return "means of samples";
    case ArrayKind::Projection:
        return "a projection for plots";
    case ArrayKind::Boxes:
        return "boxes";
    case ArrayKind::Parameters:
        return "parameters of a model";
    case ArrayKind::Samples:
        break;
    }
    return "samples";
}

/// Whether some of the arrays are the parts of a sparse matrix (SciPy, AnnData): `indices` and `indptr`, or `row` and
/// `col`, of the same group.
bool holdSparseMatrix(const std::vector<NamedArray>& arrays) {
    std::set<std::string_view> keys;
    for (const NamedArray& array : arrays)
        keys.insert(array.key);
    return std::ranges::any_of(keys, [&](std::string_view key) {
        const std::string group(key.substr(0, key.rfind('/') + 1)); // npos + 1 is 0
        return (key == group + "indices" && keys.contains(group + "indptr")) ||
               (key == group + "row" && keys.contains(group + "col"));
    });
}

} // namespace

std::vector<std::size_t> sampleMatrices(const std::vector<NamedArray>& arrays) {
    const bool isBesideSparse = holdSparseMatrix(arrays);
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < arrays.size(); ++i)
        if (isTwoDimensional(arrays[i]) && !isBesideRows(arrays[i].key) &&
            kindBeside(arrays[i], isBesideSparse) == ArrayKind::Samples)
            found.push_back(i);
    return found;
}

void refuseOtherKinds(const std::vector<NamedArray>& arrays, const std::string& file) {
    const bool isBesideSparse = holdSparseMatrix(arrays);
    std::vector<std::string> found;
    const NamedArray* first = nullptr;
    bool isStatistic = false;
    for (const NamedArray& array : arrays) {
        if (!isTwoDimensional(array) || isBesideRows(array.key))
            continue;
        const ArrayKind kind = kindBeside(array, isBesideSparse);
        first = first == nullptr ? &array : first;
        isStatistic = isStatistic || kind == ArrayKind::Covariance || kind == ArrayKind::Means;
        found.push_back(inQuotes(array.key) + " " + array.header.text() + ", which looks like " +
                        std::string(textOf(kind)));
    }
    if (first == nullptr && isBesideSparse)
        refuse(file, "samples, one in each row",
               "a sparse matrix, which is not read: save it as a dense array (toarray())");
    if (first == nullptr)
        return;
    constexpr std::size_t kShown = 3;
    const std::string all = "only " + joined(found, "; ", {}, kShown);
    if (isStatistic)
        refuse(file, "samples, one in each row",
               all +
                   ". Give the samples (embeddings) that it was computed from; a mean and covariance (mu, sigma) alone "
                   "serve as the real set, for the Frechet distance and nothing else");
    refuse(file, "samples, one in each row",
           all + (isBesideSparse ? ", beside a sparse matrix, which is not read: save that as a dense array" : "") +
               ". If these are your samples, append ':" + printable(first->key) + "' to the file's name");
}

} // namespace assay
