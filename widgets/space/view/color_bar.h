#pragma once

#include <QGradient>
#include <QString>
#include <QWidget>

#include <cstddef>
#include <optional>
#include <vector>

namespace assay::space {

/// Legend of the points' colours.
struct ColorLegend {
    /// A colour that stands for one value, with its name.
    struct Entry {
        QColor color;
        QString text;
        std::size_t count = 0;                              ///< samples of it that are shown
        std::optional<std::size_t> selected = std::nullopt; ///< of these, selected; none while nothing is
        bool always = true;                                 ///< listed even where there are none
        /// Place in the audit of another model than the current one, whose samples cannot be selected.
        std::optional<std::size_t> model = std::nullopt;

        bool isListed() const { return always || count > 0; }
    };

    QString title;
    QGradientStops scale{};       ///< a continuous colour map between `low` and `high`; empty: none
    QString low, high;            ///< labels at its ends
    Entry onScale{};              ///< the samples whose values lie on it, where it has a text; its colour is not used
    std::vector<Entry> entries{}; ///< single colours: yes and no, classes, rejected, no value
    std::size_t more = 0;         ///< models that are not drawn
};

/// Draws a ColorLegend in as many lines as it takes. A click on an entry selects its samples, a double click shows
/// nothing else; with the keyboard, arrows walk through the entries, Space selects and Enter shows nothing else. A
/// vtkScalarBarActor hides points, cannot be clicked and is read by no screen reader.
class ColorBar : public QWidget {
    Q_OBJECT

public:
    explicit ColorBar(QWidget* parent);

    void setLegend(ColorLegend legend);
    const ColorLegend& legend() const noexcept { return legend_; }
    /// Where an entry is drawn; null for one that is not listed.
    QRect entryRect(std::size_t entry) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

signals:
    void entryChosen(std::size_t entry, Qt::KeyboardModifiers modifiers);
    void entryIsolated(std::size_t entry);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    bool event(QEvent* event) override;

private:
    /// A piece of the legend and where it is drawn.
    struct Piece {
        QRect box{};
        QString text{}; ///< empty: the scale
        bool isMuted = false;
        std::optional<std::size_t> entry = std::nullopt;
    };

    std::vector<Piece> pieces() const;
    /// The pieces in a given width.
    std::vector<Piece> placed(int width) const;
    QString textOf(const ColorLegend::Entry& entry) const;
    std::optional<std::size_t> entryAt(QPoint at) const;
    /// The next listed entry in a direction, from the current one.
    void walk(int step);

    ColorLegend legend_;
    std::optional<std::size_t> current_; ///< with the keyboard
};

} // namespace assay::space
