#pragma once

#include "gui/jobs/set_previewer.h"

#include <QString>
#include <QStringList>

#include <functional>

class QWidget;

namespace assay {

/// The questions for files that the program asks, so that tests can answer them. An empty answer is "cancel". The real
/// ones remember the folder, and ask for the array of a file of several (`FILE:KEY`).
struct FilePrompts {
    std::function<QString(QWidget* parent, const QString& title)> openOne;
    std::function<QStringList(QWidget* parent, const QString& title)> openMany;
    /// @param name suggested file name  @param filter as for QFileDialog
    std::function<QString(QWidget* parent, const QString& title, const QString& name, const QString& filter)> save;
    /// A file that is no set of samples. @param filter as for QFileDialog
    std::function<QString(QWidget* parent, const QString& title, const QString& filter)> openFile{};
    /// A folder that is there, of pictures or of parts of a set.
    std::function<QString(QWidget* parent, const QString& title)> openFolder{};
    /// A folder that is made: one that is not there yet, or is empty. @param name suggested
    std::function<QString(QWidget* parent, const QString& title, const QString& name)> newFolder{};
    /// Previews a set, or what Python made of it, on a worker thread; empty: there are no previews.
    SetPreviewer::Look look{};
};

/// Asks with the platform's file dialogs.
FilePrompts filePrompts();

} // namespace assay
