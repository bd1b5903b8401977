#pragma once

#include <QLabel>

class QLabel;

namespace assay {

/// Makes a label the heading of a part of a view: small, bold and muted.
void makeCaption(QLabel* label);

/// Plain text on as many lines as it takes. Words too long for a narrow panel, such as names of models and classes,
/// break anywhere and never make the panel wider. Where the text can be selected, such a word is cut off instead:
/// breaks would be copied with it.
class WrappingLabel : public QLabel {
    Q_OBJECT

public:
    explicit WrappingLabel(QWidget* parent = nullptr);
    WrappingLabel(const QString& text, QWidget* parent);

    QSize minimumSizeHint() const override;
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    bool breaksWords() const;
};

/// One line of plain text that takes what width there is: where it does not fit it is elided, and without a tooltip of
/// its own it has itself as one.
class ElidingLabel : public QLabel {
    Q_OBJECT

public:
    explicit ElidingLabel(QWidget* parent = nullptr, Qt::TextElideMode mode = Qt::ElideRight);

    /// The visible part of the text.
    QString shownText() const;
    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    Qt::TextElideMode mode_;
};

} // namespace assay
