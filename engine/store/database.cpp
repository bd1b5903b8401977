#include "engine/store/database.h"

#include "engine/base/error.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cctype>
#include <filesystem>
#include <limits>
#include <string_view>
#include <utility>

namespace assay {
namespace {

constexpr int kBusyMs = 2000;               // how long to wait for another program's lock
constexpr int kStepsBetweenChecks = 10'000; // of SQLite's virtual machine, some 100 microseconds

/// SQLite's callback: whether to interrupt the statement.
int isStopped(void* job) {
    return static_cast<const JobContext*>(job)->stopRequested() ? 1 : 0;
}

// Mode::Read also needs write access: SQLite rolls back the interrupted write of a killed program when the file is
// opened. A file that may not be written to is opened for reading only.
int flagsOf(Database::Mode mode) {
    if (mode == Database::Mode::Frozen)
        return SQLITE_OPEN_READONLY | SQLITE_OPEN_URI;
    return mode == Database::Mode::Create ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READWRITE;
}

/// A file's name as a URI that tells SQLite that no program writes to the file.
std::string frozenUri(const std::string& file) {
    std::string uri = "file:";
    for (const char letter : file) {
        const auto byte = static_cast<unsigned char>(letter);
        if (std::isalnum(byte) != 0 || letter == '/' || letter == '.' || letter == '-' || letter == '_')
            uri += letter;
        else
            uri += fmt::format("%{:02X}", byte);
    }
    return uri + "?immutable=1";
}

/// Kind and message of an SQLite error.
std::pair<ErrorKind, std::string> explained(int code, const char* message) {
    switch (code & 0xff) { // primary result code
    case SQLITE_NOTADB:
        return {ErrorKind::BadInput, "expected an SQLite file, found something else"};
    case SQLITE_CORRUPT:
        return {ErrorKind::BadInput, "expected a whole file, found it damaged"};
    case SQLITE_CANTOPEN:
        return {ErrorKind::BadInput, "cannot be opened"};
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return {ErrorKind::WriteFailed, "another program is writing to it"};
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return {ErrorKind::WriteFailed, "may not be written to"};
    case SQLITE_FULL:
        return {ErrorKind::WriteFailed, "expected room on the disk, found none"};
    case SQLITE_NOMEM:
        return {ErrorKind::NotEnoughMemory, "there is not enough memory for it"};
    case SQLITE_IOERR:
        return {ErrorKind::WriteFailed, std::string("the disk failed: ") + message};
    default:
        return {ErrorKind::BadInput, message};
    }
}

} // namespace

void Database::Close::operator()(sqlite3* handle) const noexcept {
    sqlite3_close_v2(handle);
}

Database::Database(const std::string& file, Mode mode, const std::string& name, const JobContext& job)
    : name_(name.empty() ? file : name), job_(std::make_unique<JobContext>(job.silent())) {
    sqlite3* handle = nullptr;
    // In a URI, a path that begins with two slashes would name a host.
    const std::string opened =
        mode == Mode::Frozen ? frozenUri(std::filesystem::absolute(file).lexically_normal().string()) : file;
    const int code = sqlite3_open_v2(opened.c_str(), &handle, flagsOf(mode) | SQLITE_OPEN_FULLMUTEX, nullptr);
    handle_.reset(handle);
    if (code != SQLITE_OK)
        fail(code);
    sqlite3_extended_result_codes(handle, 1);
    sqlite3_busy_timeout(handle, kBusyMs);
    sqlite3_progress_handler(handle, kStepsBetweenChecks, isStopped, job_.get());
    // The file may come from an untrusted source, and its schema may contain harmful SQL.
    sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    number("SELECT count(*) FROM sqlite_schema"); // sqlite3_open_v2 alone does not read the file
    if (mode == Mode::Read)
        run("PRAGMA query_only = 1");
}

void Database::fail(int code) const {
    if ((code & 0xff) == SQLITE_INTERRUPT)
        throw Cancelled();
    const auto [kind, what] = explained(code, handle_ ? sqlite3_errmsg(handle_.get()) : sqlite3_errstr(code));
    throw Error(kind, name_ + ": " + what);
}

void Database::run(const std::string& sql) {
    if (const int code = sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr); code != SQLITE_OK)
        fail(code);
}

Statement Database::prepare(const std::string& sql) {
    sqlite3_stmt* handle = nullptr;
    const int code = sqlite3_prepare_v2(handle_.get(), sql.c_str(), static_cast<int>(sql.size()), &handle, nullptr);
    if (code != SQLITE_OK)
        fail(code);
    return {*this, handle};
}

std::int64_t Database::number(const std::string& sql) {
    Statement statement = prepare(sql);
    return statement.step() ? statement.integer(0) : 0;
}

Transaction::Transaction(Database& database) : database_(database) {
    database_.run("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
    if (!open_)
        return;
    try {
        database_.run("ROLLBACK");
    } catch (const Error&) { // the failed statement has already rolled back
    }
}

void Transaction::commit() {
    database_.run("COMMIT");
    open_ = false;
}

void Statement::Finish::operator()(sqlite3_stmt* handle) const noexcept {
    sqlite3_finalize(handle);
}

void Statement::check(int code) const {
    if (code != SQLITE_OK)
        database_->fail(code);
}

Statement& Statement::bind(std::int64_t value) {
    check(sqlite3_bind_int64(handle_.get(), ++bound_, value));
    return *this;
}

Statement& Statement::bind(double value) {
    check(sqlite3_bind_double(handle_.get(), ++bound_, value));
    return *this;
}

Statement& Statement::bind(std::string_view text) {
    check(sqlite3_bind_text64(handle_.get(), ++bound_, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
    return *this;
}

Statement& Statement::bindBlob(std::span<const std::byte> bytes) {
    // A null pointer would be NULL, not an empty blob.
    const void* data = bytes.empty() ? static_cast<const void*>("") : bytes.data();
    check(sqlite3_bind_blob64(handle_.get(), ++bound_, data, bytes.size(), SQLITE_STATIC));
    return *this;
}

Statement& Statement::bind(std::monostate) {
    check(sqlite3_bind_null(handle_.get(), ++bound_));
    return *this;
}

bool Statement::step() {
    const int code = sqlite3_step(handle_.get());
    if (code == SQLITE_ROW)
        return true;
    sqlite3_reset(handle_.get());
    bound_ = 0;
    if (code != SQLITE_DONE)
        database_->fail(code);
    return false;
}

void Statement::run() {
    while (step()) {
    }
}

std::int64_t Statement::integer(int column) const {
    return sqlite3_column_int64(handle_.get(), column);
}

double Statement::real(int column) const {
    const bool isNull = sqlite3_column_type(handle_.get(), column) == SQLITE_NULL;
    return isNull ? std::numeric_limits<double>::quiet_NaN() : sqlite3_column_double(handle_.get(), column);
}

std::string Statement::text(int column) const {
    const std::span<const std::byte> bytes = blob(column);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::span<const std::byte> Statement::blob(int column) const {
    const void* data = sqlite3_column_blob(handle_.get(), column);
    return {static_cast<const std::byte*>(data), static_cast<std::size_t>(sqlite3_column_bytes(handle_.get(), column))};
}

Statement::Value Statement::value(int column) const {
    switch (sqlite3_column_type(handle_.get(), column)) {
    case SQLITE_INTEGER:
        return integer(column);
    case SQLITE_FLOAT:
        return real(column);
    case SQLITE_NULL:
        return {};
    default:
        return text(column);
    }
}

} // namespace assay
