#pragma once

#include "gui/desktop/file_prompts.h"

#include <QString>

#include <functional>
#include <vector>

class QLabel;
class QLineEdit;
class QWidget;

namespace assay {

/// A button beside a field for a file.
struct FileButton {
    QString name; ///< of the object
    QString text;
    std::function<QString()> ask; ///< returns the path that was chosen; empty: none
    QString tip{};
};

/// "Choose...": asks for any file.
FileButton chooseButton(const QString& name, const FilePrompts& prompts, QWidget* parent, const QString& title);

/// The Python that was used last, else the machine's.
QString defaultPython();

/// A field with buttons: what is chosen by one of them is written into the field.
/// @param chosen called afterwards
QWidget* makeFileRow(QLineEdit* file, const std::vector<FileButton>& buttons, const std::function<void()>& chosen = {});

/// A text behind a warning sign. @param sign of the row; null: a new one
QWidget* makeWarningRow(QLabel* text, QLabel* sign = nullptr);

} // namespace assay
