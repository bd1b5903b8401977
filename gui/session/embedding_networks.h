#pragma once

#include <QString>

#include <cstddef>
#include <vector>

namespace assay {

/// A network of assay-embed (scripts/assay-embed/assay_embed/models.py).
struct EmbeddingNetwork {
    QString id; ///< "dinov2-vitl14", as --model takes it
    QString title;
    std::size_t dimensions = 0;
};

/// In the order in which they are offered.
const std::vector<EmbeddingNetwork>& embeddingNetworks();

/// Null for none of that id.
const EmbeddingNetwork* embeddingNetwork(const QString& id);

/// The file that embeddings of a source go to: `NAME.NETWORK.npz` beside it, or in `cacheFolder` where its folder
/// cannot be written.
/// @param source a file or folder @param network as EmbeddingNetwork::id
QString embeddingFile(const QString& source, const QString& network, const QString& cacheFolder);
/// The same in the person's own cache folder.
QString embeddingFile(const QString& source, const QString& network);

/// Whether a file is named as embeddings of something that lies beside it.
bool isNamedEmbeddingFile(const QString& file);

} // namespace assay
