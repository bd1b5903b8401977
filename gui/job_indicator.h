#pragma once

#include <QWidget>

class QLabel;
class QProgressBar;

namespace assay {

class JobRunner;

/// What a runner is doing, for the status bar: stage, progress and a button that cancels. Hidden while it is idle.
class JobIndicator : public QWidget {
    Q_OBJECT

public:
    /// @param runner outlives the widget
    explicit JobIndicator(JobRunner* runner, QWidget* parent = nullptr);

private:
    void refresh();
    void showStage(const QString& stage);

    JobRunner* runner_;
    QLabel* stage_;
    QProgressBar* bar_;
};

} // namespace assay
