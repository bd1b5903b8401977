#pragma once

#include "gui/desktop/file_prompts.h"
#include "gui/jobs/audit_files.h"
#include "gui/jobs/set_previewer.h"

#include <QDialog>

#include <functional>
#include <vector>

class QFormLayout;
class QLabel;
class QLineEdit;
class QTableWidget;
class QToolButton;

namespace assay {

class AdvancedOptions;
class ConversionPane;
class EmbeddingChoice;
class SetPane;

/// Chooses the files of a new audit. Closes only on a valid choice; the dialog says what is missing.
class OpenDialog : public QDialog {
    Q_OBJECT

public:
    explicit OpenDialog(FilePrompts prompts, QWidget* parent = nullptr);

    /// Fills the fields, as after a drop.
    void setFiles(const AuditFiles& files);
    AuditFiles files() const;
    /// Shows the real set, where which of its samples belong together is asked for.
    void askForGroups();

    /// Why the choice is invalid, as a sentence; empty if it is valid.
    QString problem() const;

public slots:
    void accept() override;

private:
    QWidget* fileRow(QLineEdit* file, const QString& buttonName, const QString& prompt);
    void chooseModels();
    void setBeside(const BesideFiles& beside);
    void setArray(const QString& key);
    void setBesideOf(int set, const BesideFiles& beside);
    void takeOverGroups(int set, const QString& before);
    void takeOverGroups(const QString& before = {});
    bool hasIdGroups(int set) const;
    void look();
    void showSeen();
    void showCurrent();
    void dropOldOptions();
    void showProblem();
    QString problemOf(const SetFiles& set, const SetFiles& real) const;
    /// What a set is compared by, in words: all sets of an audit need the same.
    QString kindOf(const SetPreview& preview) const;
    /// The files of the sets that hold only pictures or series.
    QStringList withoutEmbeddings() const;
    void showOffers();
    /// What is given for a set: one of the models, kReal or kHeldOut.
    struct GivenSet {
        QString file;
        QString title;
        BesideFiles beside;
    };
    GivenSet given(int set) const;
    SetFiles filesOf(int set) const;
    /// Null while it was not looked at, or cannot be read.
    const SetPreview* previewOf(const SetFiles& files) const;
    /// The sets, as far as they were looked at, whose preview is wanted.
    std::vector<SetFiles> seenSets(const std::function<bool(const SetPreview&)>& wanted) const;
    PreparationChoice choiceFor(PreparationChoice choice) const;
    QStringList modelNames() const;
    void addModels(const std::vector<ModelFile>& models);
    void removeModels();
    void refresh();
    QWidget* makeModelList();

    // Which set the pane shows: a row of the models, or one of these.
    static constexpr int kReal = -1;
    static constexpr int kHeldOut = -2;

    FilePrompts prompts_;
    SetPreviewer previewer_;
    int current_ = kReal;
    AuditFiles given_; ///< whose options are shown; empty once they are of no file any more
    BesideFiles realBeside_;
    BesideFiles heldOutBeside_;
    SetPane* pane_;
    QLineEdit* real_;
    QTableWidget* models_;
    QLineEdit* heldOut_;
    ConversionPane* conversion_;
    EmbeddingChoice* embedding_;
    QFormLayout* form_;
    AdvancedOptions* advanced_;
    QToolButton* remove_;
    QLabel* problem_;
    bool showProblem_ = false; ///< only once a first attempt was made
};

} // namespace assay
