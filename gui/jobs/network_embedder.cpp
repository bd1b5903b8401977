#include "gui/jobs/network_embedder.h"

#include "gui/jobs/embed_location.h"

#include "engine/base/error.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
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

constexpr std::chrono::minutes kMaxTime{2}; ///< torch on a cold network drive takes its time
constexpr std::chrono::milliseconds kLookInterval{50};
constexpr std::chrono::seconds kGrace{15}; ///< to keep what is done
constexpr int kGraceAtEndMs = 1000;
constexpr double kFitShare = 0.99; ///< of a run that fits a network, by a hundred passes over the series

QString keyOf(const QString& python, const QString& network) {
    return python + QLatin1Char('\n') + network;
}

QString lastLineOf(const QByteArray& text) {
    return QString::fromUtf8(text.trimmed().split('\n').last()).trimmed();
}

} // namespace

struct NetworkEmbedder::Channel {
    enum class Stage { Loading, Fitting, Embedding };

    std::mutex mutex;
    std::condition_variable changed;
    Stage stage = Stage::Embedding; ///< loading: the network, which may have to be downloaded
    double done = 0.0;              ///< of the stage
    bool ended = false;
    QString problem; ///< empty: the output is there
};

NetworkEmbedder::NetworkEmbedder(QObject* parent) : QObject(parent) {}

NetworkEmbedder::~NetworkEmbedder() {
    if (!process_)
        return;
    process_->disconnect(this);
    process_->terminate();
    if (!process_->waitForFinished(kGraceAtEndMs))
        process_->kill();
    process_->waitForFinished(kGraceAtEndMs);
}

QString NetworkEmbedder::program() {
    return QDir::cleanPath(
        QDir(QCoreApplication::applicationDirPath()).absoluteFilePath(QString::fromUtf8(kEmbedFromBin)));
}

void NetworkEmbedder::embed(const Run& run, const JobContext& job) {
    const auto channel = std::make_shared<Channel>();
    const JobContext loading = job.part(tr("loading the network").toStdString(), 0.0, 0.0);
    const double fitShare = run.fits.isEmpty() ? 0.0 : kFitShare;
    const JobContext fitting = job.part(tr("fitting the network").toStdString(), 0.0, fitShare);
    const JobContext embedding = job.part({}, fitShare, 1.0);
    job.checkpoint(0.0);
    QMetaObject::invokeMethod(this, [this, run, channel] { start({run, channel}); }); // in the window's thread
    std::unique_lock lock(channel->mutex);
    while (!channel->ended) {
        channel->changed.wait_for(lock, kLookInterval);
        if (job.stopRequested())
            QMetaObject::invokeMethod(this, [this, channel] { stop(channel); });
        const Channel::Stage stage = channel->stage;
        const double done = channel->done;
        lock.unlock();
        (stage == Channel::Stage::Loading   ? loading
         : stage == Channel::Stage::Fitting ? fitting
                                            : embedding)
            .checkpoint(done);
        lock.lock();
    }
    if (!channel->problem.isEmpty())
        throw Error(ErrorKind::BadInput, channel->problem.toStdString());
}

void NetworkEmbedder::start(const Wanted& wanted) {
    wanted_ = wanted; // one that still waits was given up
    if (!process_)
        startProcess();
}

void NetworkEmbedder::stop(const std::shared_ptr<Channel>& channel) {
    if (wanted_ && wanted_->channel == channel)
        wanted_.reset();
    if (!process_ || channel_ != channel)
        return;
    process_->terminate();
    QTimer::singleShot(kGrace, process_, &QProcess::kill);
}

void NetworkEmbedder::startProcess() {
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
    connect(process_, &QProcess::readyReadStandardError, this, &NetworkEmbedder::readLines);
    connect(process_, &QProcess::finished, this, [this, python = run.python](int code, QProcess::ExitStatus status) {
        readLines();
        readLine(std::exchange(unread_, {}));
        if (status == QProcess::NormalExit && code == 0 && done_)
            end({});
        else if (!error_.isEmpty())
            end(error_);
        else if (status != QProcess::NormalExit)
            end(tr("assay-embed in %1 crashed or was killed. Finished embeddings are kept: opening the same audit "
                   "again continues.")
                    .arg(python));
        else
            end(tr("assay-embed in %1 ended with exit code %2: %3").arg(python).arg(code).arg(lastLine_));
    });
    connect(process_, &QProcess::errorOccurred, this, [this, python = run.python](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) // nothing else follows
            end(tr("%1 cannot be started: %2").arg(python, process_->errorString()));
    });
    QDir().mkpath(QFileInfo(run.output).path());
    QStringList arguments{"-B",       program(), run.source, "--out",
                          run.output, "--model", run.network}; // -B as in python_converter.cpp
    arguments << "--progress"
              << "json"
              << "--reuse";
    if (!run.fits.isEmpty())
        arguments << "--save-weights" << run.fits;
    if (!run.applies.isEmpty())
        arguments << "--weights" << run.applies;
    process_->start(run.python, arguments);
}

