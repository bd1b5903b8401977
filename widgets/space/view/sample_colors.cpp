#include "widgets/space/view/sample_colors.h"

#include "engine/data/embedding_set.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/report/space/space_points.h"
#include "widgets/common/colors.h"
#include "widgets/common/number_format.h"
#include "widgets/common/verdict_words.h"

#include <QCoreApplication>
#include <QPalette>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <unordered_map>

namespace assay::space {
namespace {

/// Translation context of this file's texts.
struct ColorWords {
    Q_DECLARE_TR_FUNCTIONS(assay::SpaceView)
};

constexpr std::size_t kShades = 256;
constexpr std::size_t kMaxCategories = 10; // colours that people can tell apart

/// Where the colour map begins and ends, and whether values lie beyond.
struct Scale {
    double low = 0.0, high = 1.0;
    bool below = false, above = false;

    std::size_t shadeOf(double value) const {
        const double share = high > low ? (value - low) / (high - low) : 0.5;
        return static_cast<std::size_t>(std::lround(std::clamp(share, 0.0, 1.0) * (kShades - 1)));
    }
};

/// Shares run from 0 to 1, all else from the 1 % to the 99 % quantile.
Scale scaleOf(const Column& column, const std::vector<double>& values) {
    const auto range = column.unit == Unit::Share ? std::nullopt : innerRange(0.01, std::identity(), values);
    if (!range)
        return {};
    return {range->low, range->high,
            std::ranges::any_of(values, [&](double value) { return std::isfinite(value) && value < range->low; }),
            std::ranges::any_of(values, [&](double value) { return std::isfinite(value) && value > range->high; })};
}

/// The classes of both sets with the most samples, as many as people can tell apart, in the sets' order.
std::vector<std::string> largestClasses(const EmbeddingSet& real, const EmbeddingSet& synthetic) {
    std::vector<std::string> names;
    std::unordered_map<std::string, std::size_t> counts;
    for (const ClassLabels* labels : {&real.labels(), &synthetic.labels()}) {
        const std::vector<std::uint32_t> ofSet = labels->counts();
        for (std::uint32_t code = 0; code < ofSet.size(); ++code)
            if (labels->isClass(code)) {
                const auto [at, isNew] = counts.try_emplace(labels->names[code]);
                at->second += ofSet[code];
                if (isNew)
                    names.push_back(labels->names[code]);
            }
    }
    if (names.size() <= kMaxCategories)
        return names;
    std::vector<std::string> bySize = names;
    std::ranges::stable_sort(bySize, std::greater(), [&](const std::string& name) { return counts[name]; });
    bySize.resize(kMaxCategories);
    std::erase_if(names, [&](const std::string& name) { return std::ranges::find(bySize, name) == bySize.end(); });
    return names;
}

/// Colours of yes and no: the better value has the synthetic set's colour, the other value another colour.
QColor answerColor(const Column& column, bool yes, const QPalette& palette) {
    const bool wanted = yes == (column.better != Direction::Lower);
    if (wanted)
        return colors::synthetic(palette);
    return column.id == "authentic" ? colors::unauthentic(palette) : colors::score(0.0, palette);
}

class Colouring {
public:
    Colouring(const ViewState& state, const QPalette& palette)
        : state_(state), palette_(palette), table_(kShades), reals_(state.audit->real->set->rows()),
          synthetics_(state.current().set->rows()) {}

    SampleColors run(const QString& choice) {
        if (choice == kColorByModel)
            byModel();
        else if (choice == kColorByVerdict)
            byVerdict();
        else if (choice == kColorByClass)
            byClass();
        else if (choice == kColorByDecision)
            byDecision();
        else if (choice == kColorByTag)
            byTag();
        else if (const Column* column = state_.findColumn(choice.toStdString());
                 column && state_.current().hasColumn(column->id))
            byColumn(*column);
        else
            bySet();
        return std::move(result_);
    }

private:
    /// @return the code of its samples
    std::size_t entry(const QColor& color, const QString& text, bool always = true) {
        result_.legend.entries.push_back({color, text, 0, std::nullopt, always});
        table_.push_back(toRgb(color));
        return table_.size() - 1;
    }

    /// Colours a set by the codes of its rows: shades first, then entries.
    template <typename CodeOf>
    void fill(std::size_t cloud, std::size_t rows, const CodeOf& codeOf) {
        auto& shown = result_.colors[cloud];
        auto& entries = result_.entries[cloud];
        shown.resize(rows);
        entries.resize(rows);
        for (std::size_t row = 0; row < rows; ++row) {
            const std::size_t code = codeOf(row);
            shown[row] = table_[code];
            entries[row] = code < kShades ? SampleColors::kOnScale : static_cast<std::uint8_t>(code - kShades);
        }
    }

