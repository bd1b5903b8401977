#pragma once

#include "gui/desktop/file_prompts.h"
#include "gui/jobs/audit_files.h"
#include "gui/jobs/embedding_networks.h"
#include "gui/jobs/network_embedder.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;

namespace assay {

/// Method that embeds the sets of an audit that have only pictures, or series: the built-in embedding, or a network in
/// a Python of the person's, which is checked beside the window.
class EmbeddingChoice : public QWidget {
    Q_OBJECT

public:
    explicit EmbeddingChoice(FilePrompts prompts, QWidget* parent = nullptr);

    void setChoice(const NetworkChoice& choice);
    NetworkChoice choice() const;

    /// Why the chosen network cannot run, as a sentence; empty if it can.
    QString problem() const;

    /// Offers what embeds sources of a kind, and says where their embeddings go.
    /// @param sources the sets without embeddings
    void showSources(const QStringList& sources, Embedded kind);

signals:
    /// Another choice, or more is known of it.
    void changed();

private:
    QString network() const;
    QString python() const;
    QWidget* makePythonRow();
    void offer(Embedded kind, const QString& chosen);
    void check();
    void refresh();
    QString whereText() const;

    FilePrompts prompts_;
    PythonChecker checker_;
    QStringList sources_;
    Embedded kind_ = Embedded::Pictures;
    QComboBox* network_;
    QLineEdit* python_;
    QWidget* pythonRow_;
    QLabel* sign_;
    QLabel* state_;
    QWidget* stateRow_;
    QLabel* where_;
};

} // namespace assay
