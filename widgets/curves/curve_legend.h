#pragma once

#include "engine/report/parts/curve_lines.h"

#include <QListWidget>

#include <optional>
#include <vector>

namespace assay {

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
