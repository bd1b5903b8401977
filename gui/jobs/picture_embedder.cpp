#include "gui/jobs/picture_embedder.h"

#include "gui/jobs/embed_location.h"

#include "engine/base/error.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPointer>
#include <QProcess>
#include <QTimer>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

#ifdef Q_OS_UNIX
#include <unistd.h>
#endif

namespace assay {
namespace {

constexpr std::chrono::milliseconds kLookInterval{50};
constexpr std::chrono::seconds kGrace{15}; ///< to keep what is done
constexpr int kGraceAtEndMs = 1000;

} // namespace

struct PictureEmbedder::Channel {
    std::mutex mutex;
    std::condition_variable changed;
    bool loading = false; ///< the network, which may have to be downloaded
    double done = 0.0;    ///< of all samples
    bool ended = false;
    QString problem; ///< empty: the output is there
};

PictureEmbedder::PictureEmbedder(QObject* parent) : QObject(parent) {}

PictureEmbedder::~PictureEmbedder() {
    if (!process_)
        return;
    process_->disconnect(this);
    process_->terminate();
    if (!process_->waitForFinished(kGraceAtEndMs))
        process_->kill();
    process_->waitForFinished(kGraceAtEndMs);
}

QString PictureEmbedder::program() {
    return QDir::cleanPath(
        QDir(QCoreApplication::applicationDirPath()).absoluteFilePath(QString::fromUtf8(kEmbedFromBin)));
}

void PictureEmbedder::embed(const Run& run, const JobContext& job) {
    const auto channel = std::make_shared<Channel>();
    const JobContext loading = job.part(tr("loading the network").toStdString(), 0.0, 0.0);
    job.checkpoint(0.0);
    QMetaObject::invokeMethod(
        this,
        [this, run, channel] {
            start({run, channel});
        },
        Qt::QueuedConnection);
    std::unique_lock lock(channel->mutex);
    while (!channel->ended) {
        channel->changed.wait_for(lock, kLookInterval);
        if (job.stopRequested())
            QMetaObject::invokeMethod(
                this, [this, channel] { stop(channel); }, Qt::QueuedConnection);
        const bool isLoading = channel->loading;
        const double done = channel->done;
        lock.unlock();
        if (isLoading)
            loading.checkpoint(0.0);
        else
            job.checkpoint(done);
        lock.lock();
    }
    if (!channel->problem.isEmpty())
        throw Error(ErrorKind::BadInput, channel->problem.toStdString());
}

void PictureEmbedder::start(const Wanted& wanted) {
    wanted_ = wanted; // one that still waits was given up
    if (!process_)
        startProcess();
}

void PictureEmbedder::stop(const std::shared_ptr<Channel>& channel) {
    if (wanted_ && wanted_->channel == channel)
        wanted_.reset();
    if (!process_ || channel_ != channel)
        return;
    process_->terminate();
    QTimer::singleShot(kGrace, process_, &QProcess::kill);
}

void PictureEmbedder::startProcess() {
    const auto [run, channel] = *std::exchange(wanted_, std::nullopt);
    channel_ = channel;
    unread_.clear();
    error_.clear();
    lastLine_.clear();
    done_ = false;
    process_ = new QProcess(this);
    process_->setStandardInputFile(QProcess::nullDevice());
    process_->setStandardOutputFile(QProcess::nullDevice());
#ifdef Q_OS_UNIX
    process_->setChildProcessModifier([] {
        constexpr int kNice = 10; // it takes every core
        if (nice(kNice) == -1)
            return; // then it runs as the window does
    });
#endif
    connect(process_, &QProcess::readyReadStandardError, this, &PictureEmbedder::readLines);
    connect(process_, &QProcess::finished, this, [this, python = run.python](int code, QProcess::ExitStatus status) {
        readLines();
        readLine(std::exchange(unread_, {}));
        if (status == QProcess::NormalExit && code == 0 && done_)
            end({});
        else if (!error_.isEmpty())
            end(error_);
        else if (status != QProcess::NormalExit)
            end(tr("assay-embed in %1 crashed or was killed. What is done is kept: the same audit goes on.")
                    .arg(python));
        else
            end(tr("assay-embed in %1 ended with exit code %2: %3").arg(python).arg(code).arg(lastLine_));
    });
    connect(process_, &QProcess::errorOccurred, this, [this, python = run.python](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) // nothing else follows
            end(tr("%1 cannot be started: %2").arg(python, process_->errorString()));
    });
    QDir().mkpath(QFileInfo(run.output).path());
    process_->start(run.python,
                    {program(), run.source, QStringLiteral("--out"), run.output, QStringLiteral("--model"), run.network,
                     QStringLiteral("--progress"), QStringLiteral("json"), QStringLiteral("--reuse")});
}

void PictureEmbedder::readLines() {
    unread_ += process_->readAllStandardError();
    const qsizetype behind = unread_.lastIndexOf('\n') + 1;
    const QList<QByteArray> lines = unread_.left(behind).split('\n');
    unread_.remove(0, behind);
    for (const QByteArray& line : lines)
        readLine(line);
}

void PictureEmbedder::readLine(const QByteArray& line) {
    if (line.trimmed().isEmpty())
        return;
    const QJsonObject report = QJsonDocument::fromJson(line).object();
    const QString event = report[QStringLiteral("event")].toString();
    if (event.isEmpty())
        lastLine_ = QString::fromUtf8(line).trimmed();
    else if (event == QLatin1String("error"))
        error_ = report[QStringLiteral("message")].toString();
    else if (event == QLatin1String("done"))
        done_ = true;
    else if (event == QLatin1String("progress"))
        tellProgress(report[QStringLiteral("stage")] == QLatin1String("Embedding"),
                     report[QStringLiteral("done")].toDouble(), report[QStringLiteral("total")].toDouble());
}

void PictureEmbedder::tellProgress(bool embedding, double done, double total) {
    const std::scoped_lock lock(channel_->mutex);
    channel_->loading = !embedding;
    if (embedding)
        channel_->done = std::clamp(done / std::max(1.0, total), 0.0, 1.0);
    channel_->changed.notify_one();
}

void PictureEmbedder::end(const QString& problem) {
    {
        const std::scoped_lock lock(channel_->mutex);
        channel_->ended = true;
        channel_->problem = problem;
        channel_->changed.notify_one();
    }
    channel_.reset();
    process_->deleteLater();
    process_ = nullptr;
    if (wanted_)
        startProcess();
}

} // namespace assay
