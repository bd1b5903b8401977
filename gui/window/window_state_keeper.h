#pragma once

#include "gui/desktop/settings.h"

#include <QObject>
#include <QString>
#include <QTimer>

class QMainWindow;

namespace assay {

class AuditSession;
class PanelDocks;
class Workspaces;

/// Shows and hides the panels with the open audit, and keeps how a person has arranged them and what they have chosen
/// in each: in the audit's file where there is one, else in the program's settings.
class WindowStateKeeper : public QObject {
    Q_OBJECT

public:
    /// All pointers outlive the keeper.
    WindowStateKeeper(QMainWindow* window, PanelDocks* docks, Workspaces* workspaces, AuditSession* session);

    /// Whether an audit is open, or which file it is in, has changed.
    void follow();
    /// Whether panels still find their sizes after an arrangement was shown: a change is then not the person's.
    bool isSettling() const noexcept { return settling_; }
    /// Keeps what has changed before this returns.
    void keepNow();

private:
    QString text() const;
    void arrange(const QString& text);
    void restored(const QString& text);
    void keep();

    PanelDocks* docks_;
    Workspaces* workspaces_;
    AuditSession* session_;
    Settings settings_;
    QString file_;  ///< whose arrangement is shown; empty: the program's
    QString shown_; ///< what was kept last, or came out of the file
    bool settling_ = false;
    QTimer soon_;
};

} // namespace assay
