#include "widgets/common/colors.h"

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
QColor verdict(Verdict verdict, const QPalette& palette) {
    switch (verdict) {
    case Verdict::Copy:
        return unauthentic(palette);
    case Verdict::Crowded:
        return pick(palette, 0x7A4FB0, 0xB598F0);
    case Verdict::Invented:
        return pick(palette, 0x00776B, 0x58D0C2);
    case Verdict::Unrealistic:
        return pick(palette, 0x9E3B3B, 0xE08A8A);
    case Verdict::Good:
        break;
    }
    return mutedText(palette);
}
QColor verdict(CoverageVerdict verdict, const QPalette& palette) {
    switch (verdict) {
    case CoverageVerdict::Missed:
        return pick(palette, 0x1F6FB5, 0x6FB1F0);
    case CoverageVerdict::Thin: // between the other two in lightness as well as in hue
        return pick(palette, 0x86B9E6, 0x4A7DAE);
    case CoverageVerdict::Covered:
        break;
    }
    return real(palette);
}
QColor rejected(const QPalette& palette) {
    return pick(palette, 0xB4B8BC, 0x5C6166);
}
QColor accepted(const QPalette& palette) {
    return pick(palette, 0x1B7F4B, 0x58C79A);
}
QColor unselected(const QPalette& palette) {
    return pick(palette, 0xD9DDE1, 0x43494F);
}
QColor mutedText(const QPalette& palette) {
    return pick(palette, 0x5F6670, 0xA3ABB5);
}
QColor gridLine(const QPalette& palette) {
    return pick(palette, 0xDDE1E5, 0x3E444B);
}

QColor line(std::size_t index, const QPalette& palette) {
    struct Shade {
        QRgb light, dark;
    };
    static constexpr std::array<Shade, 6> kLines{{{0x1F6FB5, 0x6FB1F0},
                                                  {0x1B8A5A, 0x58C79A},
                                                  {0x7A4FB0, 0xB598F0},
                                                  {0x0F8F9E, 0x4FCBD9},
                                                  {0x8A6D1B, 0xCDB45F},
                                                  {0x9E3B3B, 0xE08A8A}}};
    const Shade& shade = kLines[index % kLines.size()];
    return pick(palette, shade.light, shade.dark);
}

QColor category(std::size_t index, const QPalette& palette) {
    // On light backgrounds the scheme "muted" of P. Tol (Colour Schemes, 2021) and a brown; on dark ones his "light"
    // scheme, with a violet and a grey.
    static constexpr std::array<QRgb, 10> kLight{0x332288, 0xCC6677, 0x117733, 0x88CCEE, 0xAA4499,
                                                 0x999933, 0x882255, 0x44AA99, 0xC9A227, 0x661100};
    static constexpr std::array<QRgb, 10> kDark{0x77AADD, 0xEE8866, 0x44BB99, 0x99DDFF, 0xB598F0,
                                                0xBBCC33, 0xFFAABB, 0xAAAA00, 0xEEDD88, 0xC8C8C8};
    return pick(palette, kLight[index % kLight.size()], kDark[index % kDark.size()]);
}

namespace {

QColor mix(const QColor& from, const QColor& to, double part) {
    const auto one = [part](float a, float b) { return static_cast<float>((1.0 - part) * a + part * b); };
    return QColor::fromRgbF(one(from.redF(), to.redF()), one(from.greenF(), to.greenF()),
                            one(from.blueF(), to.blueF()));
}

} // namespace

QColor difference(double t, const QPalette& palette) {
    const QColor middle = pick(palette, 0xF2F2F2, 0x3A3F45);
    const QColor end = t < 0.0 ? pick(palette, 0x1F6FB5, 0x6FB1F0) : pick(palette, 0xC75B00, 0xF5A04C);
    return mix(middle, end, std::min(1.0, std::abs(t)));
}

QColor amount(double t, const QPalette& palette) {
    const double at = std::clamp(std::isnan(t) ? 0.0 : t, 0.0, 1.0);
    const QColor none = palette.color(QPalette::Base);
    const QColor half = pick(palette, 0x7C9CC4, 0x3F6A9E);
    return at < 0.5 ? mix(none, half, 2.0 * at) : mix(half, pick(palette, 0x00204D, 0xD6E6FA), 2.0 * at - 1.0);
}

QColor score(double t, const QPalette& palette) {
    constexpr double kDarkStart = 0.22;
    const double start = isDark(palette) ? kDarkStart : 0.0;
    const double at = (start + (1.0 - start) * std::clamp(std::isnan(t) ? 0.0 : t, 0.0, 1.0)) * (kCividis.size() - 1);
    const auto low = std::min(static_cast<std::size_t>(at), kCividis.size() - 2);
    return mix(QColor::fromRgb(kCividis[low]), QColor::fromRgb(kCividis[low + 1]), at - static_cast<double>(low));
}

} // namespace assay::colors
