#pragma once

#include <QComboBox>

namespace assay {

/// A combo box that may be narrower than its texts: the current one is elided there, so that it still differs from
/// the others, and the tooltip has it whole.
class ElidingComboBox : public QComboBox {
    Q_OBJECT

public:
    /// @param letters of room that it has at least, and takes more where there is some; 0: as the layout has it
    explicit ElidingComboBox(QWidget* parent = nullptr, int letters = 0);

    /// The visible part of the current text.
    QString shownText() const;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
};

} // namespace assay
