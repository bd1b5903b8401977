#include "gui/app/screenshot.h"

#include "gui/session/audit_session.h"

#include <QPixmap>
#include <QWidget>

namespace assay {
namespace {

// Long enough for layouts, thumbnails and the 3D view to come to rest.
constexpr int kSettleMs = 1500;

} // namespace

Screenshot::Screenshot(QWidget* window, AuditSession* session, const QString& file)
    : QObject(window), window_(window), session_(session), file_(file) {
    settle_.setInterval(kSettleMs);
    settle_.setSingleShot(true);
    connect(&settle_, &QTimer::timeout, this, &Screenshot::takeWhenIdle);
    connect(session_, &AuditSession::busyChanged, &settle_, qOverload<>(&QTimer::start));
    connect(session_, &AuditSession::failed, this, [this](const QString& title, const QString& message) {
        problem_ = title + QStringLiteral(": ") + message;
    });
    settle_.start();
}

void Screenshot::takeWhenIdle() {
    if (session_->isBusy()) // busyChanged starts the timer again
        return;
    if (problem_.isEmpty() && !window_->grab().save(file_, "PNG"))
        problem_ = tr("%1 could not be written").arg(file_);
    emit finished(problem_);
}

} // namespace assay
