#include "gui/jobs/embedding_networks.h"

#include "gui/jobs/audit_files.h"

#include "engine/base/find_by.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

#include <algorithm>
#include <array>

namespace assay {
namespace {

const QLatin1String kArchive(".npz");
const QLatin1String kFitted("-network.npz");

/// Whether something lies there of which the rest of a name, `-KEY`, may be an array.
bool isNamedSource(const QString& source) {
    if (QFileInfo::exists(source))
        return true;
    for (qsizetype dash = source.lastIndexOf(QLatin1Char('-')); dash > 0;
         dash = source.lastIndexOf(QLatin1Char('-'), dash - 1))
        if (QFileInfo(source.left(dash)).isFile())
            return true;
    return false;
}

} // namespace

const std::vector<EmbeddingNetwork>& embeddingNetworks() {
    static const std::vector<EmbeddingNetwork> networks{
        {QStringLiteral("dinov2-vitl14"), QStringLiteral("DINOv2 ViT-L/14"), 1024},
        {QStringLiteral("dinov2-vitb14"), QStringLiteral("DINOv2 ViT-B/14"), 768},
        {QStringLiteral("dinov2-vits14"), QStringLiteral("DINOv2 ViT-S/14"), 384},
        {QStringLiteral("inception-v3"), QStringLiteral("Inception v3"), 2048},
        {QStringLiteral("clip-vitl14"), QStringLiteral("CLIP ViT-L/14"), 768},
        {QStringLiteral("clip-vitb32"), QStringLiteral("CLIP ViT-B/32"), 512},
        {QStringLiteral("lstm"), QStringLiteral("LSTM autoencoder"), 64, Embedded::Series},
    };
    return networks;
}

const EmbeddingNetwork* embeddingNetwork(const QString& id) {
    return findBy(embeddingNetworks(), &EmbeddingNetwork::id, id);
}

QString embeddingFile(const QString& source, const QString& network, const QString& cacheFolder) {
    const QString path = pathOfSpec(source);
    const QFileInfo info(QDir::cleanPath(QFileInfo(path).absoluteFilePath()));
    QString key = source.mid(path.size()).replace(QLatin1Char('/'), QLatin1Char('_'));
    key.replace(QLatin1Char(':'), QLatin1Char('-'));
    const QString name = info.fileName() + key + QLatin1Char('.') + network + kArchive;
    if (QFileInfo(info.path()).isWritable())
        return QDir(info.path()).filePath(name);
    // Sources of one name lie in many folders.
    const QByteArray hash = QCryptographicHash::hash(info.filePath().toUtf8(), QCryptographicHash::Sha256).toHex();
    return QDir(cacheFolder).filePath(QString::fromLatin1(hash.left(12)) + QLatin1Char('-') + name);
}

QString embeddingFile(const QString& source, const QString& network) {
    const QDir caches(QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation));
    return embeddingFile(source, network, caches.filePath(QStringLiteral("assay/embeddings")));
}

QString fittedNetworkFile(const QString& embeddings) {
    return embeddings.chopped(kArchive.size()) + kFitted;
}

bool isNamedEmbeddingFile(const QString& file) {
    return std::ranges::any_of(embeddingNetworks(), [&](const EmbeddingNetwork& network) {
        return std::ranges::any_of(std::array{kArchive, kFitted}, [&](QLatin1String end) {
            const QString ending = QLatin1Char('.') + network.id + end;
            return file.endsWith(ending) && isNamedSource(file.chopped(ending.size()));
        });
    });
}

} // namespace assay
