#pragma once

#include "gui/jobs/python_checker.h"
#include "gui/session/audit_files.h"
#include "gui/window/file_prompts.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;

namespace assay {

/// What embeds the sets of an audit that hold only pictures: the built-in embedding, or a network in a Python of the
/// person's, which is checked beside the window.
class EmbeddingChoice : public QWidget {
    Q_OBJECT

public:
    explicit EmbeddingChoice(FilePrompts prompts, QWidget* parent = nullptr);

    void setChoice(const NetworkChoice& choice);
    NetworkChoice choice() const;

    /// What keeps the chosen network from running, as a sentence; empty when nothing does.
    QString problem() const;

    /// Says where embeddings go. @param sources the sets that hold only pictures
    void showSources(const QStringList& sources);

signals:
    /// Another choice, or more is known of it.
    void changed();

private:
    QString network() const;
    QString python() const;
    QWidget* makePythonRow();
    void check();
    void refresh();
    QString whereText() const;

    FilePrompts prompts_;
    PythonChecker checker_;
    QStringList sources_;
    QComboBox* network_;
    QLineEdit* python_;
    QWidget* pythonRow_;
    QLabel* sign_;
    QLabel* state_;
    QWidget* stateRow_;
    QLabel* where_;
};

} // namespace assay
