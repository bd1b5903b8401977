#include "gui/file_prompts.h"

#include "gui/settings.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>

namespace assay {
namespace {

QString embeddingFilter() {
    return QCoreApplication::translate("assay::FilePrompts", "Embeddings (*.npy *.npz);;All files (*)");
}

void rememberFolderOf(const QString& file) {
    if (!file.isEmpty())
        Settings().setLastFolder(QFileInfo(file).absolutePath());
}

QString askOpen(QWidget* parent, const QString& title) {
    const QString file = QFileDialog::getOpenFileName(parent, title, Settings().lastFolder(), embeddingFilter());
    rememberFolderOf(file);
    return file;
}

QStringList askOpenMany(QWidget* parent, const QString& title) {
    const QStringList files = QFileDialog::getOpenFileNames(parent, title, Settings().lastFolder(), embeddingFilter());
    rememberFolderOf(files.value(0));
    return files;
}

QString askSave(QWidget* parent, const QString& title, const QString& name, const QString& filter) {
    QFileDialog dialog(parent, title, Settings().lastFolder(), filter);
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.selectFile(name);
    dialog.setDefaultSuffix(QFileInfo(name).suffix()); // where none is typed
    if (dialog.exec() != QDialog::Accepted)
        return {};
    const QString file = dialog.selectedFiles().value(0);
    rememberFolderOf(file);
    return file;
}

} // namespace

FilePrompts filePrompts() {
    return {askOpen, askOpenMany, askSave};
}

} // namespace assay
