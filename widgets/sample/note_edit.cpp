#include "widgets/sample/note_edit.h"

#include <QApplication>
#include <QKeyEvent>

namespace assay {
namespace {

constexpr int kLongestNote = 2000; // characters

} // namespace

NoteEdit::NoteEdit(QWidget* parent) : QLineEdit(parent) {
    setMaxLength(kLongestNote);
    setPlaceholderText(tr("Note (N)"));
    setAccessibleName(tr("Note on this sample"));
    setFocusPolicy(Qt::ClickFocus); // N takes one here; Tab goes through what the panel shows
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget* from, QWidget* to) {
        if (to == this)
            before_ = from;
    });
    showNote(std::nullopt, {});
}

void NoteEdit::showNote(std::optional<SampleId> sample, const QString& note) {
    if (sample != sample_)
        keep(); // it was about the other one
    else if (isModified() && hasFocus() && note == note_)
        return; // something else has changed
    sample_ = sample;
    note_ = note;
    setText(note);
    setCursorPosition(0);
    setToolTip(note.isEmpty() ? tr("Note on this sample; it is saved with exports and in the audit file (N)")
                              : QStringLiteral("<p>%1</p>").arg(note.toHtmlEscaped()));
}

void NoteEdit::begin() {
    setFocus(Qt::ShortcutFocusReason);
    end(false);
}

void NoteEdit::keep() {
    if (!sample_ || !isModified())
        return;
    setModified(false);
    emit noteWritten(*sample_, text());
}

void NoteEdit::leave() {
    if (before_)
        before_->setFocus();
    else
        clearFocus();
}

bool NoteEdit::event(QEvent* event) {
    if (event->type() != QEvent::ShortcutOverride && event->type() != QEvent::KeyPress)
        return QLineEdit::event(event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    const bool enter = key == Qt::Key_Return || key == Qt::Key_Enter;
    if (!enter && key != Qt::Key_Escape)
        return QLineEdit::event(event);
    event->accept(); // the window's Escape would empty a field
    if (event->type() == QEvent::ShortcutOverride)
        return true;
    if (enter)
        keep();
    else
        setText(note_);
    leave();
    return true;
}

void NoteEdit::focusOutEvent(QFocusEvent* event) {
    QLineEdit::focusOutEvent(event);
    keep();
}

} // namespace assay
