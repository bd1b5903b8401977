#include "widgets/colors.h"

#include <QPalette>

#include <algorithm>
#include <array>
#include <cmath>

namespace assay::colors {
namespace {

QColor pick(const QPalette& palette, QRgb light, QRgb dark) {
    return QColor::fromRgb(isDark(palette) ? dark : light);
}

// Cividis (Nunez, Anderton, Renslow 2018) at ten even steps; linear in between.
constexpr std::array<QRgb, 10> kCividis{0x00204D, 0x00336F, 0x39486B, 0x575C6D, 0x707173,
                                        0x8A8779, 0xA69D75, 0xC4B56C, 0xE4CF5B, 0xFFEA46};

} // namespace

bool isDark(const QPalette& palette) {
    return palette.color(QPalette::Window).lightness() < palette.color(QPalette::WindowText).lightness();
}

QColor real(const QPalette& palette) {
    return pick(palette, 0x546A7B, 0x9FB4C7);
}
QColor synthetic(const QPalette& palette) {
    return pick(palette, 0xD9730D, 0xF5A04C);
}
QColor selected(const QPalette& palette) {
    return pick(palette, 0xF2C200, 0xFFD92E);
}
QColor unauthentic(const QPalette& palette) {
    return pick(palette, 0xC2188F, 0xFF6AC8);
}
QColor rejected(const QPalette& palette) {
    return pick(palette, 0xB4B8BC, 0x5C6166);
}
QColor mutedText(const QPalette& palette) {
    return pick(palette, 0x5F6670, 0xA3ABB5);
}
QColor gridLine(const QPalette& palette) {
    return pick(palette, 0xDDE1E5, 0x3E444B);
}

QColor score(double t, const QPalette& palette) {
    constexpr double kDarkStart = 0.22;
    const double start = isDark(palette) ? kDarkStart : 0.0;
    const double at = (start + (1.0 - start) * std::clamp(std::isnan(t) ? 0.0 : t, 0.0, 1.0)) * (kCividis.size() - 1);
    const auto low = std::min(static_cast<std::size_t>(at), kCividis.size() - 2);
    const double part = at - static_cast<double>(low);
    const QColor a = QColor::fromRgb(kCividis[low]);
    const QColor b = QColor::fromRgb(kCividis[low + 1]);
    const auto mix = [part](float x, float y) { return static_cast<float>((1.0 - part) * x + part * y); };
    return QColor::fromRgbF(mix(a.redF(), b.redF()), mix(a.greenF(), b.greenF()), mix(a.blueF(), b.blueF()));
}

} // namespace assay::colors
