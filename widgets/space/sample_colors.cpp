#include "widgets/space/sample_colors.h"

#include "engine/metrics/catalog.h"
#include "widgets/colors.h"

#include <QCoreApplication>
#include <QPalette>

#include <algorithm>
#include <cmath>

namespace assay::space {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("assay::SpaceView", text);
}

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
    std::vector<double> finite;
    std::copy_if(values.begin(), values.end(), std::back_inserter(finite), [](double v) { return std::isfinite(v); });
    if (finite.empty())
        return {};
    const auto rank = [&](double share) {
        const auto at = finite.begin() + std::lround(share * static_cast<double>(finite.size() - 1));
        std::nth_element(finite.begin(), at, finite.end());
        return *at;
    };
    Scale scale{rank(0.01), rank(0.99)};
    const auto [least, most] = std::minmax_element(finite.begin(), finite.end());
    scale.below = *least < scale.low;
    scale.above = *most > scale.high;
    return scale;
}

/// Yes and no: the wanted answer has the synthetic set's colour, the other one a colour of its own.
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

/// One colour per row before rejection is applied; rows without a value have none.
std::vector<QColor> rawColors(const Column* column, const std::vector<double>* values, const Scale& scale,
                              std::size_t rows, const QPalette& palette) {
    std::vector<QColor> colors(rows, colors::synthetic(palette));
    if (!column)
        return colors;
    for (std::size_t row = 0; row < rows; ++row) {
        const double value = (*values)[row];
        if (std::isnan(value))
            colors[row] = QColor();
        else if (column->unit == Unit::Word)
            colors[row] = wordColor(static_cast<std::size_t>(value), palette);
        else if (column->unit == Unit::YesNo)
            colors[row] = answerColor(*column, value != 0.0, palette);
        else
            colors[row] = colors::score(scale.at(value), palette);
    }
    return colors;
}

ColorLegend legendOf(const Column* column, const Scale& scale, const QPalette& palette, const QLocale& locale) {
    ColorLegend legend;
    if (!column) {
        legend.entries = {{colors::synthetic(palette), tr("synthetic")}};
    } else if (column->unit == Unit::YesNo) {
        legend.title = toText(column->title);
        legend.entries = {{answerColor(*column, true, palette), tr("yes")},
                          {answerColor(*column, false, palette), tr("no")}};
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
        const auto has = [&](const ColumnValues& values) { return values.id == column.id; };
        if (std::any_of(model.columns.begin(), model.columns.end(), has))
            columns.push_back(&column);
    }
    return columns;
}

SampleColors colorSamples(const ViewState& state, const Column* column, const QPalette& palette,
                          const QLocale& locale) {
    const std::size_t rows = state.current().set->rows();
    const std::vector<double>* values = column ? &state.current().column(column->id) : nullptr;
    const Scale scale = column ? scaleOf(*column, *values) : Scale{};
    const std::vector<QColor> raw = rawColors(column, values, scale, rows, palette);

    SampleColors result;
    result.legend = legendOf(column, scale, palette, locale);
    result.colors.reserve(rows);
    bool anyRejected = false;
    bool anyMissing = false;
    for (std::size_t row = 0; row < rows; ++row) {
        const bool kept = state.isKept(row);
        const QColor color = !kept                ? colors::rejected(palette)
                             : raw[row].isValid() ? raw[row]
                                                  : colors::mutedText(palette);
        anyRejected = anyRejected || !kept;
        anyMissing = anyMissing || (kept && !raw[row].isValid());
        result.colors.push_back(toRgb(color));
    }
    if (anyMissing)
        result.legend.entries.push_back({colors::mutedText(palette), tr("no value")});
    if (anyRejected)
        result.legend.entries.push_back({colors::rejected(palette), tr("rejected")});
    return result;
}

QString valueText(const Column& column, double value, const QLocale& locale) {
    if (std::isnan(value))
        return tr("no value");
    if (column.unit == Unit::YesNo)
        return value != 0.0 ? tr("yes") : tr("no");
    if (column.unit == Unit::Word && value >= 0.0 && value < static_cast<double>(column.words.size()))
        return toText(column.words[static_cast<std::size_t>(value)]).replace('_', '-');
    if (column.unit == Unit::Count || column.unit == Unit::Row)
        return locale.toString(value, 'f', 0);
    const QString number = locale.toString(value, 'g', 3);
    return column.unit == Unit::Nats ? tr("%1 nats").arg(number) : number;
}

} // namespace assay::space
