#pragma once

#include "engine/base/job_context.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace assay {

/// The processes that one mpirun started (MPI_COMM_WORLD). One object per process, created and used on its main thread.
class Communicator {
public:
    /// Initialises MPI; ends the process when that fails.
    /// @throws Error{InvalidArgument} if the MPI library does not allow other threads beside this one
    Communicator();
    /// Finalises MPI: waits until all ranks do.
    ~Communicator();
    Communicator(const Communicator&) = delete;
    Communicator& operator=(const Communicator&) = delete;

    std::size_t rank() const noexcept { return rank_; }
    std::size_t ranks() const noexcept { return ranks_; }
    /// "rank 2 (node17)", for messages.
    std::string description() const;

    /// Number of threads of this process.
    /// @param wanted 0: an equal share of the cores of its node; otherwise returned as it is
    unsigned threads(unsigned wanted) const;

    /// Makes MPI progress pending messages during a computation.
    void progressMessages() const;

    /// Ends all processes at once (MPI_Abort).
    [[noreturn]] void abort(int exitCode) const;

private:
    std::size_t rank_ = 0;
    std::size_t ranks_ = 1;
};

/// Non-blocking messages between processes. Messages from one process to another arrive in the order in which they were
/// sent; a message may be longer than MPI's 2^31 bytes.
class Messages {
public:
    Messages();
    ~Messages();
    Messages(const Messages&) = delete;
    Messages& operator=(const Messages&) = delete;

    /// @param values must not change before wait() returns
    template <typename T>
    void sendAll(std::size_t to, std::span<T> values) {
        send(to, std::as_bytes(values));
    }
    /// @param values as many as are sent; filled when wait() returns
    template <typename T>
    void receiveAll(std::size_t from, std::span<T> values) {
        receive(from, std::as_writable_bytes(values));
    }

    /// Sums each value over all ranks. A collective call.
    void sum(std::span<double> values);
    /// Minimum of each value over all ranks. A collective call.
    void minimum(std::span<double> values);

    /// Waits for all messages and reductions.
    /// @throws Cancelled; received and reduced values may then be anything, but MPI writes into them no more
    void wait(const JobContext& job);

private:
    struct Requests;
    void send(std::size_t to, std::span<const std::byte> bytes);
    void receive(std::size_t from, std::span<std::byte> bytes);
    std::unique_ptr<Requests> requests_;
};

} // namespace assay
