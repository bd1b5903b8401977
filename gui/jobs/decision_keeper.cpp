#include "gui/jobs/decision_keeper.h"

#include <QLockFile>

#include <mutex>
#include <utility>

namespace assay {

constexpr int kSoonMs = 300; // changes of one gesture are written once

/// Writes on any thread what is newer than what was written last.
class DecisionKeeper::InOrder {
public:
    void write(const std::string& file, const Numbered& numbered) {
        const std::scoped_lock lock(mutex_);
        if (numbered.number <= written_)
            return;
        if (numbered.decisions)
            writeDecisions(file, *numbered.decisions, *numbered.history);
        else
            writeHistory(file, *numbered.history);
        written_ = numbered.number;
    }

private:
    std::mutex mutex_;
    std::uint64_t written_ = 0;
};

DecisionKeeper::DecisionKeeper(QObject* parent) : QObject(parent), inOrder_(std::make_shared<InOrder>()) {
    soon_.setSingleShot(true);
    soon_.setInterval(kSoonMs);
    connect(&soon_, &QTimer::timeout, this, &DecisionKeeper::write);
    connect(&jobs_, &JobRunner::finished, this, [this] { writing_.reset(); });
    connect(&jobs_, &JobRunner::failed, this, [this](const Error& error) {
        writing_.reset();
        fail(QString::fromStdString(error.what()));
    });
}

DecisionKeeper::~DecisionKeeper() {
    flush();
}

void DecisionKeeper::keepIn(const QString& file) {
    if (file == file_ && problem_.isEmpty())
        return;
    flush();
    lock_.reset();
    file_ = file;
    problem_.clear();
    if (file_.isEmpty())
        return;
    lock_ = std::make_unique<QLockFile>(file_ + QStringLiteral(".lock"));
    lock_->setStaleLockTime(0); // only a process that has gone leaves a stale one
    if (lock_->tryLock(0))
        return;
    fail(lock_->error() == QLockFile::LockFailedError
             ? tr("%1 is already open in another window. Changes made here will not be saved.").arg(file_)
             : tr("%1 is in a folder that cannot be written to. Changes made here will not be saved.").arg(file_));
    lock_.reset();
}

void DecisionKeeper::keep(Decisions decisions, std::shared_ptr<const History> history) {
    await(std::move(decisions), std::move(history));
}

void DecisionKeeper::keepHistory(std::shared_ptr<const History> history) {
    // These data may replace those being written, so they must contain them.
    const std::optional<Numbered>& before = waiting_ ? waiting_ : writing_;
    await(before ? before->decisions : std::nullopt, std::move(history));
}

void DecisionKeeper::await(std::optional<Decisions> decisions, std::shared_ptr<const History> history) {
    if (!isKeeping())
        return;
    waiting_ = Numbered{++count_, std::move(decisions), std::move(history)};
    if (!soon_.isActive()) // a slider that never rests is kept all the same
        soon_.start();
}

void DecisionKeeper::write() {
    if (!waiting_)
        return;
    writing_ = std::exchange(waiting_, std::nullopt);
    jobs_.start<bool>(
        tr("Saving decisions"),
        [file = file_.toStdString(), numbered = *writing_, inOrder = inOrder_](const RunningJob&) {
            inOrder->write(file, numbered);
            return std::make_shared<const bool>(true);
        },
        [](const std::shared_ptr<const bool>&) {});
}

void DecisionKeeper::flush() {
    soon_.stop();
    const std::optional<Numbered> last = waiting_ ? waiting_ : writing_;
    waiting_.reset();
    writing_.reset();
    if (!last || !isKeeping())
        return;
    try {
        inOrder_->write(file_.toStdString(), *last);
    } catch (const Error& error) {
        fail(QString::fromStdString(error.what()));
    }
}

void DecisionKeeper::fail(const QString& message) {
    if (!problem_.isEmpty())
        return;
    problem_ = message;
    emit failed(file_, message);
}

} // namespace assay