    static auto always(std::size_t code) {
        return [code](std::size_t) { return code; };
    }

    void fillReal() { fill(kRealCloud, reals_, always(entry(colors::real(palette_), ColorWords::tr("real"), false))); }

    /// The synthetic set, the rejected ones in grey.
    template <typename CodeOf>
    void fillSynthetic(const CodeOf& codeOf) {
        const std::size_t rejected = entry(colors::rejected(palette_), ColorWords::tr("rejected"), false);
        fill(kSyntheticCloud, synthetics_,
             [&](std::size_t row) { return state_.isKept(row) ? codeOf(row) : rejected; });
    }

    void bySet() {
        fillReal();
        fillSynthetic(always(entry(colors::synthetic(palette_), ColorWords::tr("synthetic"))));
    }

    /// The first ten models have colours of their own, which they keep whichever is the current one. More than these
    /// would hide each other.
    void byModel() {
        result_.legend.title = ColorWords::tr("Model");
        fillReal();
        std::size_t current = 0;
        const auto& models = state_.audit->models;
        result_.models.resize(models.size());
        for (std::size_t m = 0; m < models.size(); ++m) {
            const bool isCurrent = m == state_.model;
            if (m >= kMaxCategories && !isCurrent) {
                ++result_.legend.more;
                continue;
            }
            const QColor color = m < kMaxCategories ? colors::category(m, palette_) : colors::synthetic(palette_);
            result_.models[m] = toRgb(color);
            const std::size_t code = entry(color, QString::fromStdString(models[m]->name));
            if (isCurrent) {
                current = code;
            } else {
                result_.legend.entries.back().model = m;
                result_.legend.entries.back().count = models[m]->set->rows();
            }
        }
        fillSynthetic(always(current));
    }

    void byVerdict() {
        result_.legend.title = ColorWords::tr("Verdict");
        const ModelAudit& model = state_.current();
        std::size_t first = table_.size();
        if (model.hasColumn("coverage_verdict")) {
            for (std::size_t word = 0; word < kCoverageVerdictWords.size(); ++word) {
                const auto verdict = static_cast<CoverageVerdict>(word);
                entry(colors::verdict(verdict, palette_), ColorWords::tr("real, %1").arg(verdictWord(verdict)));
            }
            const auto& values = model.column("coverage_verdict");
            fill(kRealCloud, reals_, [&](std::size_t row) { return first + static_cast<std::size_t>(values[row]); });
        } else {
            fillReal();
        }
        first = table_.size();
        for (std::size_t word = 0; word < kVerdictWords.size(); ++word) {
            const auto verdict = static_cast<Verdict>(word);
            entry(verdict == Verdict::Good ? colors::synthetic(palette_) : colors::verdict(verdict, palette_),
                  verdictWord(verdict));
        }
        const auto& values = model.column("verdict");
        fillSynthetic([&](std::size_t row) { return first + static_cast<std::size_t>(values[row]); });
    }

    void byClass() {
        result_.legend.title = ColorWords::tr("Class");
        const EmbeddingSet& real = *state_.audit->real->set;
        const EmbeddingSet& synthetic = *state_.current().set;
        const std::vector<std::string> classes = largestClasses(real, synthetic);
        const std::size_t first = table_.size();
        for (std::size_t i = 0; i < classes.size(); ++i)
            entry(colors::category(i, palette_), QString::fromStdString(classes[i]));
        const std::size_t others =
            entry(colors::unselected(palette_).darker(115), ColorWords::tr("other classes"), false);
        const std::size_t none = entry(colors::mutedText(palette_), ColorWords::tr("no class"), false);
        const auto codesIn = [&](const EmbeddingSet& set) {
            std::vector<std::size_t> codes; // by class
            for (const std::string& name : set.labels().names) {
                const auto at = static_cast<std::size_t>(std::ranges::find(classes, name) - classes.begin());
                codes.push_back(at < classes.size() ? first + at : others);
            }
            return [&set, none, codes = std::move(codes)](std::size_t row) {
                return set.hasLabel(row) ? codes[set.labels().code[row]] : none;
            };
        };
        fill(kRealCloud, reals_, codesIn(real));
        fillSynthetic(codesIn(synthetic));
    }

