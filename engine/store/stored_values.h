#pragma once

#include "engine/base/job_context.h"
#include "engine/io/numpy/npy_writer.h"
#include "engine/store/database.h"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace assay {

/// Writes numbers, texts and arrays by path ("models/0/columns/fidelity") into the tables `value` and `array`
/// (docs/audit-file.md). Has the same functions as ValueReader, so that one description of a struct serves for both.
///
/// All functions throw Error{WriteFailed}.
class ValueWriter {
public:
    explicit ValueWriter(Database& database);

    template <std::integral T>
    void number(const std::string& path, const T& value) {
        put(path, static_cast<std::int64_t>(value));
    }
    void number(const std::string& path, const double& value) { put(path, value); }
    void text(const std::string& path, const std::string& value) { put(path, value); }
    template <typename T>
    void array(const std::string& path, const std::vector<T>& values) {
        array(path, std::span<const T>(values));
    }
    /// @throws Cancelled
    template <typename T>
    void array(const std::string& path, std::span<const T> values, const JobContext& job = {}) {
        putArray(path, {npyDescr<T>(), values.size(), std::as_bytes(values)}, job);
    }
    /// Writes a list of texts: all texts as UTF-8, one after the other, and the offset of each text's end.
    void texts(const std::string& path, const std::vector<std::string>& texts);
    /// Checksum by which a reader sees whether the values are those that were written. Nothing may be written
    /// afterwards.
    void finish();

private:
    struct Numbers {
        std::string type; ///< as NumPy names it
        std::size_t count;
        std::span<const std::byte> bytes;
    };

    void put(const std::string& path, const Statement::Value& value);
    void putArray(const std::string& path, Numbers numbers, const JobContext& job);

    Database& database_;
    Statement value_;
    Statement array_;
    std::map<std::string, Statement::Value> written_;
    std::map<std::string, std::string> digests_;
};

/// Reads what ValueWriter wrote.
///
/// All functions throw Error{BadInput} naming the file and the path when a value is missing, has another type or is
/// damaged.
class ValueReader {
public:
    /// Reads all values, but no arrays. Verifies the checksum.
    explicit ValueReader(Database& database);

    bool has(const std::string& path) const { return values_.contains(path); }
    bool hasArray(const std::string& path) const { return arrays_.contains(path); }

    template <std::integral T>
    void number(const std::string& path, T& value) const {
        value = static_cast<T>(integer(path));
    }
    void number(const std::string& path, double& value) const;
    void text(const std::string& path, std::string& value) const;
    template <typename T>
    void array(const std::string& path, std::vector<T>& values, const JobContext& job = {}) {
        values.resize(countOf(path, npyDescr<T>(), sizeof(T)));
        fill(path, std::as_writable_bytes(std::span(values)), job);
    }
    /// Whether the file has a list of texts at `path`.
    bool hasTexts(const std::string& path) const { return hasArray(path + "/end"); }
    /// Reads a list of texts. @throws Error{BadInput} also when the offsets are not in ascending order
    void texts(const std::string& path, std::vector<std::string>& texts);
    /// SHA-256 of an array that is there.
    const std::string& arrayDigest(const std::string& path) const { return arrays_.at(path).digest; }
    /// Throws Error{BadInput} for the value at `path`.
    [[noreturn]] void refuse(const std::string& path, const std::string& expectedAndFound) const;

private:
    struct Stored {
        std::string type, digest;
        std::int64_t count = 0, bytes = 0;
    };

    std::int64_t integer(const std::string& path) const;
    const Statement::Value& valueAt(const std::string& path) const;
    std::size_t countOf(const std::string& path, const std::string& type, std::size_t size) const;
    void fill(const std::string& path, std::span<std::byte> bytes, const JobContext& job);

    Database& database_;
    std::map<std::string, Statement::Value> values_;
    std::map<std::string, Stored> arrays_;
    Statement parts_;
};

} // namespace assay
