#pragma once

#include "engine/math/statistics/histogram.h"
#include "engine/metrics/tables/metric.h"

#include <QWidget>

#include <vector>

class QDoubleSpinBox;
class QSlider;

namespace assay {

/// A number that a rule is set to, by slider or by typing. Shares are shown in percent.
class RuleSlider : public QWidget {
    Q_OBJECT

public:
    /// @param name ends the object names of slider and spin box @param title for screen readers
    RuleSlider(const QString& name, const QString& title, QWidget* parent);

    /// The slider runs through the values of a column, given its bins; there must be one.
    void runThrough(const HistogramBins& bins, Unit unit);
    /// The slider runs through shares from 0 to `most`.
    void runThroughShares(double most);

    /// Exact, where the spin box rounds.
    double value() const noexcept { return value_; }
    /// Emits nothing.
    void setValue(double value);

signals:
    void edited(double value);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void show();
    int stepOf(double value) const;
    double valueAt(int step) const;

    QSlider* slider_;
    QDoubleSpinBox* spin_;
    std::vector<double> steps_; ///< values of a column that takes few, ascending; else empty
    bool shares_ = false;
    double low_ = 0.0;
    double high_ = 1.0;
    double value_ = 0.0;
};

} // namespace assay
