#pragma once

#include "engine/base/job_context.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>

struct sqlite3;
struct sqlite3_stmt;

namespace assay {

class Statement;

/// An SQLite file. Not thread-safe.
///
/// All functions throw Error naming the file: BadInput when it cannot be read as a database, WriteFailed when it cannot
/// be written, NotEnoughMemory; and Cancelled within milliseconds of a stop request.
class Database {
public:
    enum class Mode {
        Read,   ///< writes nothing, except that SQLite rolls back the interrupted write of a killed program
        Write,  ///< an existing file
        Create, ///< a file that does not exist, or is empty
        /// Reads data that no program changes, although other parts of the file may change. Takes no lock and rolls
        /// nothing back, so the file may be replaced by renaming at the same time.
        Frozen
    };

    /// @param name file name for messages when `file` is a temporary file; empty: use `file`
    /// @param job its stop request ends every statement
    Database(const std::string& file, Mode mode, const std::string& name = {}, const JobContext& job = {});

    /// Runs one or several statements that return no rows.
    void run(const std::string& sql);
    /// Compiles one statement.
    Statement prepare(const std::string& sql);
    /// Runs a query. @return the first value of the first row; 0 when there are no rows
    std::int64_t number(const std::string& sql);

    const std::string& name() const noexcept { return name_; }
    /// Throws the Error for an SQLite result code.
    [[noreturn]] void fail(int code) const;

private:
    struct Close {
        void operator()(sqlite3* handle) const noexcept;
    };

    std::string name_;
    std::unique_ptr<JobContext> job_; ///< at one address, which SQLite keeps
    std::unique_ptr<sqlite3, Close> handle_;
};

/// A transaction. The destructor rolls it back unless commit() was called.
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

/// A prepared statement; the Database must outlive it. Bind values in the order of the question marks, then read the
/// rows.
class Statement {
public:
    using Value = std::variant<std::monostate, std::int64_t, double, std::string>;

    Statement(Database& database, sqlite3_stmt* handle) : database_(&database), handle_(handle) {}

    Statement& bind(std::int64_t value);
    Statement& bind(double value); ///< SQLite stores NaN as NULL
    Statement& bind(std::monostate null);
    Statement& bind(std::string_view text);
    Statement& bindBlob(std::span<const std::byte> bytes); ///< must stay valid until the next step()
    /// Moves to the next row.
    /// @return whether there is one; if not, the statement is reset and values can be bound again
    bool step();
    /// Runs a statement to its end and resets it, so that values can be bound again.
    void run();
    /// Binds values, then runs.
    template <typename... Values>
    void runWith(const Values&... values) {
        (bind(values), ...);
        run();
    }

    std::int64_t integer(int column) const;
    double real(int column) const; ///< NULL is returned as NaN
    std::string text(int column) const;
    std::span<const std::byte> blob(int column) const; ///< valid until the next step()
    Value value(int column) const;

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
