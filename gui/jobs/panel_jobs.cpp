#include "gui/jobs/panel_jobs.h"

#include <algorithm>

namespace assay {

JobRunner* PanelJobs::addRunner(LinkedView* panel) {
    auto* runner = new JobRunner(panel);
    runners_.push_back(runner);
    connect(runner, &QObject::destroyed, this, [this, runner] { std::erase(runners_, runner); });
    emit runnerAdded(runner);
    return runner;
}

void PanelJobs::request(LinkedView* panel, JobRunner* runner, const std::function<void()>& start) {
    panel->hideProblem();
    const auto offer = [this, panel, runner, start](const QString& problem) {
        panel->showProblem(problem, [this, panel, runner, start] { request(panel, runner, start); });
    };
    runner->disconnect(panel);
    connect(runner, &JobRunner::failed, panel, [runner, offer](const Error& error) {
        offer(tr("%1 failed: %2").arg(runner->title(), QString::fromUtf8(error.what())));
    });
    connect(runner, &JobRunner::cancelled, panel, [runner, offer] { offer(tr("%1: stopped.").arg(runner->title())); });
    start();
}

bool PanelJobs::isRunning() const {
    return std::ranges::any_of(runners_, &JobRunner::isRunning);
}

void PanelJobs::cancel() {
    for (JobRunner* runner : runners_)
        runner->cancel();
}

} // namespace assay
