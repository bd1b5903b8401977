#include "widgets/space/sample_colors.h"

#include "engine/math/statistics/quantile.h"
#include "engine/metrics/catalog/catalog.h"
#include "widgets/common/colors.h"

#include <QCoreApplication>
#include <QPalette>

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay::space {
namespace {

/// Translation context of this file's texts.
struct ColorWords {
    Q_DECLARE_TR_FUNCTIONS(assay::SpaceView)
};

QString toText(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// Where the colour map begins and ends, and whether values lie beyond.
struct Scale {
    double low = 0.0, high = 1.0;
    bool below = false, above = false;

    double at(double value) const { return high > low ? (value - low) / (high - low) : 0.5; }
};

Scale scaleOf(const Column& column, const std::vector<double>& values) {
    if (column.unit == Unit::Share)
        return {};
    // The ends of all, the quantiles of at most so many: a thousandth more or less shows in no colour.
    constexpr std::size_t kEnough = 50'000;
    const std::size_t step = values.size() / kEnough + 1;
    std::vector<double> finite;
    double least = std::numeric_limits<double>::infinity();
    double most = -least;
    for (std::size_t row = 0; row < values.size(); ++row) {
        if (!std::isfinite(values[row]))
            continue;
        least = std::min(least, values[row]);
        most = std::max(most, values[row]);
        if (row % step == 0)
            finite.push_back(values[row]);
    }
    if (finite.empty())
        return {};
    Scale scale{quantile(std::span(finite), 0.01, QuantileRule::Nearest),
                quantile(std::span(finite), 0.99, QuantileRule::Nearest)};
    scale.below = least < scale.low;
    scale.above = most > scale.high;
    return scale;
}

/// Colours of yes and no: the better value has the synthetic set's colour, the other value another colour.
QColor answerColor(const Column& column, bool yes, const QPalette& palette) {
    const bool wanted = yes == (column.better != Direction::Lower);
    if (wanted)
        return colors::synthetic(palette);
    return column.id == "authentic" ? colors::unauthentic(palette) : colors::score(0.0, palette);
}

/// The words of a synthetic sample's verdict have their colours everywhere.
QColor wordColor(std::size_t word, const QPalette& palette) {
    return word == 0 ? colors::synthetic(palette) : colors::verdict(static_cast<Verdict>(word), palette);
}

/// The colours that values of a column can have: few, looked up a million times.
class Shades {
public:
    Shades(const Column* column, const Scale& scale, const QPalette& palette) : column_(column), scale_(scale) {
        if (!column)
            shades_ = {toRgb(colors::synthetic(palette))};
        else if (column->unit == Unit::Word)
            for (std::size_t word = 0; word < column->words.size(); ++word)
                shades_.push_back(toRgb(wordColor(word, palette)));
        else if (column->unit == Unit::YesNo)
            shades_ = {toRgb(answerColor(*column, false, palette)), toRgb(answerColor(*column, true, palette))};
        else
            for (std::size_t i = 0; i < kShades; ++i)
                shades_.push_back(toRgb(colors::score(static_cast<double>(i) / (kShades - 1), palette)));
    }

    /// @param value not NaN
    Rgb of(double value) const {
        if (!column_)
            return shades_.front();
        if (column_->unit == Unit::Word)
            return shades_[std::min(static_cast<std::size_t>(value), shades_.size() - 1)];
        if (column_->unit == Unit::YesNo)
            return shades_[value != 0.0 ? 1 : 0];
        return shades_[static_cast<std::size_t>(std::lround(std::clamp(scale_.at(value), 0.0, 1.0) * (kShades - 1)))];
    }

private:
    static constexpr std::size_t kShades = 256;

    const Column* column_;
    Scale scale_;
    std::vector<Rgb> shades_;
};

ColorLegend legendOf(const Column* column, const Scale& scale, const QPalette& palette, const QLocale& locale) {
    ColorLegend legend;
    if (!column) {
        legend.entries = {{colors::synthetic(palette), ColorWords::tr("synthetic")}};
    } else if (column->unit == Unit::YesNo) {
        legend.title = toText(column->title);
        legend.entries = {{answerColor(*column, true, palette), ColorWords::tr("yes")},
                          {answerColor(*column, false, palette), ColorWords::tr("no")}};
    } else if (column->unit == Unit::Word) {
        legend.title = toText(column->title);
        for (std::size_t word = 0; word < column->words.size(); ++word)
            legend.entries.push_back({wordColor(word, palette), toText(column->words[word]).replace('_', '-')});
    } else {
        legend.title = toText(column->title);
        legend.hasScale = true;
        const auto ended = [](bool beyond, const QString& sign, const QString& text) {
            return beyond ? sign + QChar(0x2009) + text : text;
        };
        legend.low = ended(scale.below, QStringLiteral("\u2264"), valueText(*column, scale.low, locale));
        legend.high = ended(scale.above, QStringLiteral("\u2265"), valueText(*column, scale.high, locale));
    }
    return legend;
}

} // namespace

std::vector<const Column*> colorableColumns(const ModelAudit& model) {
    std::vector<const Column*> columns;
    for (const Column& column : columnCatalog()) {
        // A row number has no order that a colour could show.
        if (column.side != Side::Synthetic || column.unit == Unit::Row)
            continue;
        if (model.hasColumn(column.id))
            columns.push_back(&column);
    }
    return columns;
}

SampleColors colorSamples(const ViewState& state, const Column* column, const QPalette& palette,
                          const QLocale& locale) {
    const std::size_t rows = state.current().set->rows();
    const std::vector<double>* values = column ? &state.current().column(column->id) : nullptr;
    const Scale scale = column ? scaleOf(*column, *values) : Scale{};
    const Shades shades(column, scale, palette);
    const Rgb rejected = toRgb(colors::rejected(palette));
    const Rgb missing = toRgb(colors::mutedText(palette));

    SampleColors result;
    result.legend = legendOf(column, scale, palette, locale);
    result.colors.reserve(rows);
    bool anyRejected = false;
    bool anyMissing = false;
    for (std::size_t row = 0; row < rows; ++row) {
        const double value = values ? (*values)[row] : 0.0;
        const bool kept = state.isKept(row);
        const bool isMissing = kept && std::isnan(value);
        anyRejected = anyRejected || !kept;
        anyMissing = anyMissing || isMissing;
        result.colors.push_back(!kept ? rejected : isMissing ? missing : shades.of(value));
    }
    if (anyMissing)
        result.legend.entries.push_back({colors::mutedText(palette), ColorWords::tr("no value")});
    if (anyRejected)
        result.legend.entries.push_back({colors::rejected(palette), ColorWords::tr("rejected")});
    return result;
}

QString valueText(const Column& column, double value, const QLocale& locale) {
    if (std::isnan(value))
        return ColorWords::tr("no value");
    if (column.unit == Unit::YesNo)
        return value != 0.0 ? ColorWords::tr("yes") : ColorWords::tr("no");
    if (column.unit == Unit::Word && value >= 0.0 && value < static_cast<double>(column.words.size()))
        return toText(column.words[static_cast<std::size_t>(value)]).replace('_', '-');
    if (column.unit == Unit::Count || column.unit == Unit::Row)
        return locale.toString(value, 'f', 0);
    const QString number = locale.toString(value, 'g', 3);
    return column.unit == Unit::Nats ? ColorWords::tr("%1 nats").arg(number) : number;
}

} // namespace assay::space
