#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace assay {

class Statement;

/// An SQLite file. One thread at a time.
///
/// Everything throws Error naming the file: BadInput where it cannot be read as a database, WriteFailed where it cannot
/// be written.
class Database {
public:
    enum class Mode {
        Read,   ///< nothing is written, but that what a killed program had begun is taken back
        Write,  ///< a file that is there
        Create, ///< a file that is not, or is empty
        /// Reads what nobody writes to, although others may write to the rest: takes no lock and looks for nothing
        /// unfinished, so that the file may be replaced by another of its name meanwhile.
        Frozen
    };

    /// @param name for messages, where `file` is a temporary; empty: the file itself
    Database(const std::string& file, Mode mode, const std::string& name = {});

    /// One or several statements without results.
    void run(const std::string& sql);
    Statement prepare(const std::string& sql);
    /// The first value of the first row; 0 for none.
    std::int64_t number(const std::string& sql);

    const std::string& name() const noexcept { return name_; }
    [[noreturn]] void fail(int code) const;

private:
    struct Close {
        void operator()(sqlite3* handle) const noexcept;
    };

    std::string name_;
    std::unique_ptr<sqlite3, Close> handle_;
};

/// Nothing of what is done in its life stays without commit().
class Transaction {
public:
    explicit Transaction(Database& database);
    ~Transaction();
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;

    void commit();

private:
    Database& database_;
    bool open_ = true;
};

/// A statement of a Database, which outlives it. Values are bound in order of the question marks, then rows are read.
class Statement {
public:
    using Value = std::variant<std::monostate, std::int64_t, double, std::string>;

    Statement(Database& database, sqlite3_stmt* handle) : database_(&database), handle_(handle) {}

    Statement& bind(std::int64_t value);
    Statement& bind(double value); ///< not a number becomes NULL
    Statement& bind(std::string_view text);
    Statement& bindBlob(std::span<const std::byte> bytes); ///< they outlive the next step
    Statement& bindValue(const Value& value);
    /// Goes to the next row. @return whether there is one; the statement begins anew where not
    bool step();
    /// For statements without rows: runs it, ready to be bound again.
    void run();

    std::int64_t integer(int column) const;
    double real(int column) const; ///< NULL becomes not-a-number
    std::string text(int column) const;
    std::span<const std::byte> blob(int column) const; ///< until the next step
    Value value(int column) const;
    bool isNull(int column) const;

private:
    struct Finish {
        void operator()(sqlite3_stmt* handle) const noexcept;
    };
    void check(int code) const;

    Database* database_;
    std::unique_ptr<sqlite3_stmt, Finish> handle_;
    int bound_ = 0;
};

} // namespace assay
