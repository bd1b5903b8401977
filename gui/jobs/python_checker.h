#pragma once

#include <QHash>
#include <QObject>
#include <QString>

class QProcess;

namespace assay {

/// Asks Python environments whether they can run a network of assay-embed (`--check`), beside the window. The newest
/// question wins; answers are remembered.
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
