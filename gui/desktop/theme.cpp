#include "gui/desktop/theme.h"

#include "widgets/common/colors.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>
#include <QFileInfo>
#include <QPainter>
#include <QProxyStyle>
#include <QStyleOption>
#include <QToolTip>

#include <unistd.h>

namespace assay {
namespace {

const QString kService = QStringLiteral("org.freedesktop.portal.Desktop");
const QString kPath = QStringLiteral("/org/freedesktop/portal/desktop");
const QString kInterface = QStringLiteral("org.freedesktop.portal.Settings");
const QString kGroup = QStringLiteral("org.freedesktop.appearance");
const QString kKey = QStringLiteral("color-scheme");
constexpr int kPortalTimeoutMs = 1000;

// Without a bus to be found QtDBus would try to launch one, which takes long and helps nobody here.
bool hasSessionBus() {
    return !qEnvironmentVariableIsEmpty("DBUS_SESSION_BUS_ADDRESS") ||
           QFileInfo::exists(QStringLiteral("/run/user/%1/bus").arg(getuid()));
}

// Desktop themes put coloured pictures on dialog buttons, which do not go with our own icons.
class ProgramStyle : public QProxyStyle {
public:
    ProgramStyle() : QProxyStyle(QStringLiteral("Fusion")) {}

    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* data) const override {
        return hint == SH_DialogButtonBox_ButtonsHaveIcons ? 0 : QProxyStyle::styleHint(hint, option, widget, data);
    }

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override {
        QProxyStyle::drawPrimitive(element, option, painter, widget);
        // Fusion outlines boxes darker than the window, which nobody sees on a dark one.
        if ((element != PE_IndicatorCheckBox && element != PE_PanelLineEdit) || !colors::isDark(option->palette))
            return;
        const bool inside = widget && qobject_cast<const QAbstractSpinBox*>(widget->parentWidget());
        if (element == PE_PanelLineEdit && (option->state & State_HasFocus || inside))
            return; // the focus has its own colour, and a spin box frames its field itself
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(option->palette.color(QPalette::Dark).lighter(element == PE_IndicatorCheckBox ? 420 : 330));
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
        painter->restore();
    }
};

struct Shades {
    QRgb window, text, secondary, base, alternateBase, button, disabled, highlight, highlightedText, link, tooltip,
        light, mid, dark, shadow;
};

QPalette paletteOf(const Shades& s) {
    const auto color = [](QRgb rgb) { return QColor::fromRgb(rgb); };
    QPalette palette;
    palette.setColor(QPalette::Window, color(s.window));
    palette.setColor(QPalette::WindowText, color(s.text));
    palette.setColor(QPalette::Base, color(s.base));
    palette.setColor(QPalette::AlternateBase, color(s.alternateBase));
    palette.setColor(QPalette::Text, color(s.text));
    palette.setColor(QPalette::PlaceholderText, color(s.secondary));
    palette.setColor(QPalette::Button, color(s.button));
    palette.setColor(QPalette::ButtonText, color(s.text));
    palette.setColor(QPalette::BrightText, Qt::red);
    palette.setColor(QPalette::ToolTipBase, color(s.tooltip));
    palette.setColor(QPalette::ToolTipText, color(s.text));
    palette.setColor(QPalette::Link, color(s.link));
    palette.setColor(QPalette::LinkVisited, color(s.link));
    palette.setColor(QPalette::Highlight, color(s.highlight));
    palette.setColor(QPalette::HighlightedText, color(s.highlightedText));
    palette.setColor(QPalette::Light, color(s.light));
    palette.setColor(QPalette::Midlight, color(s.button));
    palette.setColor(QPalette::Mid, color(s.mid));
    palette.setColor(QPalette::Dark, color(s.dark));
    palette.setColor(QPalette::Shadow, color(s.shadow));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, color(s.disabled));
    palette.setColor(QPalette::Disabled, QPalette::Highlight, color(s.mid));
    palette.setColor(QPalette::Disabled, QPalette::HighlightedText, color(s.disabled));
    return palette;
}

} // namespace

QPalette Theme::lightPalette() {
    return paletteOf({.window = 0xF3F4F6,
                      .text = 0x1E2329,
                      .secondary = 0x5F6670,
                      .base = 0xFFFFFF,
                      .alternateBase = 0xF7F8FA,
                      .button = 0xECEEF1,
                      .disabled = 0x949BA4,
                      .highlight = 0x2F6FB2,
                      .highlightedText = 0xFFFFFF,
                      .link = 0x1F66B0,
                      .tooltip = 0xFFFFFF,
                      .light = 0xFFFFFF,
                      .mid = 0xC4C9CF,
                      .dark = 0xA8AEB6,
                      .shadow = 0x7D848C});
}

QPalette Theme::darkPalette() {
    return paletteOf({.window = 0x23272C,
                      .text = 0xE4E7EB,
                      .secondary = 0xA3ABB5,
                      .base = 0x1A1D21,
                      .alternateBase = 0x1F2327,
                      .button = 0x2F343A,
                      .disabled = 0x747C86,
                      .highlight = 0x3D7EC4,
                      .highlightedText = 0xFFFFFF,
                      .link = 0x7DB7F0,
                      .tooltip = 0x2F343A,
                      .light = 0x464D55,
                      .mid = 0x3A4047,
                      .dark = 0x15181B,
                      .shadow = 0x0B0C0E});
}

Theme::Theme(QObject* parent) : QObject(parent), platformDark_(colors::isDark(QApplication::palette())) {
    QApplication::setStyle(new ProgramStyle);
    apply();
    if (hasSessionBus())
        askPortal();
}

void Theme::askPortal() {
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected())
        return;
    bus.connect(kService, kPath, kInterface, QStringLiteral("SettingChanged"), this,
                SLOT(onPortalSetting(QString, QString, QDBusVariant)));
    QDBusMessage read = QDBusMessage::createMethodCall(kService, kPath, kInterface, QStringLiteral("Read"));
    read << kGroup << kKey;
    auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(read, kPortalTimeoutMs), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, &Theme::onPortalReply);
}

void Theme::onPortalReply(QDBusPendingCallWatcher* watcher) {
    watcher->deleteLater();
    const QDBusPendingReply<QVariant> reply = *watcher;
    if (reply.isError())
        return;
    // "Read" wraps the value in a variant of its own.
    QVariant value = reply.value();
    if (value.canConvert<QDBusVariant>())
        value = value.value<QDBusVariant>().variant();
    setPortalScheme(value.toUInt());
}

void Theme::onPortalSetting(const QString& group, const QString& key, const QDBusVariant& value) {
    if (group == kGroup && key == kKey)
        setPortalScheme(value.variant().toUInt());
}

void Theme::setPortalScheme(uint scheme) {
    portalDark_ = scheme == 1 ? std::optional(true) : scheme == 2 ? std::optional(false) : std::nullopt;
    apply();
}

void Theme::setChoice(ThemeChoice choice) {
    choice_ = choice;
    apply();
}

bool Theme::isDark() const noexcept {
    switch (choice_) {
    case ThemeChoice::Light:
        return false;
    case ThemeChoice::Dark:
        return true;
    case ThemeChoice::System:
        break;
    }
    return portalDark_.value_or(platformDark_);
}

void Theme::apply() {
    const QPalette palette = isDark() ? darkPalette() : lightPalette();
    if (palette == QApplication::palette())
        return;
    QApplication::setPalette(palette);
    QToolTip::setPalette(palette);
    emit changed();
}

} // namespace assay
