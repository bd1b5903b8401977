#pragma once

#include <QObject>
#include <QPalette>

#include <optional>

class QDBusPendingCallWatcher;
class QDBusVariant;

namespace assay {

enum class ThemeChoice { System, Light, Dark };

/// "system", "light" or "dark"; and back, none for another name.
QString nameOf(ThemeChoice choice);
std::optional<ThemeChoice> themeOf(const QString& name);

/// The program's look: Fusion with a light or a dark palette. `System` follows the desktop: its appearance portal
/// (org.freedesktop.portal.Settings) where there is one, else the palette that the platform gave the application.
class Theme : public QObject {
    Q_OBJECT

public:
    /// Reads the platform's palette: make it before anything changes the application's.
    explicit Theme(QObject* parent = nullptr);

    ThemeChoice choice() const noexcept { return choice_; }
    void setChoice(ThemeChoice choice);
    bool isDark() const noexcept;

    static QPalette lightPalette();
    static QPalette darkPalette();

signals:
    void changed();

private slots:
    void onPortalSetting(const QString& group, const QString& key, const QDBusVariant& value);

private:
    void askPortal();
    void onPortalReply(QDBusPendingCallWatcher* watcher);
    /// @param scheme 0 no preference, 1 dark, 2 light
    void setPortalScheme(uint scheme);
    void apply();

    ThemeChoice choice_ = ThemeChoice::System;
    bool platformDark_ = false;
    std::optional<bool> portalDark_; ///< none: no portal, or it has no preference
};

} // namespace assay
