#include "gui/session/embedding_networks.h"

#include "engine/base/find_by.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

#include <algorithm>

namespace assay {

const std::vector<EmbeddingNetwork>& embeddingNetworks() {
    static const std::vector<EmbeddingNetwork> networks{
        {QStringLiteral("dinov2-vitl14"), QStringLiteral("DINOv2 ViT-L/14"), 1024},
        {QStringLiteral("dinov2-vitb14"), QStringLiteral("DINOv2 ViT-B/14"), 768},
        {QStringLiteral("dinov2-vits14"), QStringLiteral("DINOv2 ViT-S/14"), 384},
        {QStringLiteral("inception-v3"), QStringLiteral("Inception v3"), 2048},
        {QStringLiteral("clip-vitl14"), QStringLiteral("CLIP ViT-L/14"), 768},
        {QStringLiteral("clip-vitb32"), QStringLiteral("CLIP ViT-B/32"), 512},
    };
    return networks;
}

const EmbeddingNetwork* embeddingNetwork(const QString& id) {
    return findBy(embeddingNetworks(), &EmbeddingNetwork::id, id);
}

QString embeddingFile(const QString& source, const QString& network, const QString& cacheFolder) {
    const QFileInfo info(QDir::cleanPath(QFileInfo(source).absoluteFilePath()));
    const QString name = QStringLiteral("%1.%2.npz").arg(info.fileName(), network);
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

bool isNamedEmbeddingFile(const QString& file) {
    return std::ranges::any_of(embeddingNetworks(), [&](const EmbeddingNetwork& network) {
        const QString ending = QStringLiteral(".%1.npz").arg(network.id);
        return file.endsWith(ending) && QFileInfo::exists(file.chopped(ending.size()));
    });
}

} // namespace assay