    void byDecision() {
        result_.legend.title = ColorWords::tr("Decision");
        fillReal();
        const std::size_t kept = entry(colors::synthetic(palette_), ColorWords::tr("kept"));
        const std::size_t accepted = entry(colors::accepted(palette_), ColorWords::tr("kept by hand"), false);
        const std::size_t unsure = entry(colors::line(2, palette_), ColorWords::tr("unsure"), false);
        const std::size_t byRules = entry(colors::rejected(palette_), ColorWords::tr("rejected by the rules"), false);
        const std::size_t rejectedByHand = entry(colors::line(5, palette_), ColorWords::tr("rejected by hand"), false);
        std::vector<std::size_t> codes(synthetics_, kept);
        for (std::size_t row = 0; row < synthetics_; ++row)
            if (!state_.isKept(row))
                codes[row] = byRules;
        const auto set = [&](const std::shared_ptr<const SampleSet>& samples, std::size_t code) {
            if (samples)
                for (const SampleId sample : samples->in(state_.currentSet()))
                    codes[sample.row] = code;
        };
        set(state_.unsure, unsure);
        set(state_.accepted, accepted);
        if (state_.rejectedByHand)
            for (const std::uint32_t row : *state_.rejectedByHand)
                codes[row] = rejectedByHand;
        fill(kSyntheticCloud, synthetics_, [&](std::size_t row) { return codes[row]; });
    }

    void byTag() {
        result_.legend.title = ColorWords::tr("Tag");
        const std::size_t real = entry(colors::real(palette_), ColorWords::tr("real, no tag"));
        const std::size_t synthetic = entry(colors::synthetic(palette_), ColorWords::tr("synthetic, no tag"));
        std::vector<std::size_t> reals(reals_, real);
        std::vector<std::size_t> synthetics(synthetics_, synthetic);
        // The first tag of several is written last.
        for (int tag = kTags; state_.tags && tag >= 1; --tag) {
            const SampleSet& samples = state_.tags->having(tag);
            if (samples.empty())
                continue;
            const std::size_t code = entry(colors::category(static_cast<std::size_t>(tag - 1), palette_),
                                           QString::fromStdString(state_.tagName(tag)), false);
            for (const SampleId sample : samples.in(SetId::Real))
                reals[sample.row] = code;
            for (const SampleId sample : samples.in(state_.currentSet()))
                synthetics[sample.row] = code;
        }
        fill(kRealCloud, reals_, [&](std::size_t row) { return reals[row]; });
        fillSynthetic([&](std::size_t row) { return synthetics[row]; });
    }

    void byColumn(const Column& column) {
        result_.legend.title = catalogText(column.title);
        const std::vector<double>& values = state_.current().column(column.id);
        const std::size_t missing = entry(colors::mutedText(palette_), ColorWords::tr("no value"), false);
        if (column.unit == Unit::YesNo) {
            const std::size_t yes = entry(answerColor(column, true, palette_), ColorWords::tr("yes"));
            const std::size_t no = entry(answerColor(column, false, palette_), ColorWords::tr("no"));
            fillBySide(column, [&](std::size_t row) {
                return std::isnan(values[row]) ? missing : values[row] != 0.0 ? yes : no;
            });
            return;
        }
        if (column.unit == Unit::Word) {
            const std::size_t first = table_.size();
            for (std::size_t word = 0; word < column.words.size(); ++word)
                entry(colors::category(word, palette_), formatValue(static_cast<double>(word), column));
            fillBySide(column, [&](std::size_t row) {
                const auto word = static_cast<std::size_t>(std::max(0.0, values[row]));
                return std::isnan(values[row]) ? missing : first + std::min(word, column.words.size() - 1);
            });
            return;
        }
        const Scale scale = scaleOf(column, values);
        for (std::size_t i = 0; i < kShades; ++i)
            table_[i] = toRgb(colors::score(static_cast<double>(i) / (kShades - 1), palette_));
        fillBySide(column,
                   [&](std::size_t row) { return std::isnan(values[row]) ? missing : scale.shadeOf(values[row]); });
        const auto ended = [](bool beyond, const QString& sign, const QString& text) {
            return beyond ? sign + QChar(0x2009) + text : text;
        };
        for (int i = 0; i <= 9; ++i)
            result_.legend.scale.append({i / 9.0, colors::score(i / 9.0, palette_)});
        result_.legend.low = ended(scale.below, QStringLiteral("\u2264"), formatValue(scale.low, column));
        result_.legend.onScale.text = column.side == Side::Real ? ColorWords::tr("real") : ColorWords::tr("synthetic");
        result_.legend.high = ended(scale.above, QStringLiteral("\u2265"), formatValue(scale.high, column));
    }

