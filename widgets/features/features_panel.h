#pragma once

#include "widgets/link/panel.h"

#include <cstdint>

class QLabel;
class QSplitter;
class QStackedLayout;
class QTabBar;

namespace assay {

class FeaturePicture;
class PairPicture;
class TableView;
struct TableContent;

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
    void showModel();
    void fitTabs();
    void showTab(int tab);
    TableContent tableOf(int tab) const;
    void arrange();
    void showPicture();
    void showFeature(std::uint32_t feature);
    QString answer(int tab) const;

    QTabBar* tabs_ = nullptr;
    TableView* table_ = nullptr;
    QSplitter* splitter_ = nullptr;
    QWidget* pictures_ = nullptr;
    QStackedLayout* pictureOf_ = nullptr;
    FeaturePicture* feature_ = nullptr;
    PairPicture* pair_ = nullptr;
    QLabel* answer_ = nullptr;
};

} // namespace assay
