#pragma once

#include "gui/jobs/job_runner.h"

#include "engine/base/time_left.h"

#include <QTimer>
#include <QWidget>

#include <chrono>
#include <deque>
#include <functional>
#include <vector>

class QLabel;
class QProgressBar;

namespace assay {

/// Background jobs in the status bar: stage, progress, time left once there is an estimate, and a cancel button. Shows
/// the first of several running jobs, and how many others run. Hidden while all are idle.
class JobIndicator : public QWidget {
    Q_OBJECT

public:
    /// A runner whose jobs are shown.
    struct Source {
        JobRunner* runner;                  ///< outlives the widget
        std::function<void()> cancel{};     ///< cancels a job; empty: JobRunner::cancel()
        std::chrono::milliseconds after{0}; ///< jobs that end sooner are not shown
    };

    /// @param sources in order of precedence
    /// @param now current time, for the estimate of the time left
    explicit JobIndicator(std::vector<Source> sources, QWidget* parent = nullptr,
                          Now now = std::chrono::steady_clock::now);

    /// Shows the jobs of a further runner, after those of the others.
    void add(Source source);

private:
    struct Watched {
        Source source;
        QTimer* late;
        bool due = false; ///< runs, and has for long enough
        double fraction = 0.0;
        QString stage{};
        TimeLeft left{};
    };

    void refresh();
    void showStage();
    void showTimeLeft();

    std::deque<Watched> watched_; ///< grows; places stay
    std::size_t shown_ = 0;
    Now now_;
    QLabel* stage_;
    QProgressBar* bar_;
    QTimer tick_; ///< the time left also changes while the job is silent
};

} // namespace assay
