#pragma once

#include "engine/audit/run/audit.h"
#include "engine/io/preparation/prepare.h"
#include "engine/io/sets/set_files.h"

#include <QMetaType>
#include <QString>
#include <QStringList>

#include <vector>

namespace assay {

/// Pictures, labels and groups of a set in files of their own.
struct BesideFiles {
    QString pictures; ///< empty for none
    QString labels;
    JoinBy join = JoinBy::Auto;
    PictureOrder order = PictureOrder::Path;
    QString note{};   ///< for the user, in addition to the reader's notes; not stored
    QString groups{}; ///< also a column of the set's table or of its labels, or "ids" (SetFiles::groups)

    friend bool operator==(const BesideFiles&, const BesideFiles&) = default;
};

/// A set's files as the engine reads them.
SetFiles setFiles(const QString& embeddings, const BesideFiles& beside = {});
/// What lies beside the embeddings of a set of the engine.
BesideFiles besideFiles(const SetFiles& files);

/// A synthetic set to load: its name in the audit and its file, optionally with a key ("gan.npz:reps").
struct ModelFile {
    QString name;
    QString file;
    BesideFiles beside{};

    friend bool operator==(const ModelFile&, const ModelFile&) = default;
};

/// Method that embeds sets that have only pictures, or series.
struct NetworkChoice {
    QString network; ///< of embeddingNetworks(); empty for the built-in embedding
    QString python;  ///< the executable whose packages run it

    friend bool operator==(const NetworkChoice&, const NetworkChoice&) = default;
};

/// The files of an audit, and its options.
struct AuditFiles {
    QString real;
    std::vector<ModelFile> models;
    QString heldOut; ///< real samples that no model was trained on; empty for none
    BesideFiles realBeside{};
    BesideFiles heldOutBeside{};
    /// The audit file that holds all of this, if any: it is opened instead of the others, and keeps decisions.
    QString audit;
    AuditOptions options;
    PreparationChoice choice{}; ///< how files are taken
    NetworkChoice embedding{};
};

/// The name a file gets when nobody names it: its stem ("gan" for "/data/gan.npz:reps").
QString defaultModelName(const QString& file);

/// `name`, or "name (2)" and so on when it is taken.
QString uniqueName(const QString& name, const QStringList& taken);

/// Files as models with default names, unique also against `taken`.
std::vector<ModelFile> namedModels(const QStringList& files, QStringList taken = {});

/// Whether a file is called an audit file (`.assay`).
bool isNamedAuditFile(const QString& file);
/// Likewise a table of text (.csv, .tsv, .txt): a set of samples, or scores of samples or models.
bool isNamedTable(const QString& file);

/// Splits off an archive key: "gan.npz:reps" is "gan.npz" unless a file of the whole name exists.
QString pathOfSpec(const QString& fileSpec);

/// The sets that a manifest lists (engine/io/sets/manifest.h). @throws Error{BadInput}
AuditFiles manifestFiles(const QString& file);

/// Why a manifest cannot be one of several sets, as a sentence.
QString manifestWords(const QString& file);

/// Guesses what dropped files are: the first one named like a real or training set is the real set, if any; the rest
/// are models. A folder that is no set itself, or holds one named like a real set, stands for the sets in it.
AuditFiles guessRoles(const QStringList& files);

} // namespace assay

Q_DECLARE_METATYPE(assay::BesideFiles)
