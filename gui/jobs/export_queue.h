#pragma once

#include "gui/jobs/job_runner.h"

#include <QObject>

#include <deque>
#include <functional>

namespace assay {

/// Writes files in the background, one after the other; a new export never stops an earlier one.
class ExportQueue : public QObject {
    Q_OBJECT

public:
    explicit ExportQueue(QObject* parent = nullptr);

    /// @param write runs on the worker thread; may throw
    /// @param done  called once the file is there
    void add(const QString& file, std::function<void(const RunningJob&)> write, std::function<void()> done = {});
    /// Stops the export that runs; those that wait are forgotten.
    void cancel();

    JobRunner* jobs() noexcept { return &jobs_; }
    const JobRunner* jobs() const noexcept { return &jobs_; }

signals:
    void exported(const QString& file);

private:
    void next();

    std::deque<std::function<void()>> waiting_;
    JobRunner jobs_; // last: its thread ends first
};

} // namespace assay