    /// One side by the codes, the other in its own colour.
    template <typename CodeOf>
    void fillBySide(const Column& column, const CodeOf& codeOf) {
        if (column.side == Side::Real) {
            fill(kRealCloud, reals_, codeOf);
            fillSynthetic(always(entry(colors::synthetic(palette_), ColorWords::tr("synthetic"), false)));
        } else {
            fillReal();
            fillSynthetic(codeOf);
        }
    }

    const ViewState& state_;
    const QPalette& palette_;
    std::vector<Rgb> table_; ///< colours by code
    std::size_t reals_, synthetics_;
    SampleColors result_;
};

} // namespace

std::vector<ColorChoice> colorChoices(const ViewState& state) {
    const ModelAudit& model = state.current();
    std::vector<ColorChoice> choices{{kColorBySet, ColorWords::tr("Set"), ColorWords::tr("A colour for each set")}};
    if (state.audit->models.size() > 1)
        choices.push_back({kColorByModel, ColorWords::tr("Model"),
                           ColorWords::tr("All models together, each in its own colour. Samples of other models than "
                                          "the current one cannot be selected.")});
    if (model.hasColumn("verdict"))
        choices.push_back({kColorByVerdict, ColorWords::tr("Verdict"),
                           ColorWords::tr("Synthetic samples: good, unrealistic, crowded, copy, invented. Real ones: "
                                          "covered, missed or thin.")});
    if (state.audit->real->set->hasLabels() || model.set->hasLabels())
        choices.push_back({kColorByClass, ColorWords::tr("Class"), ColorWords::tr("Classes of both sets")});
    choices.push_back({kColorByDecision, ColorWords::tr("Decision"), ColorWords::tr("Kept or rejected, and by whom")});
    choices.push_back({kColorByTag, ColorWords::tr("Tag"), ColorWords::tr("Tags that were given to samples")});
    for (const Side side : {Side::Synthetic, Side::Real})
        for (const Column* column : state.columns()) {
            // A row number has no order that a colour could show; verdicts have a choice of their own.
            const bool isVerdict = column->id == "verdict" || column->id == "coverage_verdict";
            if (column->side == side && column->unit != Unit::Row && !isVerdict)
                choices.push_back({catalogText(column->id),
                                   side == Side::Real ? ColorWords::tr("%1 (real)").arg(catalogText(column->title))
                                                      : catalogText(column->title),
                                   metricToolTip(*column)});
        }
    return choices;
}

SampleColors colorSamples(const ViewState& state, const QString& choice, const QPalette& palette) {
    return Colouring(state, palette).run(choice);
}

void countEntries(SampleColors& colors, const std::array<PickableCloud, 2>& seen, const SampleSet& selected,
                  SetId synthetic) {
    std::array<std::size_t, 256> counts{}, chosen{}; // by entry, and on the scale
    for (std::size_t cloud = 0; cloud < seen.size(); ++cloud) {
        const auto& entries = colors.entries[cloud];
        const std::size_t rows = std::min(seen[cloud].points.size(), entries.size());
        for (std::size_t row = 0; row < rows; ++row)
            counts[entries[row]] += seen[cloud].shows(row) ? 1 : 0;
        for (const SampleId sample : selected.in(cloud == kRealCloud ? SetId::Real : synthetic))
            if (sample.row < rows && seen[cloud].shows(sample.row))
                ++chosen[entries[sample.row]];
    }
    const auto count = [&](ColorLegend::Entry& entry, std::size_t at) {
        if (entry.model)
            return; // counted with its model
        entry.count = counts[at];
        entry.selected = selected.empty() ? std::nullopt : std::optional(chosen[at]);
    };
    for (std::size_t at = 0; at < colors.legend.entries.size(); ++at)
        count(colors.legend.entries[at], at);
    count(colors.legend.onScale, SampleColors::kOnScale);
}

SampleSet samplesOf(const SampleColors& colors, std::size_t entry, const std::array<PickableCloud, 2>& seen,
                    SetId synthetic) {
    SampleSet samples;
    for (std::size_t cloud = 0; cloud < seen.size(); ++cloud)
        samples |= SampleSet::where(
            cloud == kRealCloud ? SetId::Real : synthetic, seen[cloud].points.size(),
            [&](std::size_t row) { return colors.entries[cloud][row] == entry && seen[cloud].shows(row); });
    return samples;
}

} // namespace assay::space
