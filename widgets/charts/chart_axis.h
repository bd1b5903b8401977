#pragma once

#include <QString>
#include <QStringList>

#include <cstddef>
#include <vector>

namespace assay {

/// Round numbers (1, 2 or 5 times a power of ten apart) within [low, high], about `wanted` of them and at least two
/// where the range allows.
std::vector<double> axisTicks(double low, double high, int wanted);

/// Round numbers within [low, high], both above 0, for a logarithmic axis: 1, 2 and 5 times powers of ten, or powers
/// alone where these would be many. At least two where the range allows.
std::vector<double> logarithmicTicks(double low, double high);

/// Decimals that tell numbers a step apart.
int tickDecimals(double step);

/// The next larger of the steps that axes have: 1, 2, 5, 10, ..
double coarserStep(double step);

/// An axis: its title, the range shown and the distance of its ticks, one of which is at 0, or ticks of its own. The
/// range of a logarithmic one, which has its own, is above 0.
struct ChartAxis {
    enum class Scale { Linear, Logarithmic };

    QString title;
    double from = 0.0;
    double to = 1.0;
    double step = 0.2;
    int decimals = 1; ///< of the numbers at the ticks
    Scale scale = Scale::Linear;
    std::vector<double> ticks{}; ///< its own, ascending, within its range; empty: every `step`
    QStringList names{};         ///< what stands at its own ticks, where that is not their number
    bool elideNames = false;     ///< names are cut to the room that each has; else some of them are left out
    QString brief{};             ///< the title where there is no room for it; empty: it is elided
    QString definition{};        ///< of what it shows: its tooltip; empty: the title is

    bool operator==(const ChartAxis&) const = default;

    /// Coordinate of a value for Qt Charts, whose axes are all linear here.
    double plotted(double value) const;
    /// How far along the axis a value lies: 0 at its beginning, 1 at its end.
    double shareAt(double value) const;
    double valueAt(double share) const;
    /// A part of the axis, from one share of it to another, with ticks that fit it.
    ChartAxis part(double first, double last) const;
    /// Label of one of the axis's own ticks.
    QString tickText(std::size_t tick) const;
};

/// The smallest range that holds all values given to it; values that are not finite are ignored.
struct ValueRange {
    double low = 0.0;
    double high = 0.0;
    bool empty = true;

    void include(double value);
    void include(const std::vector<double>& values);
};

/// How an axis is fitted to the values that it shows.
struct AxisFit {
    int ticks = 5;        ///< about as many
    double margin = 0.04; ///< beside the outermost values, in ranges of them
    bool counts = false;  ///< ticks are whole numbers
    bool shares = false;  ///< 0 to 1, if no value lies outside
};

/// An axis over a range, with round ticks. Where all values are equal there is some room on either side.
ChartAxis fittedAxis(const QString& title, const ValueRange& range, const AxisFit& fit = {});
/// A logarithmic axis over a range above 0 with ticks at 1, 2 and 5 times powers of ten.
/// @param margin beside the outermost values, in ranges of their logarithms
ChartAxis logarithmicAxis(const QString& title, const ValueRange& range, double margin = 0.0);

} // namespace assay
