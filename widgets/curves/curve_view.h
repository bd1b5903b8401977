#pragma once

#include "engine/subsets/curves/requested_curves.h"
#include "widgets/curves/curve_data.h"
#include "widgets/link/panel.h"

#include <QHash>

class QBoxLayout;
class QComboBox;
class QLabel;
class QMenu;
class QToolButton;

namespace assay {

class CurveChart;
class CurveLegend;

/// The curves of the current model, one at a time: its lines, or where a curve is a single line, that of every model.
/// A line chosen there makes its model the current one. Curves that cost as much as an audit are computed on demand.
class CurveView : public Panel {
    Q_OBJECT

public:
    explicit CurveView(PanelHost& host);

    static QString title() { return tr("How do the scores depend on k, sample size and discarding?"); }

    std::optional<Figure> figure() override;

    /// "curve": key of the one that was picked last (CurveChoice::key).
    QJsonObject saveState() const override;
    void restoreState(const QJsonObject& state) override;

    QSize sizeHint() const override { return {640, 400}; }
    QSize minimumSizeHint() const override { return {260, 180}; }

protected:
    void stateChanged(const Changes& changes) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makePage();
    QToolButton* makeMoreButton(QWidget* page);
    void fillPicker();
    void fillMore();
    void enableMore();
    bool isThere(const QString& key) const;
    void offer(QMenu* menu, const QString& text, const QString& key, const QString& toolTip);
    void offerDiscard(QMenu* menu, const Column& column, const QString& text);
    /// Shows a curve, where the current model has it, now or later.
    void pick(const QString& key);
    /// These curves are being computed: they are shown once they are there, unless another one is picked meanwhile.
    void awaitCurves(const CurveRequest& request);
    /// Whether a job runs, which further curves would have to wait for: none are offered meanwhile. At its end nothing
    /// is awaited any more.
    void setBusy(bool busy);
    void showCurve();
    void arrange();
    std::vector<bool> shownLines(const CurveChoice& choice) const;
    void keepTicks();
    void choose(std::size_t line);
    void chooseModel(std::size_t model);

    QComboBox* picker_;
    QToolButton* moreButton_;
    QMenu* more_;      ///< curves on demand
    QMenu* discardBy_; ///< menu of the scores that are used less often
    QLabel* caption_;
    CurveChart* chart_;
    CurveLegend* legend_;
    QBoxLayout* body_;
    std::vector<CurveChoice> choices_;
    std::vector<ChartLine> lines_;
    bool busy_ = false;
    QString awaited_;            ///< key of a curve that is being computed: shown when it is there
    QString wanted_;             ///< key of the curve that was picked last; kept while a model lacks it
    QHash<QString, bool> ticks_; ///< by curve and line, where the person has changed them
};

} // namespace assay
