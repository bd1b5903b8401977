#pragma once

#include <QString>
#include <QWidget>

#include <vector>

namespace assay::space {

/// Legend of the synthetic points' colours.
struct ColorLegend {
    /// A colour that stands for one value, with its name.
    struct Entry {
        QColor color;
        QString text;
    };

    QString title;
    bool hasScale = false;        ///< the continuous colour map between `low` and `high`
    QString low, high;            ///< labels at its ends
    std::vector<Entry> entries{}; ///< single colours: yes and no, rejected, no value
};

/// Draws a ColorLegend in one line of text height.
class ColorBar : public QWidget {
    Q_OBJECT

public:
    explicit ColorBar(QWidget* parent);

    void setLegend(ColorLegend legend);
    const ColorLegend& legend() const noexcept { return legend_; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {40, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    ColorLegend legend_;
};

} // namespace assay::space
