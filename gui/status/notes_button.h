#pragma once

#include <QStringList>
#include <QToolButton>

namespace assay {

struct AuditResult;

/// Notes on an audit: those of the readers, each with its file (rows left out, an embedding that stands in for one),
/// and graphics cards that were left out.
QStringList notesOf(const AuditResult& audit);

/// A button of the status bar that says how many notes there are, and shows them in full on a click. Hidden without
/// any.
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
