#pragma once

#include "engine/io/sets/set_preview.h"

#include <QString>

#include <cstddef>
#include <vector>

namespace assay {

/// What an embedding is made of.
enum class Embedded { Pictures, Series };

/// A network of assay-embed (python/assay/embed/models.py, series.py).
struct EmbeddingNetwork {
    QString id; ///< "dinov2-vitl14", as --model takes it
    QString title;
    std::size_t dimensions = 0;
    Embedded of = Embedded::Pictures;

    /// Whether it makes the embeddings of a set, which has none.
    bool embeds(const SetPreview& set) const { return of == Embedded::Series ? set.isSeries() : set.isOnlyPictures(); }
};

/// In the order in which they are offered.
const std::vector<EmbeddingNetwork>& embeddingNetworks();

/// Null for none of that id.
const EmbeddingNetwork* embeddingNetwork(const QString& id);

/// The file that embeddings of a source go to: `NAME.NETWORK.npz` beside it (`NAME-KEY.NETWORK.npz` of an array), or in
/// `cacheFolder` where its folder cannot be written.
/// @param source a file, optionally with a key, or a folder @param network as EmbeddingNetwork::id
QString embeddingFile(const QString& source, const QString& network, const QString& cacheFolder);
/// The same in the person's own cache folder.
QString embeddingFile(const QString& source, const QString& network);

/// The file that a network goes to which is fitted on the real set. @param embeddings embeddingFile() of the real set
QString fittedNetworkFile(const QString& embeddings);

/// Whether a file is named as embeddings of something that lies beside it, or as a network fitted on it.
bool isNamedEmbeddingFile(const QString& file);

} // namespace assay
