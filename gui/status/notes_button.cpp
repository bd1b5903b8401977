#include "gui/status/notes_button.h"

#include "gui/desktop/icons.h"
#include "gui/status/status_text.h"
#include "widgets/common/controls.h"

#include "engine/audit/result/audit_result.h"

#include <QMessageBox>

namespace assay {
namespace {

/// As a list in rich text, so that long notes wrap.
QString listOf(const QStringList& notes) {
    QString text;
    for (const QString& note : notes)
        text += QStringLiteral("<p>%1</p>").arg(note.toHtmlEscaped());
    return text;
}

} // namespace

QStringList notesOf(const AuditResult& audit) {
    QStringList notes;
    const auto add = [&](const EmbeddingSet& set) {
        for (const std::string& note : set.source().notes)
            notes << QString::fromStdString(note);
    };
    add(*audit.real->set);
    for (const auto& model : audit.models)
        add(*model->set);
    if (audit.heldOut)
        add(*audit.heldOut->audit->set);
    for (const auto& model : audit.models)
        notes << hardwareWords(*model).notice;
    notes.removeAll(QString());
    notes.removeDuplicates();
    return notes;
}

NotesButton::NotesButton(QWidget* parent) : QToolButton(parent) {
    setObjectName(QStringLiteral("notes"));
    setAutoRaise(true);
    setIcon(assay::icon(QStringLiteral("warning")));
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    connect(this, &QToolButton::clicked, this, &NotesButton::showNotes);
    hide();
}

void NotesButton::setNotes(const QStringList& notes) {
    notes_ = notes;
    setVisible(!notes.isEmpty());
    setText(notes.size() == 1 ? tr("1 note") : tr("%n notes", nullptr, static_cast<int>(notes.size())));
    setToolTip(tr("<p>What to know about this audit.</p>") + listOf(notes));
}

void NotesButton::showNotes() {
    newDialog<QMessageBox>("notesBox", QMessageBox::Information, tr("Notes on this audit"), listOf(notes_),
                           QMessageBox::Ok, window())
        ->open();
}

} // namespace assay
