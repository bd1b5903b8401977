#pragma once

#include "gui/jobs/job_runner.h"

#include "engine/job/time_left.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QProgressBar;

namespace assay {

/// What a runner is doing, for the status bar: stage, progress, the time left once that can be told, and a button that
/// cancels. Hidden while it is idle.
class JobIndicator : public QWidget {
    Q_OBJECT

public:
    /// @param runner outlives the widget
    /// @param now    the time that the time left is estimated from
    explicit JobIndicator(JobRunner* runner, QWidget* parent = nullptr, Now now = std::chrono::steady_clock::now);

private:
    void refresh();
    void showStage(const QString& stage);
    void showTimeLeft();

    JobRunner* runner_;
    Now now_;
    QLabel* stage_;
    QProgressBar* bar_;
    TimeLeft left_;
    QTimer tick_; ///< the time left also changes while the job is silent
};

} // namespace assay
