#pragma once

#include "gui/desktop/file_prompts.h"
#include "gui/jobs/audit_files.h"
#include "gui/jobs/set_previewer.h"

#include <QLabel>
#include <QWidget>

#include <optional>

class QComboBox;
class QFormLayout;
class QLineEdit;
class QPushButton;
class QTableWidget;

namespace assay {

/// "5,000 x 64, 10 classes, pictures 28 x 28"
QString summaryOf(const SetPreview& preview);

/// Shows what one set of the open dialog will be: what was recognised, its first samples with their pictures and
/// classes, how things were joined; and lets a person name its array, pictures, labels and groups.
class SetPane : public QWidget {
    Q_OBJECT

public:
    explicit SetPane(FilePrompts prompts, QWidget* parent = nullptr);

    /// @param seen    null: not yet looked at, or nobody looks
    /// @param network what embeds pictures; empty for the built-in embedding
    /// @param problem why the set cannot be used beside the others; empty where it can
    void show(const QString& title, const BesideFiles& beside, const SetPreviewer::Seen* seen, const QString& network,
              const QString& problem = {});
    /// Lets a person write which samples belong together.
    void focusGroups();
    /// In place of all that is known of a set.
    void showMessage(const QString& message);
    /// Whether this is what the pane says of the set.
    bool says(const QString& problem) const { return problem_->text() == problem; }

signals:
    void besideChosen(const assay::BesideFiles& beside);
    /// Which array of a file of several holds the embeddings.
    void arrayChosen(const QString& key);
    /// What a column of a table holds; empty: it is to be found out.
    void columnKindChosen(const QString& column, std::optional<assay::ColumnKind> kind);

private:
    QWidget* fileRow(QLineEdit* file, const QString& name, const QString& prompt, bool folder);
    void choose();
    void showSamples(const SetPreview& preview);
    void showColumns(const SetPreview& preview);
    QComboBox* kindChoice(const ColumnPreview& column);
    void fitSamples(int lineHeight);

    FilePrompts prompts_;
    BesideFiles beside_;
    bool isTable_ = false;
    QString shown_; ///< title of the set that was shown last
    QFormLayout* form_;
    QComboBox* array_;
    QLineEdit* pictures_;
    QLineEdit* labels_;
    QLineEdit* groups_;
    QPushButton* fromIds_ = nullptr;
    QComboBox* join_;
    QComboBox* order_;
    QLabel* found_;
    QLabel* problem_;
    QTableWidget* samples_;
    QLabel* notes_;
};

} // namespace assay
