#pragma once

#include "engine/audit/filter.h"
#include "engine/metrics/catalog.h"

#include <QWidget>

#include <optional>
#include <vector>

class QCheckBox;
class QDoubleSpinBox;
class QSlider;

namespace assay {

/// One rule of RulesPanel: a check box that puts it into force, and for thresholds a slider and a spin box.
///
/// The bound follows the column: where higher is better a sample must reach the value, otherwise it must not exceed it.
class RuleRow : public QWidget {
    Q_OBJECT

public:
    /// @param column a synthetic-side column; yes/no columns become a plain switch for "yes"
    RuleRow(const Column& column, QWidget* parent);

    std::string columnId() const { return std::string(column_.id); }
    /// The rule when it is in force.
    std::optional<FilterRule> rule() const;
    /// Shows a rule, or that none is in force: then the slider is wide open, unless the person has just switched the
    /// rule off themselves. Emits nothing.
    void show(const std::optional<FilterRule>& rule);
    /// The values that the slider runs through. Emits nothing.
    void setValues(const std::vector<double>& values, std::size_t k);

signals:
    /// The person has changed the rule.
    void edited();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void makeControls();
    void setValueFromSlider(int step);
    void showValue();
    int stepOf(double value) const;
    double valueAt(int step) const;
    Bound bound() const;
    double harmless() const;

    const Column& column_;
    QCheckBox* check_;
    QSlider* slider_ = nullptr;
    QDoubleSpinBox* spin_ = nullptr;
    std::vector<double> steps_; ///< values of a column that takes few, ascending; else empty
    double low_ = 0.0;
    double high_ = 1.0;
    std::optional<double> value_; ///< exact, where the spin box rounds; none until someone sets it
};

} // namespace assay
