#pragma once

#include "engine/report/parts/curve_lines.h"
#include "widgets/charts/plot_series.h"

#include <QListWidget>

#include <optional>
#include <vector>

class QPalette;

namespace assay {

/// How a line of a chart is drawn, and its piece in legends.
///
/// Colour, dash and mark follow from ChartLine::style so that, of 24 lines in turn, no two have the same colour and
/// dash, nor the same colour and mark, nor the same dash and mark. Long dashes are for controls, which have the colour
/// of their score, paler, and its mark, hollow; and for the ideal line. Few points, such as one for each k, are marked.
struct LineStyle {
    QPen pen;
    MarkStyle mark;
};

LineStyle lineStyle(const ChartLine& line, const QPalette& palette);

/// The lines of a curve by name, with a piece of each. Ticks draw them or leave them out (space), the row under
/// the mouse or the keys is drawn stronger, Enter or a double click chooses a line.
class CurveLegend : public QListWidget {
    Q_OBJECT

public:
    explicit CurveLegend(QWidget* parent);

    /// @param toolTips one per line
    void show(const std::vector<ChartLine>& lines, const QStringList& toolTips, const std::vector<bool>& shown);
    /// Ticks others.
    void setShown(const std::vector<bool>& shown);
    /// Which lines are ticked.
    std::vector<bool> shown() const;
    /// Size that shows all names in full, within bounds.
    int widthWanted() const;
    int heightWanted() const;

signals:
    void shownChanged();
    void highlighted(std::optional<std::size_t> line);
    void lineChosen(std::size_t line);

protected:
    void leaveEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void paintSamples();

    std::vector<ChartLine> lines_;
};

} // namespace assay
