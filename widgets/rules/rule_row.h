#pragma once

#include "engine/audit/filter.h"
#include "engine/metrics/catalog.h"

#include <QWidget>

#include <optional>
#include <vector>

class QCheckBox;
class QDoubleSpinBox;
class QLabel;
class QSlider;

namespace assay {

class RuleHistogram;

/// One rule of RulesPanel: a check box that puts it into force, and for thresholds a slider and a spin box.
///
/// The bound follows the column: where higher is better a sample must reach the value, otherwise it must not exceed it.
/// A rule on a p-value or a q-value says what it takes of good samples, in percent, and has a default that is safe.
class RuleRow : public QWidget {
    Q_OBJECT

public:
    /// @param column a synthetic-side column; yes/no columns become a plain switch for "yes", columns of words one for
    /// the first word
    RuleRow(const Column& column, QWidget* parent);

    std::string columnId() const { return std::string(column_.id); }
    /// The rule when it is in force.
    std::optional<FilterRule> rule() const;
    /// Shows a rule, or that none is in force: then the slider is wide open, unless the person has just switched the
    /// rule off themselves. Emits nothing.
    void show(const std::optional<FilterRule>& rule);
    /// The values that the slider runs through. Emits nothing.
    /// @param good what good samples score in the column; none where that is not known
    void setValues(const std::vector<double>& values, std::size_t k, const std::vector<double>& good = {});
    /// What good samples score in the column; none where that is not known.
    const std::vector<double>& goodValues() const noexcept { return good_; }
    /// Puts the rule into force, as a click on its check box does.
    void switchOn();

signals:
    /// The person has changed the rule.
    void edited();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void makeControls();
    void showTaken();
    void setValueFromSlider(int step);
    void showValue();
    int stepOf(double value) const;
    double valueAt(int step) const;
    Bound bound() const;
    double harmless() const;
    bool isRate() const;

    const Column& column_;
    QCheckBox* check_;
    QSlider* slider_ = nullptr;
    QDoubleSpinBox* spin_ = nullptr;
    RuleHistogram* histogram_ = nullptr;
    QLabel* taken_; ///< what the rule takes of good samples, in words
    std::vector<double> good_;
    std::vector<double> steps_; ///< values of a column that takes few, ascending; else empty
    double low_ = 0.0;
    double high_ = 1.0;
    std::optional<double> value_; ///< exact, where the spin box rounds; none until someone sets it
};

} // namespace assay
