#include "gui/jobs/python_checker.h"

#include "gui/jobs/network_embedder.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTimer>

#include <chrono>
#include <utility>

namespace assay {
namespace {

constexpr std::chrono::minutes kMostTime{2}; ///< torch on a cold network drive takes its time

QString keyOf(const QString& python, const QString& network) {
    return python + QLatin1Char('\n') + network;
}

QString lastLineOf(const QByteArray& text) {
    return QString::fromUtf8(text.trimmed().split('\n').last()).trimmed();
}

} // namespace

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
    QTimer::singleShot(kMostTime, process_, &QProcess::kill);
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
