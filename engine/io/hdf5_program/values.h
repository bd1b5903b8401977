#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace assay::hdf5 {

/// Why the file, or one of its datasets, cannot be read.
struct Refusal {
    std::string expected;
    std::string found;
};

/// Handle (hid_t) of an object of the library. The destructor closes it.
class Handle {
public:
    Handle(std::int64_t id, int (*close)(std::int64_t)) : id_(id), close_(close) {}
    ~Handle() {
        if (id_ >= 0)
            close_(id_);
    }
    Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
    Handle& operator=(Handle&&) = delete;
    explicit operator bool() const noexcept { return id_ >= 0; }
    // NOLINTNEXTLINE(google-explicit-constructor): passed to the library's functions everywhere
    operator std::int64_t() const noexcept { return id_; }

private:
    std::int64_t id_;
    int (*close_)(std::int64_t);
};

/// Throws the refusal, or std::bad_alloc when the library failed because memory ran out.
[[noreturn]] void refuseUnlessMemoryRanOut(Refusal refusal);

/// Opens the object of that path. Follows soft links, but no link to another file.
/// @param from file or group
Handle openObject(std::int64_t from, const std::string& path);

enum class Elements { Values, Texts };

/// Writes the elements of a dataset to the standard output, a band of rows at a time (protocol.h). Ends the process by
/// SIGALRM when the library takes minutes over one band.
/// @param file open file (hid_t)
/// @param key path of the dataset
/// @param memory limit in bytes; 0: none
/// @throws Refusal when the elements are missing, or packed by an unknown filter; std::bad_alloc
void writeElements(std::int64_t file, const std::string& key, Elements elements, std::uint64_t memory);

/// Limits the address space of this process; also `seconds` for what comes next. @param bytes 0: no limit
void limit(std::uint64_t bytes, unsigned seconds);

/// Writes to the standard output; the process ends by SIGPIPE when nobody reads.
void writeOut(const void* bytes, std::size_t count);

} // namespace assay::hdf5
