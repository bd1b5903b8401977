#include "engine/io/numpy/npz_archive.h"

#include "engine/base/error.h"
#include "engine/base/find_by.h"
#include "engine/io/files/refusal.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>

namespace assay {
namespace {

std::string keyOf(std::string_view name) {
    constexpr std::string_view suffix = ".npy";
    if (name.ends_with(suffix))
        name.remove_suffix(suffix.size());
    return std::string(name);
}

} // namespace

std::string NpzEntry::text() const {
    const std::string name = printable(key, 40);
    if (isObject())
        return name + " (Python objects, skipped)";
    return header ? name + " " + header->text() : name + " (unreadable)";
}

NpzArchive::NpzArchive(const InputFile& input, const JobContext& job)
    : file_(input.name()), zip_(input, "a complete .npz archive") {
    const std::uint64_t count = zip_.count();
    std::set<std::string> seen;
    for (std::uint64_t i = 0; i < count; ++i) {
        job.checkpoint(static_cast<double>(i) / static_cast<double>(count));
        NpzEntry entry;
        entry.index = i;
        entry.key = keyOf(zip_.name(i));
        if (!seen.insert(entry.key).second)
            refuse(file_, "each key once", inQuotes(entry.key) + " more than once");
        try {
            const auto source = open(entry);
            entry.bytes = source->size();
            entry.header = readNpyHeader(*source, where(entry));
        } catch (const Error& problem) {
            entry.problem = problem.what();
        }
        entries_.push_back(std::move(entry));
    }
}

const NpzEntry* NpzArchive::find(std::string_view key) const noexcept {
    return findBy(entries_, &NpzEntry::key, key);
}

bool NpzArchive::holdsStatistics() const noexcept {
    const NpzEntry* mean = find("mu");
    const NpzEntry* covariance = find("sigma");
    if (mean == nullptr || covariance == nullptr || !mean->header || !covariance->header)
        return false;
    const std::vector<std::uint64_t>& values = mean->header->shape;
    const std::vector<std::uint64_t>& shape = covariance->header->shape;
    return values.size() == 1 && shape.size() == 2 && shape[0] == values[0] && shape[1] == values[0];
}

std::string NpzArchive::where(const NpzEntry& entry) const {
    return placeOf(file_, entry.key);
}

std::string NpzArchive::listing() const {
    constexpr std::size_t shown = 20;
    const std::size_t count = entries_.size();
    const std::string text = joined(std::span(entries_).first(std::min(count, shown)), "; ", &NpzEntry::text);
    return entries_.empty() ? "no entries" : count > shown ? fmt::format("{}; and {} more", text, count - shown) : text;
}

std::unique_ptr<ByteSource> NpzArchive::open(const NpzEntry& entry) const {
    return zip_.open(entry.index, where(entry));
}

} // namespace assay
