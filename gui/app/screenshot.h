#pragma once

#include <QObject>
#include <QString>
#include <QTimer>

class QWidget;

namespace assay {

class AuditSession;

/// Saves a picture of a window once the session has been idle for a moment. For documentation.
class Screenshot : public QObject {
    Q_OBJECT

public:
    Screenshot(QWidget* window, AuditSession* session, const QString& file);

signals:
    /// @param problem empty when the picture was written
    void finished(const QString& problem);

private:
    void takeWhenIdle();

    QWidget* window_;
    AuditSession* session_;
    QString file_;
    QTimer settle_;
    QString problem_;
};

} // namespace assay
