#pragma once

#include "engine/base/job_context.h"
#include "engine/base/parallel.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <type_traits>
#include <utility>

namespace assay {

/// Work that runs on a thread of the pool while the caller continues (runAlongside()). Movable; without work when
/// default-constructed and after get().
template <typename Result>
class Alongside {
public:
    Alongside() = default;
    template <typename Work>
    Alongside(unsigned threads, Work work) : shared_(std::make_shared<Shared>(std::move(work))) {
        startOnPool(threads, [shared = shared_] { shared->runUnlessBegun(); });
    }
    /// Waits for work that has begun; other work never runs.
    ~Alongside() {
        if (shared_ && !takeBack())
            shared_->result.wait();
    }
    Alongside(Alongside&&) noexcept = default;
    Alongside& operator=(Alongside&& other) noexcept {
        std::swap(shared_, other.shared_);
        return *this;
    }

    bool valid() const noexcept { return shared_ != nullptr; }

    /// Waits for the result, or rethrows the exception of the work. Runs work that has not begun itself.
    Result get() {
        const std::shared_ptr<Shared> shared = std::exchange(shared_, nullptr);
        shared->runUnlessBegun();
        return shared->result.get();
    }

    /// Takes back work that has not begun: it never runs. @return false for other work
    bool takeBack() {
        if (shared_->begun.exchange(true))
            return false;
        shared_->work = {};
        shared_.reset();
        return true;
    }

    /// Waits for work that has begun. @return whether it has ended
    bool waitFor(std::chrono::milliseconds most) const {
        return shared_->result.wait_for(most) == std::future_status::ready;
    }

private:
    struct Shared {
        template <typename Work>
        explicit Shared(Work given) : work(std::move(given)), result(work.get_future()) {}

        void runUnlessBegun() {
            if (begun.exchange(true))
                return;
            auto once = std::move(work); // frees what it holds when it has run
            once();
        }

        std::packaged_task<Result()> work;
        std::future<Result> result;
        std::atomic<bool> begun = false;
    };

    std::shared_ptr<Shared> shared_;
};

/// Starts work that uses one core while the caller continues; the caller's parallel loops then run on one thread fewer.
/// With one thread, or while the pool has no free thread, get() runs the work itself.
/// @param threads the caller's thread count; 0 for every core
/// @param work must report no progress: give it a JobContext made by silent(). It should check the stop token, because
/// the result's destructor waits for it
template <typename Work>
Alongside<std::invoke_result_t<Work&>> runAlongside(unsigned threads, Work work) {
    return {threads, std::move(work)};
}

/// Runs `call` on a detached thread, or on the calling thread if the system cannot start another. The process does not
/// wait for detached threads when it ends.
void runDetached(std::function<void()> call);

/// Runs a call that cannot check a stop token, such as one of LAPACK, and returns its result or rethrows its exception.
/// After a stop request this function throws Cancelled within some milliseconds; the call continues on another thread,
/// and its result is dropped.
/// @param call owns all data that it reads and writes, because it may outlive the caller
/// @throws Cancelled
template <typename Call>
std::invoke_result_t<Call&> runUninterruptible(const JobContext& job, Call call) {
    constexpr std::chrono::milliseconds kBetweenChecks{10};
    job.throwIfStopped();
    const auto task = std::make_shared<std::packaged_task<std::invoke_result_t<Call&>()>>(std::move(call));
    auto result = task->get_future();
    runDetached([task] { (*task)(); });
    while (result.wait_for(kBetweenChecks) != std::future_status::ready)
        job.throwIfStopped();
    return result.get();
}

} // namespace assay
