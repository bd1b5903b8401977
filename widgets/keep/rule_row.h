#pragma once

#include "engine/math/statistics/histogram.h"
#include "engine/metrics/tables/metric.h"
#include "engine/subsets/rules/filter.h"

#include <QStringList>
#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QMenu;
class QToolButton;

namespace assay {

class RuleHistogram;
class RuleSlider;

/// One rule of KeepPanel: a check box that puts it into force, what it is set to, and a menu with the other kinds of
/// rules on the same column.
///
/// At first the bound follows the column: where higher is better a sample must reach the value, otherwise it must not
/// exceed it. A rule on a p-value or a q-value says what it takes of good samples, in percent, and has a default that
/// is safe.
class RuleRow : public QWidget {
    Q_OBJECT

public:
    /// @param column of synthetic samples, or one of the names of engine/subsets/rules/filter.h
    /// @param name ends the object names of its parts: the column's, where it is the first row of it
    /// @param described the column; null for one of those names
    RuleRow(const std::string& column, std::shared_ptr<const Column> described, const QString& name, QWidget* parent);

    const std::string& columnId() const noexcept { return rule_.column; }
    /// The rule when it is in force.
    std::optional<FilterRule> rule() const;
    /// Shows a rule, or that none is in force: then the slider is wide open, unless the person has just switched the
    /// rule off themselves. Emits nothing.
    void show(const std::optional<FilterRule>& rule);
    /// The values that the sliders run through. Emits nothing.
    /// @param good what good samples score in the column; none where that is not known
    void setValues(std::shared_ptr<const std::vector<double>> values, std::size_t k, std::vector<double> good = {});
    /// Scores of good samples in the column; none if they are unknown.
    const std::vector<double>& goodValues() const noexcept { return good_; }
    /// The words that can be chosen of a class or a tag, as the rule and as people read them.
    void setWords(const std::vector<std::string>& words, const QStringList& titles);
    /// How many samples the rule does not let pass; nothing where that is not known.
    void setFailing(std::optional<std::size_t> failing, std::size_t samples);
    /// Puts the rule into force, as a click on its check box does.
    void switchOn();
    /// Shows another kind of rule on the same column; the person's own doing.
    void change(Bound bound, Effect effect);

signals:
    /// The person has changed the rule.
    void edited();
    /// The person wants the row to go.
    void removeRequested();

private:
    bool isWord() const;
    bool hasNumber() const;
    bool isRate() const;
    bool isShare() const;
    void makeControls(const QString& name);
    void makeMenu(const QString& name);
    void fillMenu();
    QString title() const;
    void arrange();
    void showAll();
    void showTaken();
    void touched();
    double defaultThreshold() const;
    double lowest() const;
    double highest() const;
    void setNearestBound(double value);

    std::shared_ptr<const Column> column_; ///< null for what is no column of the catalogue
    FilterRule rule_;
    bool set_ = false; ///< rule_ holds what someone has set, not a default
    QCheckBox* check_;
    QToolButton* more_;
    QMenu* menu_;
    RuleHistogram* histogram_ = nullptr;
    RuleSlider* lower_ = nullptr;
    RuleSlider* upper_ = nullptr; ///< of a range
    QComboBox* words_ = nullptr;
    QLabel* taken_; ///< what the rule takes of the model's and of good samples, in words
    std::shared_ptr<const std::vector<double>> values_; ///< of the model's samples; null at first
    std::vector<double> good_;
    std::optional<std::size_t> failing_;
    std::size_t samples_ = 0;
    HistogramBins bins_; ///< of the values, for the sliders; none for what is no number
};

} // namespace assay
