#pragma once

#include <QLabel>

namespace assay {

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
