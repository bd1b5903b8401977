#pragma once

#include <QColor>
#include <QString>
#include <QWidget>

#include <limits>
#include <optional>
#include <vector>

namespace assay {

/// A value with its interval, one line of an IntervalChart.
struct IntervalRow {
    /// Whose value it is: a colour and a shape.
    enum class Mark { Synthetic, Real, Kept, Random };
    static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

    QString name;
    Mark mark = Mark::Synthetic;
    double value = kNone; ///< NaN: not known yet
    double low = kNone;   ///< NaN: without an interval
    double high = kNone;
    QString text{};    ///< the value as text
    QString toolTip{}; ///< rich text
};

/// What the rows of an IntervalChart are measured on.
struct IntervalAxis {
    enum class Ticks { Numbers, Percent };

    QString title;
    double lowest = 0.0; ///< the axis never goes below, nor above `highest`
    double highest = std::numeric_limits<double>::infinity();
    double leastSpan = 0.0; ///< equal values are not pulled apart beyond this
    Ticks ticks = Ticks::Numbers;
    std::optional<double> reference{}; ///< a value to compare with, such as chance; always within the axis
    QString referenceName{};
    QString definition{}; ///< tooltip of the title; rich text
};

/// A few values beside each other on one axis, a line each: name, mark with interval, number. As high as it needs to
/// be. The axis begins where the values do: positions are compared, not lengths.
class IntervalChart : public QWidget {
    Q_OBJECT

public:
    explicit IntervalChart(QWidget* parent);

    void show(const IntervalAxis& axis, const std::vector<IntervalRow>& rows);
    using QWidget::show;

    const std::vector<IntervalRow>& rows() const noexcept { return rows_; }
    const IntervalAxis& axis() const noexcept { return axis_; }
    /// Horizontal place of a value in this widget's coordinates.
    double xOf(double value) const;
    /// Area of a row.
    QRect rowRect(std::size_t row) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    int lineHeight() const;
    int nameWidth() const;
    int valueWidth() const;
    int top() const;
    QRectF plot() const;
    void fitAxis();
    void paintAxis(QPainter& painter) const;
    void paintReference(QPainter& painter) const;
    void paintRow(QPainter& painter, std::size_t row) const;
    QColor colorOf(IntervalRow::Mark mark) const;
    QString toolTipAt(QPoint point) const;

    IntervalAxis axis_;
    std::vector<IntervalRow> rows_;
    double from_ = 0.0;
    double to_ = 1.0;
};

} // namespace assay
