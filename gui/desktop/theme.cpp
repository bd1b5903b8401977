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

const QStringList kThemes{"system", "light", "dark"}; // by ThemeChoice

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

/// A role's colour in the light and in the dark palette.
struct Shade {
    QPalette::ColorRole role;
    QRgb light;
    QRgb dark;
};

constexpr Shade kShades[]{
    {QPalette::Window, 0xF3F4F6, 0x23272C},      {QPalette::WindowText, 0x1E2329, 0xE4E7EB},
    {QPalette::Base, 0xFFFFFF, 0x1A1D21},        {QPalette::AlternateBase, 0xF7F8FA, 0x1F2327},
    {QPalette::Text, 0x1E2329, 0xE4E7EB},        {QPalette::PlaceholderText, 0x5F6670, 0xA3ABB5},
    {QPalette::Button, 0xECEEF1, 0x2F343A},      {QPalette::ButtonText, 0x1E2329, 0xE4E7EB},
    {QPalette::ToolTipBase, 0xFFFFFF, 0x2F343A}, {QPalette::ToolTipText, 0x1E2329, 0xE4E7EB},
    {QPalette::Link, 0x1F66B0, 0x7DB7F0},        {QPalette::LinkVisited, 0x1F66B0, 0x7DB7F0},
    {QPalette::Highlight, 0x2F6FB2, 0x3D7EC4},   {QPalette::HighlightedText, 0xFFFFFF, 0xFFFFFF},
    {QPalette::Light, 0xFFFFFF, 0x464D55},       {QPalette::Midlight, 0xECEEF1, 0x2F343A},
    {QPalette::Mid, 0xC4C9CF, 0x3A4047},         {QPalette::Dark, 0xA8AEB6, 0x15181B},
    {QPalette::Shadow, 0x7D848C, 0x0B0C0E},
};
constexpr Shade kDisabledShades[]{{QPalette::WindowText, 0x949BA4, 0x747C86},
                                  {QPalette::Text, 0x949BA4, 0x747C86},
                                  {QPalette::ButtonText, 0x949BA4, 0x747C86},
                                  {QPalette::HighlightedText, 0x949BA4, 0x747C86},
                                  {QPalette::Highlight, 0xC4C9CF, 0x3A4047}};

QPalette paletteOf(QRgb Shade::*rgb) {
    QPalette palette;
    palette.setColor(QPalette::BrightText, Qt::red);
    for (const Shade& shade : kShades)
        palette.setColor(shade.role, QColor::fromRgb(shade.*rgb));
    for (const Shade& shade : kDisabledShades)
        palette.setColor(QPalette::Disabled, shade.role, QColor::fromRgb(shade.*rgb));
    return palette;
}

} // namespace

QString nameOf(ThemeChoice choice) {
    return kThemes.at(static_cast<qsizetype>(choice));
}

std::optional<ThemeChoice> themeOf(const QString& name) {
    const qsizetype at = kThemes.indexOf(name);
    return at < 0 ? std::nullopt : std::optional(static_cast<ThemeChoice>(at));
}

QPalette Theme::lightPalette() {
    return paletteOf(&Shade::light);
}

QPalette Theme::darkPalette() {
    return paletteOf(&Shade::dark);
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
    return choice_ == ThemeChoice::System ? portalDark_.value_or(platformDark_) : choice_ == ThemeChoice::Dark;
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
