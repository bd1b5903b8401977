#pragma once

#include "gui/jobs/job_runner.h"

#include "engine/base/time_left.h"

#include <QTimer>
#include <QWidget>

#include <chrono>
#include <functional>
#include <vector>

class QLabel;
class QProgressBar;

namespace assay {

/// What runs in the background, for the status bar: stage, progress, the time left once that can be told, and a button
/// that cancels. Of several jobs the first one; how many others run is told, too. Hidden while all are idle.
class JobIndicator : public QWidget {
    Q_OBJECT

public:
    /// Whose jobs are told, and how they are cancelled where JobRunner::cancel() is not all.
    struct Source {
        JobRunner* runner; ///< outlives the widget
        std::function<void()> cancel{};
        std::chrono::milliseconds after{0}; ///< jobs that end sooner are not worth a word
    };

    /// @param sources those before go before others
    /// @param now     the time that the time left is estimated from
    explicit JobIndicator(std::vector<Source> sources, QWidget* parent = nullptr,
                          Now now = std::chrono::steady_clock::now);

private:
    struct Told {
        Source source;
        QTimer* late;
        bool due = false; ///< runs, and has for long enough
        double fraction = 0.0;
        QString stage{};
        TimeLeft left{};
    };

    void follow(std::size_t which);
    void refresh();
    void showStage();
    void showTimeLeft();

    std::vector<Told> told_;
    std::size_t shown_ = 0;
    Now now_;
    QLabel* stage_;
    QProgressBar* bar_;
    QTimer tick_; ///< the time left also changes while the job is silent
};

} // namespace assay
