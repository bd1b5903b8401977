#pragma once

#include "engine/base/job_context.h"

#include <QByteArray>
#include <QHash>
#include <QObject>
#include <QString>

#include <memory>
#include <optional>

class QProcess;

namespace assay {

/// Embeds pictures and series by assay-embed in a person's Python, a process at a time. Lives in the window's thread,
/// which only reads what the process says; each job waits for the process on its own thread.
class NetworkEmbedder : public QObject {
    Q_OBJECT

public:
    struct Run {
        QString python; ///< the executable
        QString source; ///< a file or folder of pictures, or a file of series; optionally with a key
        QString network;
        QString output;    ///< a finished one of this source and network is used again
        QString fits{};    ///< of series: the file of a network that is fitted on them
        QString applies{}; ///< of series: the file of a network that was fitted on the real ones
    };

    explicit NetworkEmbedder(QObject* parent = nullptr);
    /// Asks a running process to stop, and ends it where it does not at once: what is done is kept.
    ~NetworkEmbedder() override;

    /// Runs the program to its end. On a worker thread. When a stop is requested this ends at once, and the process
    /// when it has kept what is done; the next run waits for that.
    /// @throws Error{BadInput} with what the program says; Cancelled
    void embed(const Run& run, const JobContext& job);

    /// Where assay-embed lies: a folder that Python runs.
    static QString program();

private:
    /// Data that the waiting job shares with the window's thread.
    struct Channel;
    struct Wanted {
        Run run;
        std::shared_ptr<Channel> channel;
    };

    void start(const Wanted& wanted);
    void stop(const std::shared_ptr<Channel>& channel);
    void startProcess();
    void readLines();
    void readLine(const QByteArray& line);
    void tellProgress(const QString& stage, double done, double total);
    void end(const QString& problem);

    QProcess* process_ = nullptr;  ///< null: none runs
    std::optional<Wanted> wanted_; ///< begins when the process has ended
    std::shared_ptr<Channel> channel_;
    QByteArray unread_;
    QString error_;    ///< as the program says it
    QString lastLine_; ///< of whatever else is written: the last words of a traceback
    bool done_ = false;
};

/// Asks Pythons whether they can run a network (`assay-embed --check`). The newest wins; answers are remembered.
class PythonChecker : public QObject {
    Q_OBJECT

public:
    struct Answer {
        bool ready = false;
        QString problem; ///< a sentence that says what to install; empty when ready
        QString found;   ///< "Python 3.11.2, torch 2.1.0, timm 0.9.2; cuda"
    };

    explicit PythonChecker(QObject* parent = nullptr);
    ~PythonChecker() override;

    /// `answered` follows, unless the result is known already.
    void ask(const QString& python, const QString& network);
    /// Null while it is not known.
    const Answer* answer(const QString& python, const QString& network) const;
    /// Asks again: something may have been installed.
    void forget();

signals:
    void answered();

private:
    void end(const Answer& answer);
    Answer answerOf(const QByteArray& output, const QByteArray& errors) const;

    QHash<QString, Answer> answers_; ///< by key
    QString asked_;                  ///< key of the running question
    QString network_;
    QString python_;
    QProcess* process_ = nullptr;
};

} // namespace assay
