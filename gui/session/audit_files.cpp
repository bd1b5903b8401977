#include "gui/session/audit_files.h"

#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>

namespace assay {

SetFiles setFiles(const QString& embeddings, const BesideFiles& beside) {
    return {embeddings.toStdString(), beside.pictures.toStdString(), beside.labels.toStdString(), beside.join,
            beside.order};
}

QString pathOfSpec(const QString& fileSpec) {
    const qsizetype colon = fileSpec.lastIndexOf(QLatin1Char(':'));
    const bool hasKey = colon > 0 && !fileSpec.mid(colon).contains(QLatin1Char('/')) && !QFileInfo::exists(fileSpec);
    return hasKey ? fileSpec.left(colon) : fileSpec;
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

AuditFiles guessRoles(const QStringList& files) {
    // "real", "train", "training" as a word of the file name: "mnist_real.npz", but neither "surreal" nor "unreal".
    static const QRegularExpression realName(QStringLiteral("(^|[^a-z])(real|train|training)([^a-z]|$)"),
                                             QRegularExpression::CaseInsensitiveOption);
    QStringList models = files;
    const auto real = std::find_if(models.begin(), models.end(), [](const QString& file) {
        return realName.match(QFileInfo(file).completeBaseName()).hasMatch();
    });
    AuditFiles guess;
    if (real != models.end()) {
        guess.real = *real;
        models.erase(real);
    }
    guess.models = namedModels(models);
    return guess;
}

} // namespace assay
