#pragma once

#include "gui/jobs/job_runner.h"

#include "widgets/link/linked_view.h"

#include <QObject>
#include <QString>

#include <functional>
#include <memory>
#include <vector>

namespace assay {

/// Works out what panels ask for, in the background. Each question of a panel has a runner of its own, on which the
/// newest request wins. A panel shows that a request has failed or was stopped, and offers to try again.
class PanelJobs : public QObject {
    Q_OBJECT

public:
    explicit PanelJobs(QObject* parent = nullptr) : QObject(parent) {}

    /// Has each `wanted` answered.
    /// @param panel  shows failures; the runner ends with it
    /// @param asker  has the signal: the panel, or a part of it
    /// @param title  of the job, for people: "Looking for pairs"
    /// @param work   called on a worker thread with what the signal says and a JobContext; returns a shared_ptr
    /// @param show   called with what `work` returned, on the window's thread; a member function of the asker
    /// @return the runner
    template <class Asker, class... Asked, class Work, class Show>
    JobRunner* answer(LinkedView* panel, Asker* asker, void (Asker::*wanted)(Asked...), const QString& title, Work work,
                      Show show) {
        using Result = typename std::invoke_result_t<Work, Asked..., const JobContext&>::element_type;
        JobRunner* runner = addRunner(panel);
        connect(asker, wanted, runner, [=, this](Asked... asked) {
            request(panel, runner, [=] {
                runner->start<Result>(
                    title, [=](const RunningJob& job) { return work(asked..., job.context()); },
                    [=](std::shared_ptr<const Result> result) { std::invoke(show, asker, std::move(result)); });
            });
        });
        return runner;
    }

    /// The runners of all panels, in the order in which they were made.
    const std::vector<JobRunner*>& runners() const noexcept { return runners_; }
    bool isRunning() const;
    void cancel();

signals:
    void runnerAdded(assay::JobRunner* runner);

private:
    JobRunner* addRunner(LinkedView* panel);
    /// Starts a job, which can be started again where it fails.
    void request(LinkedView* panel, JobRunner* runner, const std::function<void()>& start);

    std::vector<JobRunner*> runners_;
};

} // namespace assay
