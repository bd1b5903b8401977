#pragma once

#include "engine/report/samples/export_samples.h"
#include "engine/subsets/rules/filter.h"
#include "engine/subsets/what_if/kept_audit.h"
#include "engine/subsets/what_if/what_if.h"
#include "widgets/link/panel.h"

#include <memory>
#include <optional>
#include <vector>

class QComboBox;
class QLabel;
class QMenu;
class QPushButton;
class QToolButton;
class QVBoxLayout;

namespace assay {

class KeptBar;
class KeptScores;
class RuleRow;

/// Which synthetic samples to keep: a list of rules on any per-sample column, on classes and tags, with the numbers
/// kept and rejected at once and the scores of what is left.
///
/// The rules in force are those of the state; changed ones go to the host, also while a slider is being dragged.
class KeepPanel : public Panel {
    Q_OBJECT

public:
    explicit KeepPanel(PanelHost& host);

    static QString title() { return tr("Which samples stay?"); }

    /// The rules as shown.
    FilterRules rules() const;

protected:
    void stateChanged(const Changes& changes) override;

private:
    QWidget* makeCounts();
    QWidget* makeLost();
    QWidget* makeButtons();
    QWidget* makeMatch();
    RuleRow* addRow(const std::string& column);
    void removeRow(RuleRow* row);
    void dropRow(RuleRow* row);
    bool isOffered(const RuleRow* row) const;
    void showValues(RuleRow& row) const;
    void showWords(RuleRow& row) const;
    void putInForce(const FilterRule& rule);
    void addReady(QMenu& menu);
    void fillAddMenu();
    void reset();
    /// Shows rules; emits nothing. A rule on a column without a row gets one.
    void setRules(const FilterRules& rules);
    void showLost();
    void showCounts();
    std::optional<double> shareTaken(const FilterRules& inForce) const;
    void showFailing();
    void showTable();
    void showFalseAlarms();
    void showWarning();

    QWidget* body_;
    QVBoxLayout* rowLayout_;
    std::vector<RuleRow*> rows_;
    QToolButton* add_;
    QMenu* addMenu_;
    QPushButton* reset_;
    QPushButton* propose_;
    QPushButton* exportKept_;
    QPushButton* exportRejected_;
    QLabel* kept_;
    QLabel* rejected_;
    QLabel* falseAlarms_; ///< what the rules take of good samples, where that is known
    QWidget* lostRow_;
    QLabel* lostText_; ///< how many real samples only rejected ones cover
    QLabel* warning_;  ///< that more is rejected than is bad
    KeptBar* bar_;
    KeptScores* scoreTable_;
    QWidget* match_;
    QComboBox* matchChoice_;
};

} // namespace assay
