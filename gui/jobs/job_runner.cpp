#include "gui/jobs/job_runner.h"

#include <QCoreApplication>
#include <QEvent>

#include <exception>
#include <new>
#include <string>

#ifdef __linux__
#include <sys/resource.h>
#endif
#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace assay {
namespace {

// Qt hands jobs and their news from thread to thread. It is not built with ThreadSanitizer, which is told here.
void handingOver() {
#ifdef __SANITIZE_THREAD__
    static char qt;
    __tsan_acquire(&qt);
    __tsan_release(&qt);
#endif
}

/// Of this thread and those that it starts: a job that takes every core must not make the window wait.
void lowerThreadPriority() {
#ifdef __linux__
    constexpr int kNice = 10;
    setpriority(PRIO_PROCESS, 0, kNice); // on Linux of the calling thread alone; refused only to lower what is low
#endif
}

} // namespace

/// What a job has to say on the runner's thread.
class JobRunner::News : public QEvent {
public:
    News(std::uint64_t job, std::function<void()> act) : QEvent(User), id(job), action(std::move(act)) {}
    ~News() override { handingOver(); } // unheard, perhaps

    std::uint64_t id;
    std::function<void()> action;
};

void RunningJob::deliver(std::function<void()> action) const {
    runner_->post(id_, [runner = runner_, action = std::move(action)] {
        if (!runner->stop_.stop_requested())
            action();
    });
}

JobRunner::JobRunner(QObject* parent, Now now) : QObject(parent), now_(std::move(now)) {
    worker_.setMaxThreadCount(1);
}

JobRunner::~JobRunner() {
    stop_.request_stop();
    worker_.clear();
    worker_.waitForDone();
    // Events that the job posted to this object are deleted with it.
}

void JobRunner::startErased(const QString& title, Work work) {
    stop_.request_stop();
    stop_ = std::stop_source();
    title_ = title;
    running_ = true;
    worker_.clear(); // of a job that waits for the one before to stop
    std::function<void()> job = [this, id = ++newest_, work = std::move(work), stop = stop_.get_token()] {
        handingOver();
        lowerThreadPriority();
        post(id, [this, finish = execute(id, work, stop)] {
            running_ = false;
            finish();
            emit ended();
        });
    };
    handingOver();
    worker_.start(std::move(job));
    emit started(title);
}

void JobRunner::cancel() {
    if (running_)
        stop_.request_stop();
}

JobRunner::Finish JobRunner::execute(std::uint64_t id, const Work& work, const std::stop_token& stop) {
    const auto fail = [this](ErrorKind kind, const QString& message) -> Finish {
        return [this, error = Error(kind, message.toStdString())] { emit failed(error); };
    };
    const Finish stopped = [this] { emit cancelled(); };
    try {
        const RunningJob running(this, id, JobContext(stop, throttledSink(id)));
        running.context().throwIfStopped();
        // Asked to stop after the last checkpoint: the person cancelled, so the result is not wanted either.
        return [this, stopped, stop, finish = work(running)] {
            if (stop.stop_requested()) {
                stopped();
                return;
            }
            finish();
            emit finished();
        };
    } catch (const Cancelled&) {
        return stopped;
    } catch (const Error& error) {
        return fail(error.kind(), QString::fromStdString(error.what()));
    } catch (const std::bad_alloc&) {
        return fail(ErrorKind::NotEnoughMemory, tr("There is not enough memory for this."));
    } catch (const std::exception& error) {
        return fail(ErrorKind::InvalidArgument, tr("Unexpected failure: %1").arg(QString::fromStdString(error.what())));
    } catch (...) {
        return fail(ErrorKind::InvalidArgument, tr("Unexpected failure of an unknown kind."));
    }
}

void JobRunner::post(std::uint64_t id, std::function<void()> action) {
    auto* news = new News(id, std::move(action));
    handingOver();
    QCoreApplication::postEvent(this, news);
}

void JobRunner::customEvent(QEvent* event) {
    const auto* news = static_cast<const News*>(event);
    handingOver();
    if (news->id == newest_)
        news->action();
}

ProgressSink JobRunner::throttledSink(std::uint64_t id) {
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::milliseconds kInterval{33};
    struct Last {
        Clock::time_point time;
        std::string stage;
    };
    // Shared, because every part of a context carries a copy of the sink.
    return [this, id, last = std::make_shared<Last>()](const Progress& progress) {
        const Clock::time_point now = now_();
        if (progress.stage == last->stage && now - last->time < kInterval)
            return;
        *last = {now, progress.stage};
        post(id, [this, fraction = progress.fraction, text = QString::fromStdString(progress.stage)] {
            if (!stop_.stop_requested())
                emit progressChanged(fraction, text);
        });
    };
}

} // namespace assay
