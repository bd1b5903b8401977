#pragma once

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

} // namespace assay::hdf5
