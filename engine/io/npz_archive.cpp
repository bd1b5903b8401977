#include "engine/io/npz_archive.h"

#include "engine/io/refusal.h"
#include "engine/job/error.h"

#include <zip.h>

#include <algorithm>
#include <limits>
#include <set>

namespace assay {
namespace {

// No deflated byte unpacks to more than 258 * 4 bytes (a longest match in two bits).
constexpr std::uint64_t largestDeflateRatio = 1032;

std::string reason(zip_error_t* error) {
    switch (zip_error_code_zip(error)) {
    case ZIP_ER_CRC:
        return "data that fail their checksum (CRC): the file is damaged";
    case ZIP_ER_EOF:
        return "the end of the file: it is truncated";
    case ZIP_ER_ZLIB:
    case ZIP_ER_COMPRESSED_DATA:
    case ZIP_ER_INCONS:
    case ZIP_ER_NOZIP:
        return std::string("damaged data (") + zip_error_strerror(error) + ")";
    default:
        return printable(zip_error_strerror(error));
    }
}

class EntrySource : public ByteSource {
public:
    EntrySource(zip_file_t* file, std::uint64_t size, std::string where)
        : file_(file), size_(size), where_(std::move(where)) {}
    std::uint64_t size() const noexcept override { return size_; }
    std::size_t readSome(std::span<std::byte> into) override {
        const zip_int64_t got = zip_fread(file_.get(), into.data(), into.size());
        if (got < 0)
            refuse(where_, "a sound archive entry", reason(zip_file_get_error(file_.get())));
        return static_cast<std::size_t>(got);
    }

private:
    struct Close {
        void operator()(zip_file_t* file) const { zip_fclose(file); }
    };
    std::unique_ptr<zip_file_t, Close> file_;
    std::uint64_t size_;
    std::string where_;
};

std::string keyOf(std::string_view name) {
    constexpr std::string_view suffix = ".npy";
    if (name.ends_with(suffix))
        name.remove_suffix(suffix.size());
    return std::string(name);
}

void requirePossibleSize(const zip_stat_t& stat, std::uint64_t fileBytes, const std::string& where) {
    if (stat.comp_size > fileBytes)
        refuse(where, "an entry within the file's " + std::to_string(fileBytes) + " bytes",
               "one of " + std::to_string(stat.comp_size) + " bytes: the file is truncated or damaged");
    if (stat.comp_method == ZIP_CM_STORE && stat.size != stat.comp_size)
        refuse(where, std::to_string(stat.comp_size) + " bytes, as stored",
               "a claim of " + std::to_string(stat.size) + " bytes");
    if (stat.comp_method == ZIP_CM_DEFLATE && stat.size / largestDeflateRatio > stat.comp_size + 1)
        refuse(where,
               "at most " + std::to_string((stat.comp_size + 1) * largestDeflateRatio) + " bytes from " +
                   std::to_string(stat.comp_size) + " deflated ones",
               "a claim of " + std::to_string(stat.size) + " bytes");
}

} // namespace

struct NpzArchive::Zip {
    zip_t* handle = nullptr;

    explicit Zip(const InputFile& input) {
        zip_error_t error;
        zip_error_init(&error);
        zip_source_t* source = input.isInMemory()
                                   ? zip_source_buffer_create(input.memory().data(), input.size(), 0, &error)
                                   : zip_source_file_create(input.name().c_str(), 0, 0, &error);
        if (source) {
            handle = zip_open_from_source(source, ZIP_RDONLY, &error);
            if (!handle)
                zip_source_free(source);
        }
        const std::string found = handle ? "" : openFailure(error);
        zip_error_fini(&error);
        if (!handle)
            refuse(input.name(), "a complete .npz archive", found);
    }
    ~Zip() { zip_discard(handle); }
    Zip(const Zip&) = delete;
    Zip& operator=(const Zip&) = delete;

private:
    static std::string openFailure(zip_error_t& error) {
        // The directory stands at the end of a zip archive, so this is what a cut-off download looks like.
        return zip_error_code_zip(&error) == ZIP_ER_NOZIP
                   ? "one without its directory at the end: it is truncated or damaged"
                   : reason(&error);
    }
};

std::string NpzEntry::text() const {
    const std::string name = printable(key, 40);
    if (isObject())
        return name + " (Python objects, skipped)";
    return header ? name + " " + header->text() : name + " (unreadable)";
}

NpzArchive::NpzArchive(const InputFile& input, const JobContext& job)
    : file_(input.name()), fileBytes_(input.size()), zip_(std::make_unique<Zip>(input)) {
    const zip_int64_t count = zip_get_num_entries(zip_->handle, 0);
    std::set<std::string> seen;
    for (zip_int64_t i = 0; i < count; ++i) {
        job.checkpoint(static_cast<double>(i) / static_cast<double>(count));
        NpzEntry entry;
        entry.index = static_cast<std::uint64_t>(i);
        const char* name = zip_get_name(zip_->handle, entry.index, ZIP_FL_ENC_GUESS);
        entry.key = keyOf(name ? name : "");
        if (!seen.insert(entry.key).second)
            refuse(file_, "each key once", "'" + printable(entry.key) + "' more than once");
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

NpzArchive::~NpzArchive() = default;

const NpzEntry* NpzArchive::find(std::string_view key) const noexcept {
    const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const auto& e) { return e.key == key; });
    return found == entries_.end() ? nullptr : &*found;
}

std::string NpzArchive::where(const NpzEntry& entry) const {
    return placeOf(file_, entry.key);
}

std::string NpzArchive::listing() const {
    constexpr std::size_t shown = 20;
    std::string text;
    for (std::size_t i = 0; i < entries_.size() && i < shown; ++i)
        text += (i == 0 ? "" : "; ") + entries_[i].text();
    if (entries_.size() > shown)
        text += "; and " + std::to_string(entries_.size() - shown) + " more";
    return text.empty() ? "no entries" : text;
}

std::unique_ptr<ByteSource> NpzArchive::open(const NpzEntry& entry) const {
    const std::string place = where(entry);
    zip_stat_t stat;
    zip_stat_init(&stat);
    constexpr zip_uint64_t needed = ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD;
    if (zip_stat_index(zip_->handle, entry.index, 0, &stat) != 0 || (stat.valid & needed) != needed)
        refuse(place, "a sound archive entry", reason(zip_get_error(zip_->handle)));
    if ((stat.valid & ZIP_STAT_ENCRYPTION_METHOD) && stat.encryption_method != ZIP_EM_NONE)
        refuse(place, "an entry without a password", "an encrypted one");
    if (stat.comp_method != ZIP_CM_STORE && stat.comp_method != ZIP_CM_DEFLATE)
        refuse(place, "a stored or deflated entry", "one packed by zip method " + std::to_string(stat.comp_method));
    requirePossibleSize(stat, fileBytes_, place);
    zip_file_t* file = zip_fopen_index(zip_->handle, entry.index, 0);
    if (!file)
        refuse(place, "a sound archive entry", reason(zip_get_error(zip_->handle)));
    return std::make_unique<EntrySource>(file, stat.size, place);
}

} // namespace assay
