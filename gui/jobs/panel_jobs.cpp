#include "gui/jobs/panel_jobs.h"

#include "widgets/link/panel.h"

#include <algorithm>

namespace assay {

PanelJobs::Asked& PanelJobs::askedOf(Panel* panel, const std::string& question) {
    const Key key{panel, question};
    const auto known = asked_.find(key);
    if (known != asked_.end())
        return known->second;
    auto* runner = new JobRunner(panel);
    connect(runner, &QObject::destroyed, this, [this, key] { asked_.erase(key); });
    const auto offer = [this, panel, key](const QString& problem) {
        panel->showProblem(problem, [this, key] { start(key); });
    };
    connect(runner, &JobRunner::failed, panel, [runner, offer](const Error& error) {
        offer(tr("%1 failed: %2").arg(runner->title(), QString::fromUtf8(error.what())));
    });
    connect(runner, &JobRunner::cancelled, panel, [this, runner, key, offer] {
        if (!asked_.at(key).isPaused)
            offer(tr("%1: stopped.").arg(runner->title()));
    });
    connect(runner, &JobRunner::finished, this, [this, key, runner] {
        if (!runner->isRunning()) // else the answer has led to another request
            asked_.at(key).request = {};
    });
    const auto isOfPanel = [panel](const auto& one) { return one.first.first == panel; };
    if (std::ranges::none_of(asked_, isOfPanel)) {
        connect(panel, &Panel::watchedChanged, this, [this, panel](bool isWatched) { pause(panel, isWatched); });
        connect(panel, &Panel::auditLeft, this, [this, panel] { forget(panel); });
    }
    Asked& asked = asked_[key];
    asked.runner = runner;
    emit runnerAdded(runner);
    return asked;
}

void PanelJobs::request(Panel* panel, const PanelRequest& request) {
    const std::string question(request.question);
    askedOf(panel, question).request = request;
    start({panel, question});
}

void PanelJobs::start(const Key& key) {
    Asked& asked = asked_.at(key);
    if (!asked.request.work)
        return; // of an audit that has been left
    asked.isPaused = false;
    key.first->hideProblem();
    const PanelRequest& request = asked.request;
    asked.runner->start<void>(
        request.title, [work = request.work](const RunningJob& job) { return work(job.context()); }, request.show);
}

void PanelJobs::pause(Panel* panel, bool isWatched) {
    for (auto& [key, asked] : asked_) {
        if (key.first != panel)
            continue;
        if (!isWatched && asked.runner->isRunning()) {
            asked.isPaused = true;
            asked.runner->cancel();
        } else if (isWatched && asked.isPaused && asked.request.work) {
            start(key);
        }
    }
}

void PanelJobs::forget(Panel* panel) {
    for (auto& [key, asked] : asked_)
        if (key.first == panel) {
            asked.isPaused = true; // nobody is told that it was stopped
            asked.runner->cancel();
            asked.request = {};
        }
}

bool PanelJobs::isRunning() const {
    return std::ranges::any_of(asked_, [](const auto& one) { return one.second.runner->isRunning(); });
}

void PanelJobs::cancel() {
    for (auto& [key, asked] : asked_)
        asked.runner->cancel();
}

} // namespace assay
