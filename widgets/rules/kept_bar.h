#pragma once

#include <QWidget>

namespace assay {

/// A thin bar: the kept share in the colour of synthetic samples, the rejected rest faded.
class KeptBar : public QWidget {
    Q_OBJECT

public:
    explicit KeptBar(QWidget* parent);
    /// @param share of kept samples in [0, 1]
    void setShare(double share);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    double share_ = 1.0;
};

} // namespace assay
