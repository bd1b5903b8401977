#pragma once

#include "engine/data/sample_set.h"

#include <QLineEdit>
#include <QPointer>

#include <optional>

namespace assay {

/// The note of one sample, to be read and written. Enter keeps what was typed and gives the keyboard back to whoever
/// had it; Escape gives it back with the note as it was. A click elsewhere, or another sample, keeps it as well.
class NoteEdit : public QLineEdit {
    Q_OBJECT

public:
    explicit NoteEdit(QWidget* parent);

    /// @param sample none: there is nothing to write about
    void showNote(std::optional<SampleId> sample, const QString& note);
    /// Takes the keyboard.
    void begin();

signals:
    void noteWritten(assay::SampleId sample, const QString& text);

protected:
    bool event(QEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void keep();
    void leave();

    std::optional<SampleId> sample_;
    QString note_;             ///< as it was shown last
    QPointer<QWidget> before_; ///< widget that had the keyboard focus
};

} // namespace assay
