#pragma once

#include <QString>
#include <QStringList>
#include <QToolButton>

namespace assay {

class AuditSession;
struct AuditResult;

/// One line about the open audit: "10,000 real, 10,000 synthetic, 128 dimensions, k = 5 | kept 8,312 | selected 37 |
/// scored in 0.9 s, exact, CPU (gemm)". Empty when nothing is open.
QString statusText(const AuditSession& session);
/// What the words of that line mean, as HTML; empty with it.
QString statusToolTip(const AuditSession& session);

/// Notes on an audit: those of the readers, each with its file (rows left out, an embedding that stands in for one),
/// and graphics cards that were left out.
QStringList notesOf(const AuditResult& audit);

/// A button of the status bar with the number of notes, which shows them on a click. Hidden without any.
class NotesButton : public QToolButton {
    Q_OBJECT

public:
    explicit NotesButton(QWidget* parent = nullptr);

    void setNotes(const QStringList& notes);

private:
    void showNotes();

    QStringList notes_;
};

} // namespace assay