void NetworkEmbedder::readLines() {
    unread_ += process_->readAllStandardError();
    const qsizetype behind = unread_.lastIndexOf('\n') + 1;
    const QList<QByteArray> lines = unread_.left(behind).split('\n');
    unread_.remove(0, behind);
    for (const QByteArray& line : lines)
        readLine(line);
}

void NetworkEmbedder::readLine(const QByteArray& line) {
    if (line.trimmed().isEmpty())
        return;
    const QJsonObject report = QJsonDocument::fromJson(line).object();
    const QString event = report[QLatin1String("event")].toString();
    if (event.isEmpty())
        lastLine_ = QString::fromUtf8(line).trimmed();
    else if (event == QLatin1String("error"))
        error_ = report[QLatin1String("message")].toString();
    else if (event == QLatin1String("done"))
        done_ = true;
    else if (event == QLatin1String("progress"))
        tellProgress(report[QLatin1String("stage")].toString(), report[QLatin1String("done")].toDouble(),
                     report[QLatin1String("total")].toDouble());
}

void NetworkEmbedder::tellProgress(const QString& stage, double done, double total) {
    const std::scoped_lock lock(channel_->mutex);
    channel_->stage = stage == QLatin1String("Embedding") ? Channel::Stage::Embedding
                      : stage == QLatin1String("Fitting") ? Channel::Stage::Fitting
                                                          : Channel::Stage::Loading;
    channel_->done = std::clamp(done / std::max(1.0, total), 0.0, 1.0);
    channel_->changed.notify_one();
}

void NetworkEmbedder::end(const QString& problem) {
    {
        const std::scoped_lock lock(channel_->mutex);
        channel_->ended = true;
        channel_->problem = problem;
        channel_->changed.notify_one();
    }
    channel_.reset();
    std::exchange(process_, nullptr)->deleteLater();
    if (wanted_)
        startProcess();
}

PythonChecker::PythonChecker(QObject* parent) : QObject(parent) {}

PythonChecker::~PythonChecker() {
    if (!process_)
        return;
    process_->disconnect(this);
    process_->kill();
    process_->waitForFinished(1000);
}

const PythonChecker::Answer* PythonChecker::answer(const QString& python, const QString& network) const {
    const auto found = answers_.constFind(keyOf(python, network));
    return found == answers_.constEnd() ? nullptr : &*found;
}

void PythonChecker::forget() {
    answers_.clear();
}

void PythonChecker::ask(const QString& python, const QString& network) {
    const QString key = keyOf(python, network);
    if (answers_.contains(key) || (process_ && asked_ == key))
        return;
    if (process_) {
        process_->disconnect(this);
        process_->setParent(nullptr); // it may still be ending when this is gone
        connect(process_, &QProcess::finished, process_, &QObject::deleteLater);
        process_->kill();
    }
    asked_ = key;
    network_ = network;
    python_ = python;
    process_ = new QProcess(this);
    process_->setStandardInputFile(QProcess::nullDevice());
    connect(process_, &QProcess::finished, this,
            [this] { end(answerOf(process_->readAllStandardOutput(), process_->readAllStandardError())); });
    connect(process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            end({false, tr("%1 cannot be started: %2").arg(python_, process_->errorString()), {}});
    });
    QTimer::singleShot(kMaxTime, process_, &QProcess::kill);
    process_->start(python, {QStringLiteral("-B"), NetworkEmbedder::program(), QStringLiteral("--check"),
                             QStringLiteral("--model"), network});
}

void PythonChecker::end(const Answer& answer) {
    answers_.insert(asked_, answer);
    std::exchange(process_, nullptr)->deleteLater();
    emit answered();
}

PythonChecker::Answer PythonChecker::answerOf(const QByteArray& output, const QByteArray& errors) const {
    const QJsonObject answer = QJsonDocument::fromJson(output).object();
    const QJsonObject model = answer[QStringLiteral("models")][network_].toObject();
    if (model.isEmpty()) {
        const QString words = lastLineOf(errors);
        return {false,
                words.isEmpty() ? tr("%1 is no Python that can run assay-embed.").arg(python_)
                                : tr("%1 cannot run assay-embed: %2").arg(python_, words),
                {}};
    }
    QStringList install;
    const QJsonArray packages = model[QStringLiteral("install")].toArray();
    for (const auto& package : packages)
        install << package.toString();
    if (!install.isEmpty())
        return {false,
                tr("%1 lacks packages. Install them with:\n%1 -m pip install %2")
                    .arg(python_, install.join(QLatin1Char(' '))),
                {}};
    if (!model[QStringLiteral("ready")].toBool())
        return {false, model[QStringLiteral("problem")].toString(), {}};
    QStringList found{tr("Python %1").arg(answer[QStringLiteral("version")].toString())};
    const QString torch = answer[QStringLiteral("packages")][QStringLiteral("torch")].toString();
    if (!torch.isEmpty())
        found << tr("torch %1").arg(torch);
    if (const QString device = answer[QStringLiteral("devices")][0].toString(); !device.isEmpty())
        found << (device == QLatin1String("cpu") ? tr("on the processor: slow for large networks")
                                                 : tr("on %1").arg(device));
    return {true, {}, found.join(QStringLiteral(", "))};
}

} // namespace assay
