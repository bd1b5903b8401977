#pragma once

#include "gui/jobs/audit_files.h"

#include <QList>
#include <QWidget>

class QLabel;
class QVBoxLayout;

namespace assay {

/// Page of the window while nothing is open: the purpose of the program, and every way to begin.
class StartPage : public QWidget {
    Q_OBJECT

public:
    explicit StartPage(QWidget* parent = nullptr);

    void setRecentAudits(const QList<AuditFiles>& audits);
    /// Says what is being opened, in place of the hint about dropping files. @param title of the job; empty: none runs
    void showJob(const QString& title);

signals:
    void openRequested();
    void demoRequested();
    /// Open the demo and lead through its findings.
    void tourRequested();
    /// What files can be opened, and what has to be in them.
    void filesHelpRequested();
    void recentRequested(const assay::AuditFiles& files);

private:
    QWidget* makeRecentRow(const AuditFiles& files);

    QLabel* purpose_;
    QLabel* dropHint_;
    QLabel* recentTitle_;
    QWidget* recentList_;
    QVBoxLayout* recentLayout_;
};

/// One line for people: "real.npz: gan, vae and 2 more".
QString auditSummary(const AuditFiles& files);

/// The first file of an audit that is not there any more; empty when all are.
QString missingFile(const AuditFiles& files);

} // namespace assay
