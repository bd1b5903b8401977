#pragma once

#include "engine/audit/result/model_runs.h"
#include "engine/subsets/what_if/what_if.h"
#include "widgets/link/panel.h"

#include <QLineF>
#include <QList>

#include <memory>
#include <optional>
#include <vector>

class QScatterSeries;
class QToolButton;

namespace assay {

class ChartFrame;

/// Every model as a point: clipped density against clipped coverage. The current one is ringed, a suspicious one
/// carries (!); click, or the left and right arrow keys, make another one current. Where rules reject some of its
/// samples, a line leads from the current one to where the kept ones alone would be. Models of a run (modelRuns) are
/// joined by a path with arrows, which can be hidden.
class FidelityCoverageChart : public Panel {
    Q_OBJECT

public:
    explicit FidelityCoverageChart(PanelHost& host);

    static QString title() { return tr("Which models are faithful, and which cover the real data?"); }

    std::optional<Figure> figure() override;

    /// Where the kept samples' mark is, in this widget's coordinates; nothing where there is none.
    std::optional<QPointF> keptMark() const;

    /// Where a model's mark is, in this widget's coordinates: always where its scores are. Marks that would cover each
    /// other are one with a count, on which each click takes the next model.
    QPoint markOf(std::size_t model) const;
    /// The badge that says how many models share the mark, on the first of them; null for others.
    QRectF countRect(std::size_t model) const { return countRects()[model]; }
    /// 95 % interval of a model's fidelity (across) or coverage (upwards) as a line in this widget's coordinates; null
    /// where the audit has none.
    QLineF intervalLine(std::size_t model, Qt::Orientation along) const;
    /// The paths of runs, a line from each model to the next one, in this widget's coordinates; none while they are
    /// hidden.
    QList<QLineF> pathLines() const;
    /// Where the models' names were painted last, in this widget's coordinates, in the order of the models.
    const std::vector<QRectF>& nameRects() const noexcept { return nameRects_; }

protected:
    void stateChanged(const Changes& changes) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    /// Of the kept samples of the current model by themselves; null where they are not known.
    const WhatIfResult* keptScores() const { return state().computed.keptScores.get(); }
    std::size_t count() const;
    QPointF valueOf(std::size_t model) const;
    QPointF pointOf(std::size_t model) const;
    /// The models whose marks cover this one's, itself included.
    std::vector<std::size_t> togetherWith(std::size_t model) const;
    /// The model that a click on this one's mark takes.
    std::size_t clicked(std::size_t model) const;
    std::optional<std::size_t> modelAt(QPoint point) const;
    std::vector<std::size_t> paintOrder() const;
    void themeSeries();
    void showKept();
    void hover(std::optional<std::size_t> model);
    void paintMarks(QPainter& painter);
    QRectF placeName(QSizeF size, QPointF mark, const std::vector<QRectF>& taken) const;
    void paintWayToKept(QPainter& painter) const;
    void paintPaths(QPainter& painter) const;
    void placePathButton();
    void paintInterval(QPainter& painter, std::size_t model) const;
    QString keptToolTip() const;
    QString toolTipOf(std::size_t model) const;
    QFont countFont() const;
    /// Where each model is drawn.
    std::vector<QRectF> markRects() const;
    /// The badge of each model, see countRect(): beside its mark, and as far as possible over no other mark or badge.
    std::vector<QRectF> countRects() const;
    void paintCount(QPainter& painter, std::size_t model, const QRectF& badge) const;
    void paintRing(QPainter& painter, std::size_t model, const QColor& color, double width) const;
    void paintName(QPainter& painter, std::size_t model, QPointF at, std::vector<QRectF>& taken);

    // Marks are series; names, badges and the crosses of intervals, which Qt Charts has not, are painted over them.
    ChartFrame* frame_;
    QScatterSeries* good_;
    QScatterSeries* suspicious_;
    QScatterSeries* kept_; ///< at most one point
    std::optional<std::size_t> hovered_;
    QToolButton* pathButton_;
    std::vector<ModelRun> runs_;
    std::vector<bool> isSuspicious_;
    std::vector<QRectF> nameRects_;
};

} // namespace assay
