#pragma once

#include "widgets/link/panel.h"

#include <optional>
#include <string>
#include <vector>

class QLabel;
class QLineEdit;
class QSortFilterProxyModel;
class QToolButton;

namespace assay {

class ElidingComboBox;
class ScoresModel;
class ScoresTable;

/// Every score of the catalogue for every model, with a search, and the current model's differences from one other that
/// can be chosen. A click on a model's name makes it the current one; Ctrl+C copies what is listed as tab-separated
/// text.
class ScoresPanel : public Panel {
    Q_OBJECT

public:
    explicit ScoresPanel(PanelHost& host);

    static QString title() { return tr("All scores of all models"); }

    /// "compared": name of the model that the current one is compared with.
    QJsonObject saveState() const override;
    void restoreState(const QJsonObject& state) override;

    QSize sizeHint() const override { return {640, 400}; }
    QSize minimumSizeHint() const override { return {260, 160}; }

protected:
    void stateChanged(const Changes& changes) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeBar();
    void makePicker(QWidget* bar);
    std::optional<std::size_t> compared() const;
    void showPicker();
    void fitBar();
    void showComparison();
    QWidget* makeTablePage();
    std::vector<int> listedRows() const;
    void copy();
    void choose(int column);
    void showCount();
    void showNotes();

    ScoresModel* model_;
    QSortFilterProxyModel* found_;
    ScoresTable* table_;
    QLineEdit* search_;
    QLabel* count_;
    QLabel* pickerTitle_;
    ElidingComboBox* picker_;
    QToolButton* copyButton_;
    QLabel* sizes_;
    QLabel* notes_;
    std::string compared_; ///< the model that the current one is compared with, by name; empty for none
};

} // namespace assay
