#pragma once

#include "engine/base/job_context.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace assay {

/// The processes that mpirun started together. One object per process, made and used on its main thread.
class Communicator {
public:
    /// Joins the others; ends the process when that fails.
    Communicator();
    /// Waits until all have come to their end.
    ~Communicator();
    Communicator(const Communicator&) = delete;
    Communicator& operator=(const Communicator&) = delete;

    std::size_t rank() const noexcept { return rank_; }
    std::size_t ranks() const noexcept { return ranks_; }
    /// "rank 2 (node17)", for messages.
    std::string whoAmI() const;

    /// Threads for this process so that those of one node share its cores fairly.
    /// @param wanted 0: this process's share; else as wanted
    unsigned threads(unsigned wanted) const;

    /// Lets messages advance while there is other work to do.
    void poke() const;

    /// Ends all processes at once, whatever they are doing.
    [[noreturn]] void abort(int exitCode) const;

private:
    std::size_t rank_ = 0;
    std::size_t ranks_ = 1;
};

/// Messages under way between processes, none of which blocks. Messages from one process to another arrive in the order
/// in which they were sent, however long they are.
class Messages {
public:
    Messages();
    ~Messages();
    Messages(const Messages&) = delete;
    Messages& operator=(const Messages&) = delete;

    /// @param bytes stay as they are until wait() has returned
    void send(std::size_t to, std::span<const std::byte> bytes);
    /// @param bytes exactly as many as are sent; theirs once wait() has returned
    void receive(std::size_t from, std::span<std::byte> bytes);

    template <typename T>
    void sendAll(std::size_t to, std::span<const T> values) {
        send(to, std::as_bytes(values));
    }
    template <typename T>
    void receiveAll(std::size_t from, std::span<T> values) {
        receive(from, std::as_writable_bytes(values));
    }

    /// Adds up each value over all ranks, which all have to call this.
    void sum(std::span<double> values);
    /// The smallest over all ranks, which all have to call this.
    void smallest(std::span<double> values);

    /// Waits for everything that is under way. @throws Cancelled
    void wait(const JobContext& job);

private:
    struct Requests;
    std::unique_ptr<Requests> requests_;
};

} // namespace assay
