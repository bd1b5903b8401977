#include "gui/desktop/file_prompts.h"

#include "engine/base/error.h"
#include "engine/io/readers/format_table.h"
#include "engine/io/sets/python_converter.h"
#include "engine/io/sets/read_embeddings.h"
#include "gui/desktop/settings.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QRegularExpression>

namespace assay {
namespace {

QString embeddingFilter() {
    QStringList patterns;
    for (const Format& format : formatTable())
        if (!format.patterns.empty()) // folders have none
            patterns << QLatin1String(format.patterns.data(), static_cast<qsizetype>(format.patterns.size()));
    patterns << QString::fromStdString(patternsForPython()) << QStringLiteral("*.assay"); // opened as it was saved
    return QCoreApplication::translate("assay::FilePrompts", "Embeddings and audits (%1);;All files (*)")
        .arg(patterns.join(QLatin1Char(' ')));
}

/// The file, whose folder is opened next time.
QString remembered(const QString& file) {
    if (!file.isEmpty())
        Settings().setLastFolder(QFileInfo(file).absolutePath());
    return file;
}

/// `FILE`, or `FILE:KEY` where the file leaves open which of its arrays is meant; empty when the person cancels.
QString withArray(QWidget* parent, const QString& title, const QString& file) {
    QStringList keys;
    for (const std::string& key : candidateKeys(file.toStdString()))
        keys << QString::fromStdString(key);
    if (keys.isEmpty())
        return file;
    const QString question =
        QCoreApplication::translate("assay::FilePrompts", "Which array of %1 holds the embeddings?")
            .arg(QFileInfo(file).fileName());
    bool chosen = false;
    const QString key = QInputDialog::getItem(parent, title, question, keys, 0, false, &chosen);
    return chosen ? file + QLatin1Char(':') + key : QString();
}

QString askOpenFile(QWidget* parent, const QString& title, const QString& filter) {
    return remembered(QFileDialog::getOpenFileName(parent, title, Settings().lastFolder(), filter));
}

QString askOpen(QWidget* parent, const QString& title) {
    const QString file = askOpenFile(parent, title, embeddingFilter());
    return file.isEmpty() ? file : withArray(parent, title, file);
}

QStringList askOpenMany(QWidget* parent, const QString& title) {
    const QStringList files = QFileDialog::getOpenFileNames(parent, title, Settings().lastFolder(), embeddingFilter());
    remembered(files.value(0));
    QStringList wanted;
    for (const QString& file : files)
        if (const QString array = withArray(parent, title, file); !array.isEmpty())
            wanted << array;
    return wanted;
}

QString askOpenFolder(QWidget* parent, const QString& title) {
    return remembered(QFileDialog::getExistingDirectory(parent, title, Settings().lastFolder()));
}

/// The first extension that a filter of a file dialog lets through: "html" of "HTML (*.html *.htm)".
QString extensionOfFilter(const QString& filter) {
    static const QRegularExpression pattern(QStringLiteral("\\(\\*\\.(\\w+)"));
    return pattern.match(filter).captured(1);
}

/// The name, with a number where there is such a file in the folder already: nobody is offered to replace a file that
/// they did not choose. "gan.kept.csv" becomes "gan.kept (2).csv".
QString unusedName(const QDir& folder, const QString& name) {
    const QFileInfo info(name);
    const QString ending = info.suffix().isEmpty() ? QString() : QLatin1Char('.') + info.suffix();
    QString unused = name;
    for (int n = 2; folder.exists(unused); ++n)
        unused = QStringLiteral("%1 (%2)%3").arg(info.completeBaseName()).arg(n).arg(ending);
    return unused;
}

/// Where there are several formats, the one that is chosen names the file.
void followFormat(QFileDialog* dialog) {
    QObject::connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
        const QString before = dialog->defaultSuffix();
        const QString after = extensionOfFilter(filter);
        const QFileInfo named(dialog->selectedFiles().value(0));
        if (after.isEmpty() || after == before)
            return;
        dialog->setDefaultSuffix(after);
        if (named.suffix() == before)
            dialog->selectFile(unusedName(dialog->directory(), named.completeBaseName() + QLatin1Char('.') + after));
    });
}

QString askSave(QWidget* parent, const QString& title, const QString& name, const QString& filter) {
    QFileDialog dialog(parent, title, Settings().lastFolder(), filter);
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.selectFile(unusedName(dialog.directory(), name));
    dialog.setDefaultSuffix(QFileInfo(name).suffix()); // where none is typed
    followFormat(&dialog);
    return dialog.exec() == QDialog::Accepted ? remembered(dialog.selectedFiles().value(0)) : QString();
}

QString askNewFolder(QWidget* parent, const QString& title, const QString& name) {
    QFileDialog dialog(parent, title, Settings().lastFolder(),
                       QCoreApplication::translate("assay::FilePrompts", "New folder (*)"));
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setLabelText(QFileDialog::FileName, QCoreApplication::translate("assay::FilePrompts", "New folder:"));
    dialog.selectFile(unusedName(dialog.directory(), name));
    return dialog.exec() == QDialog::Accepted ? remembered(dialog.selectedFiles().value(0)) : QString();
}

/// Looks at what Python has made of a file that only its libraries read; else says what the file is, with what the
/// engine reads of it itself.
SetPreview look(const SetFiles& files, const JobContext& job, const PreparationChoice& choice) {
    const std::string kind = kindForPython(files.embeddings);
    if (kind.empty())
        return previewSet(files, job, choice);
    SetPreview preview;
    if (const auto kept = keptConversion(files, installedConverter(), job)) {
        preview = previewSet(*kept, job, choice);
        preview.readFrom = kept->embeddings;
        return preview;
    }
    if (isReadInPart(files.embeddings)) {
        try {
            preview = previewSet(files, job, choice);
        } catch (const Error&) {
            preview = {}; // the conversion says what is wrong with it
        }
    }
    if (preview.format.empty())
        preview.format = kind;
    preview.forPython = kind;
    return preview;
}

} // namespace

FilePrompts filePrompts() {
    return {askOpen, askOpenMany, askSave, askOpenFile, askOpenFolder, askNewFolder, look};
}

} // namespace assay
