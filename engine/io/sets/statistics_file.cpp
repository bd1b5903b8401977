#include "engine/io/sets/statistics_file.h"

#include "engine/base/error.h"
#include "engine/data/embedding_set.h"
#include "engine/io/files/input_file.h"
#include "engine/io/files/refusal.h"
#include "engine/io/numpy/npy_array.h"
#include "engine/io/numpy/npy_writer.h"
#include "engine/io/numpy/npz_archive.h"
#include "engine/io/readers/format_table.h"
#include "engine/math/statistics/gaussian_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <span>
#include <string_view>
#include <utility>

namespace assay {
namespace {

constexpr std::string_view kMean = "mu";
constexpr std::string_view kCovariance = "sigma";

/// Two arrays that belong together.
struct Pair {
    std::string mean, covariance; ///< keys of an archive, or files
};

/// The pair of a key: `mu_s`, `sigma_s` or `s` for mu_s with sigma_s.
Pair pairOf(std::string key) {
    for (const std::string_view name : {kMean, kCovariance})
        if (key.starts_with(name))
            key.erase(0, name.size());
    if (!key.empty() && !key.starts_with('_'))
        key.insert(0, "_");
    return {std::string(kMean) + key, std::string(kCovariance) + key};
}

/// NAME.mu.npy and NAME.cov.npy, whichever of the two was given.
std::optional<Pair> filesOf(const std::string& file) {
    constexpr std::string_view kMeanEnding = ".mu.npy";
    constexpr std::string_view kCovarianceEnding = ".cov.npy";
    for (const std::string_view ending : {kMeanEnding, kCovarianceEnding})
        if (file.ends_with(ending)) {
            const std::string name = file.substr(0, file.size() - ending.size());
            Pair pair{name + std::string(kMeanEnding), name + std::string(kCovarianceEnding)};
            std::error_code ignored;
            if (std::filesystem::exists(pair.mean, ignored) && std::filesystem::exists(pair.covariance, ignored))
                return pair;
        }
    return std::nullopt;
}

void takeMean(SetStatistics& statistics, ByteSource& source, const std::string& where, const JobContext& job) {
    const NpyHeader header = asList(readNpyHeader(source, where));
    if (header.shape.size() != 1)
        refuse(where, "a mean, one value per feature", header.text());
    statistics.mean = readNpyDoubles(source, header, where, job);
}

void takeCovariance(SetStatistics& statistics, ByteSource& source, const std::string& where, const JobContext& job) {
    const NpyHeader header = readNpyHeader(source, where);
    const std::size_t dim = statistics.mean.size();
    if (header.shape != std::vector<std::uint64_t>{dim, dim})
        refuse(where, "a covariance [" + std::to_string(dim) + ", " + std::to_string(dim) + "]", header.text());
    statistics.covariance = readNpyDoubles(source, header, where, job);
    const std::vector<double>& values = statistics.covariance;
    constexpr double kSlack = 1e-4; // of float32 sums in any order
    for (std::size_t i = 0; i < dim; ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const double scale = std::sqrt(values[i * dim + i] * values[j * dim + j]);
            if (!(std::abs(values[i * dim + j] - values[j * dim + i]) <= kSlack * scale))
                refuse(where, "a symmetric matrix",
                       "different values at [" + std::to_string(i) + ", " + std::to_string(j) +
                           "] and the other way round");
        }
}

/// A pair of an archive, without its hash. @param key as in FileSpec
std::optional<SetStatistics> pairIn(const NpzArchive& archive, const std::string& key, const JobContext& job) {
    const Pair keys = pairOf(key);
    const NpzEntry* mean = archive.find(keys.mean);
    const NpzEntry* covariance = archive.find(keys.covariance);
    if (mean == nullptr || covariance == nullptr)
        return std::nullopt;
    SetStatistics statistics;
    takeMean(statistics, *archive.open(*mean), archive.where(*mean), job);
    takeCovariance(statistics, *archive.open(*covariance), archive.where(*covariance), job);
    return statistics;
}

} // namespace

std::optional<SetStatistics> readStatistics(const std::string& spec, const JobContext& job) {
    const FileSpec parsed = parseFileSpec(spec);
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(parsed.file, ignored))
        return std::nullopt;
    std::optional<SetStatistics> statistics;
    if (const std::optional<Pair> files = filesOf(parsed.file)) {
        statistics.emplace();
        takeMean(*statistics, *InputFile::onDisk(files->mean).open(), files->mean, job);
        takeCovariance(*statistics, *InputFile::onDisk(files->covariance).open(), files->covariance, job);
        statistics->sha256 = sha256OfFile(files->mean, job);
    } else if (const InputFile input = InputFile::onDisk(parsed.file); recognisesNpz(input)) {
        statistics = pairIn(NpzArchive(input, job), parsed.key, job);
        if (statistics)
            statistics->sha256 = sha256OfFile(parsed.file, job);
    }
    if (statistics)
        statistics->file = spec;
    return statistics;
}

void takePublished(EmbeddingParts& parts, const InputFile& input, const JobContext& job) {
    if (!recognisesNpz(input))
        return;
    const std::string what = std::string(kMean) + " and " + std::string(kCovariance) + " of this file were not used: ";
    try {
        const NpzArchive archive(input, job);
        if (!archive.holdsStatistics())
            return;
        const std::uint64_t dim = archive.find(kMean)->header->shape[0];
        if (dim != parts.dim || !parts.source.builtIn.empty()) {
            parts.source.notes.push_back(what + "they are of " + std::to_string(dim) + " features, the samples of " +
                                         std::to_string(parts.dim));
            return;
        }
        if (!parts.preparation->isNone()) {
            parts.source.notes.push_back(what + "they are of values that were not scaled or changed otherwise");
            return;
        }
        SetStatistics statistics = *pairIn(archive, {}, job);
        statistics.file = input.name();
        static_cast<void>(gaussianOf(statistics, job)); // refuses what is no covariance
        parts.published = std::make_shared<const SetStatistics>(std::move(statistics));
    } catch (const Error& error) {
        parts.source.notes.push_back(what + error.what());
    }
}

bool holdsOnlyStatistics(const std::string& spec, const JobContext& job) {
    const FileSpec parsed = parseFileSpec(spec);
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(parsed.file, ignored))
        return false;
    if (filesOf(parsed.file))
        return true;
    const InputFile input = InputFile::onDisk(parsed.file);
    if (!recognisesNpz(input))
        return false;
    const NpzArchive archive(input, job);
    const Pair keys = pairOf(parsed.key);
    if (archive.find(keys.mean) == nullptr || archive.find(keys.covariance) == nullptr)
        return false;
    const bool named = parsed.key == keys.mean || parsed.key == keys.covariance;
    return named || std::ranges::all_of(archive.entries(), [](const NpzEntry& entry) {
               const bool isPart = entry.key.starts_with(kMean) || entry.key.starts_with(kCovariance);
               return isPart || !entry.header || !entry.header->type.isNumeric() || entry.header->shape.size() < 2;
           });
}

void writeStatistics(const SetStatistics& statistics, const std::string& file, const JobContext& job) {
    const std::size_t dim = statistics.mean.size();
    const std::array items{
        NpzItem{std::string(kMean), npyView(std::span<const double>(statistics.mean), {dim})},
        NpzItem{std::string(kCovariance), npyView(std::span<const double>(statistics.covariance), {dim, dim})}};
    writeNpz(file, items, NpzPacking::Stored, job);
}

} // namespace assay
