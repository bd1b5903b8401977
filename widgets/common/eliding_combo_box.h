#pragma once

#include <QComboBox>

namespace assay {

/// A combo box that may be narrower than its texts: the current one is elided there, so that it still differs from
/// the others, and the tooltip has it whole.
class ElidingComboBox : public QComboBox {
    Q_OBJECT

public:
    explicit ElidingComboBox(QWidget* parent = nullptr);

    /// The visible part of the current text.
    QString shownText() const;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
};

} // namespace assay
