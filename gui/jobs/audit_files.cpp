#include "gui/jobs/audit_files.h"

#include "gui/jobs/embedding_networks.h"

#include "engine/base/error.h"
#include "engine/io/readers/format_table.h"
#include "engine/io/sets/manifest.h"
#include "engine/io/sets/python_converter.h"
#include "engine/io/sets/read_embeddings.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>

namespace assay {
namespace {

/// "real", "train", "training" as a word of the file name: "mnist_real.npz", but neither "surreal" nor "unreal".
bool isNamedReal(const QString& file) {
    static const QRegularExpression realName(QStringLiteral("(^|[^a-z])(real|train|training)([^a-z]|$)"),
                                             QRegularExpression::CaseInsensitiveOption);
    return realName.match(QFileInfo(file).completeBaseName()).hasMatch();
}

/// Whether a folder is one set. Of a folder of arrays, few of them, or one that is named like a real set, are sets
/// instead of clips.
bool isSet(const QString& folder) {
    constexpr qsizetype kFewestClips = 10;
    if (needsPython(folder.toStdString()))
        return true;
    try {
        if (!formatOf(InputFile::onDisk(folder.toStdString())).keysAreUnits)
            return true;
        const QStringList arrays = QDir(folder).entryList({QStringLiteral("*.npy")}, QDir::Files);
        return arrays.isEmpty() || (arrays.size() >= kFewestClips && std::ranges::none_of(arrays, isNamedReal));
    } catch (const Error&) {
        return false;
    }
}

QStringList embeddingPatterns() {
    QStringList patterns;
    for (const Format& format : formatTable())
        patterns << QString::fromUtf8(format.patterns.data(), static_cast<qsizetype>(format.patterns.size()))
                        .split(QLatin1Char(' '), Qt::SkipEmptyParts);
    return patterns + QString::fromStdString(patternsForPython()).split(QLatin1Char(' '));
}

/// The file or folder itself, or the sets that a folder holds.
QStringList setsIn(const QString& file) {
    const QDir folder(file);
    if (!QFileInfo(file).isDir())
        return {file};
    QStringList sets;
    const QStringList below = folder.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name);
    if (std::ranges::any_of(below, isNamedReal) || !isSet(file))
        for (const QString& name : below)
            if (isSet(folder.filePath(name)))
                sets << folder.filePath(name);
    if (!isSet(file))
        for (const QString& name : folder.entryList(embeddingPatterns(), QDir::Files, QDir::Name))
            if (!isNamedEmbeddingFile(folder.filePath(name))) // its pictures are a set already
                sets << folder.filePath(name);
    return sets.size() > 1 ? sets : QStringList(file);
}

} // namespace

SetFiles setFiles(const QString& embeddings, const BesideFiles& beside) {
    return {.embeddings = embeddings.toStdString(),
            .pictures = beside.pictures.toStdString(),
            .labels = beside.labels.toStdString(),
            .join = beside.join,
            .order = beside.order,
            .note = beside.note.toStdString(),
            .groups = beside.groups.toStdString()};
}

BesideFiles besideFiles(const SetFiles& files) {
    return {QString::fromStdString(files.pictures), QString::fromStdString(files.labels), files.join, files.order,
            QString::fromStdString(files.note),     QString::fromStdString(files.groups)};
}

QString pathOfSpec(const QString& fileSpec) {
    // Of a file that is there the key may hold slashes, as HDF5's do.
    if (const FileSpec spec = parseFileSpec(fileSpec.toStdString()); !spec.key.empty())
        return QString::fromStdString(spec.file);
    const qsizetype colon = fileSpec.lastIndexOf(QLatin1Char(':'));
    const bool hasKey = colon > 0 && !fileSpec.mid(colon).contains(QLatin1Char('/')) && !QFileInfo::exists(fileSpec);
    return hasKey ? fileSpec.left(colon) : fileSpec;
}

bool isNamedTable(const QString& file) {
    static const QStringList kEndings{QStringLiteral("csv"), QStringLiteral("tsv"), QStringLiteral("txt")};
    return kEndings.contains(QFileInfo(file).suffix(), Qt::CaseInsensitive);
}

bool isNamedAuditFile(const QString& file) {
    return file.endsWith(QLatin1String(".assay"), Qt::CaseInsensitive);
}

QString defaultModelName(const QString& file) {
    const QFileInfo info(pathOfSpec(file));
    return info.isDir() ? info.fileName() : info.completeBaseName();
}

QString uniqueName(const QString& name, const QStringList& taken) {
    QString unique = name;
    for (int n = 2; taken.contains(unique); ++n)
        unique = QStringLiteral("%1 (%2)").arg(name).arg(n);
    return unique;
}

std::vector<ModelFile> namedModels(const QStringList& files, QStringList taken) {
    std::vector<ModelFile> models;
    for (const QString& file : files) {
        models.push_back({uniqueName(defaultModelName(file), taken), file});
        taken << models.back().name;
    }
    return models;
}

AuditFiles manifestFiles(const QString& file) {
    const Manifest manifest = readManifest(file.toStdString());
    AuditFiles result;
    result.real = QString::fromStdString(manifest.real.embeddings);
    result.realBeside = besideFiles(manifest.real);
    for (const ManifestModel& model : manifest.models)
        result.models.push_back({QString::fromStdString(model.name), QString::fromStdString(model.files.embeddings),
                                 besideFiles(model.files)});
    if (manifest.heldOut) {
        result.heldOut = QString::fromStdString(manifest.heldOut->embeddings);
        result.heldOutBeside = besideFiles(*manifest.heldOut);
    }
    return result;
}

QString manifestWords(const QString& file) {
    return QCoreApplication::translate("assay::AuditFiles",
                                       "%1 is a manifest, which lists all sets of an audit. Open it by itself: drop it "
                                       "on the window, or name it on the command line.")
        .arg(file);
}

AuditFiles guessRoles(const QStringList& files) {
    QStringList models;
    for (const QString& file : files)
        models << setsIn(file);
    const auto real = std::find_if(models.begin(), models.end(), isNamedReal);
    AuditFiles guess;
    if (real != models.end()) {
        guess.real = *real;
        models.erase(real);
    }
    guess.models = namedModels(models);
    return guess;
}

} // namespace assay
