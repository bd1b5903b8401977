#pragma once

#include "widgets/link/linked_view.h"

#include <optional>
#include <string>

class QLabel;
class QLineEdit;
class QStackedLayout;
class QToolButton;

namespace assay {

class ElidingComboBox;
class TableView;

/// Every score of the catalogue for every model, with a search, and the current model's differences from one other that
/// can be chosen. A click on a model's name makes it the current one; Ctrl+C copies what is listed as tab-separated
/// text.
class ScoresPanel : public LinkedView {
    Q_OBJECT

public:
    ScoresPanel(SampleSelection* selection, QWidget* parent);

    static QString title() { return tr("All scores of all models"); }

    QSize sizeHint() const override { return {640, 400}; }
    QSize minimumSizeHint() const override { return {260, 160}; }

protected:
    void stateChanged(const ViewState& previous) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeBar();
    void makePicker(QWidget* bar);
    std::optional<std::size_t> compared() const;
    void showPicker();
    void fitBar();
    void showComparison();
    QWidget* makeTablePage();
    void sayWhatIsCopied();
    void choose(int column);
    void showCount();
    void showNotes();
    std::size_t modelCount() const { return state().audit ? state().audit->models.size() : 0; }

    TableView* table_;
    QLineEdit* search_;
    QLabel* count_;
    QLabel* pickerTitle_;
    ElidingComboBox* picker_;
    QToolButton* copyButton_;
    QLabel* sizes_;
    QLabel* notes_;
    QLabel* hint_;
    QStackedLayout* pages_;
    std::string compared_; ///< the model that the current one is compared with, by name; empty for none
};

} // namespace assay
