#pragma once

#include "widgets/features/table_differences_model.h"
#include "widgets/link/panel.h"

#include <array>

class QLabel;
class QSortFilterProxyModel;
class QSplitter;
class QStackedLayout;
class QTabBar;
class QTableView;

namespace assay {

class FeaturePicture;
class FeaturesModel;
class PairPicture;

/// The features of the current model one by one, those that differ most from the real set's first; pairs of features
/// by their correlation; categories; and missing values. A click on a heading sorts. The current row is drawn: a
/// feature as bars of both sets, a pair as points.
class FeaturesPanel : public Panel {
    Q_OBJECT

public:
    enum Tab { Features, Pairs, Categories, MissingValues, Tabs };

    explicit FeaturesPanel(PanelHost& host);

    static QString title() { return tr("Which features differ?"); }

    std::optional<Figure> figure() override;

    QSize sizeHint() const override { return {640, 400}; }
    QSize minimumSizeHint() const override { return {260, 160}; }

protected:
    void stateChanged(const Changes& changes) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeTablePage();
    void makeTable(QWidget* page);
    void showModel();
    void fitTabs();
    void showTab(int tab);
    void fitColumns();
    void arrange();
    void showPicture();
    QString answer(int tab) const;
    QString featureAnswer() const;
    const TableDifferencesModel& differences(int tab) const { return *differences_[static_cast<std::size_t>(tab - 1)]; }

    FeaturesModel* model_;
    std::array<TableDifferencesModel*, Tabs - 1> differences_{};
    QSortFilterProxyModel* sorted_;
    QTabBar* tabs_ = nullptr;
    QTableView* table_ = nullptr;
    QSplitter* splitter_ = nullptr;
    QWidget* pictures_ = nullptr;
    QStackedLayout* pictureOf_ = nullptr;
    FeaturePicture* feature_ = nullptr;
    PairPicture* pair_ = nullptr;
    QLabel* answer_ = nullptr;
};

} // namespace assay
