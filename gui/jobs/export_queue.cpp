#include "gui/jobs/export_queue.h"

#include <QFileInfo>

namespace assay {

ExportQueue::ExportQueue(QObject* parent) : QObject(parent) {
    connect(&jobs_, &JobRunner::ended, this, &ExportQueue::next);
}

void ExportQueue::add(const QString& file, std::function<void(const RunningJob&)> write, std::function<void()> done) {
    waiting_.push_back([this, file, write = std::move(write), done = std::move(done)] {
        jobs_.start<QString>(
            tr("Exporting %1").arg(QFileInfo(file).fileName()),
            [file, write](const RunningJob& job) {
                write(job);
                return std::make_shared<const QString>(file);
            },
            [this, done](const std::shared_ptr<const QString>& written) {
                if (done)
                    done();
                emit exported(*written);
            });
    });
    next();
}

void ExportQueue::next() {
    if (jobs_.isRunning() || waiting_.empty())
        return;
    const std::function<void()> begin = std::move(waiting_.front());
    waiting_.pop_front();
    begin();
}

void ExportQueue::cancel() {
    waiting_.clear();
    jobs_.cancel();
}

} // namespace assay
