#pragma once

#include "engine/base/error.h"
#include "engine/base/job_context.h"

#include <QObject>
#include <QString>
#include <QThreadPool>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <utility>

namespace assay {

class JobRunner;

/// Returns the current time, on any thread. Tests set the time themselves.
using Now = std::function<std::chrono::steady_clock::time_point()>;

/// Arguments of a job's code on the worker thread.
class RunningJob {
public:
    const JobContext& context() const noexcept { return context_; }

    /// Runs `action` on the runner's thread, in order with the job's signals, unless the job is obsolete by then.
    void deliver(std::function<void()> action) const;

private:
    friend class JobRunner;
    RunningJob(JobRunner* runner, std::uint64_t id, JobContext context)
        : context_(std::move(context)), runner_(runner), id_(id) {}

    JobContext context_;
    JobRunner* runner_;
    std::uint64_t id_;
};

/// Runs one job at a time on one worker thread. Starting another stops the one before, which emits nothing any more.
///
/// Adds to Qt's thread pool what QPromise lacks: the engine's stop token and errors, and partial results in order.
///
/// Every signal and callback arrives on the thread the runner lives in, through its event loop. The destructor asks
/// for a stop and joins. Use from the runner's thread only, unless said otherwise.
class JobRunner : public QObject {
    Q_OBJECT

public:
    /// @param now the time that progress is throttled by
    explicit JobRunner(QObject* parent = nullptr, Now now = std::chrono::steady_clock::now);
    ~JobRunner() override;

    /// Starts a job, superseding a running one.
    /// @param title     for people: "Opening gan.npz"
    /// @param work      runs on the worker thread; may throw
    /// @param onResult  gets what `work` returned, unless the job failed, was cancelled or superseded
    template <class T>
    void start(const QString& title, std::function<std::shared_ptr<const T>(const RunningJob&)> work,
               std::function<void(std::shared_ptr<const T>)> onResult) {
        startErased(title, [work = std::move(work), onResult = std::move(onResult)](const RunningJob& job) {
            return [onResult, result = work(job)] { onResult(result); };
        });
    }

    /// Asks the running job to stop; `cancelled` follows once it has.
    void cancel();

    /// True from start() until finished, failed or cancelled is emitted.
    bool isRunning() const noexcept { return running_; }
    QString title() const { return title_; }

signals:
    void started(const QString& title);
    /// At most about 30 a second, but every change of stage. @param fraction in [0, 1]
    void progressChanged(double fraction, const QString& stage);
    /// The result has been handed on.
    void finished();
    void failed(const assay::Error& error);
    void cancelled();
    /// After any of these three.
    void ended();

protected:
    void customEvent(QEvent* event) override;

private:
    friend class RunningJob;
    class News;
    using Finish = std::function<void()>;
    using Work = std::function<Finish(const RunningJob&)>;

    void startErased(const QString& title, Work work);
    /// Runs a job on the worker thread. @return what to do on the runner's thread
    Finish execute(std::uint64_t id, const Work& work, const std::stop_token& stop);
    /// From any thread: runs `action` on the runner's thread if `id` is still the newest job.
    void post(std::uint64_t id, std::function<void()> action);
    ProgressSink throttledSink(std::uint64_t id);

    Now now_; ///< called by the worker, never set again

    // Runner's thread only.
    bool running_ = false;
    QString title_;
    std::uint64_t newest_ = 0;
    std::stop_source stop_;

    QThreadPool worker_; ///< of one thread; last: ends before what its job uses goes
};

} // namespace assay
