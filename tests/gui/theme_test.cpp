#include "gui/desktop/icons.h"
#include "gui/desktop/theme.h"
#include "tests/support/test_entry.h"

#include <QtWidgets>

using namespace assay;

namespace {

/// How many opaque-ish pixels of a picture are nearer to `color` than to anything else sensible.
int countOf(const QImage& image, QColor color) {
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const QColor pixel = image.pixelColor(x, y);
            if (pixel.alpha() > 200 && qAbs(pixel.red() - color.red()) < 24 &&
                qAbs(pixel.green() - color.green()) < 24 && qAbs(pixel.blue() - color.blue()) < 24)
                ++count;
        }
    return count;
}

} // namespace

class ThemeTest : public QObject {
    Q_OBJECT

private slots:
    void choosesThePalette();
    void tellsOnlyOfRealChanges();
    void textIsReadableInBothPalettes_data();
    void textIsReadableInBothPalettes();
    void iconsTakeTheTextColour_data();
    void iconsTakeTheTextColour();
    void unknownIconIsNull() { QVERIFY(icon(QStringLiteral("no-such-icon")).isNull()); }
};

void ThemeTest::choosesThePalette() {
    Theme theme;
    theme.setChoice(ThemeChoice::Dark);
    QVERIFY(theme.isDark());
    QCOMPARE(QApplication::palette().color(QPalette::Window), Theme::darkPalette().color(QPalette::Window));
    theme.setChoice(ThemeChoice::Light);
    QVERIFY(!theme.isDark());
    QCOMPARE(QApplication::palette().color(QPalette::Base), Theme::lightPalette().color(QPalette::Base));
}

void ThemeTest::tellsOnlyOfRealChanges() {
    Theme theme;
    theme.setChoice(ThemeChoice::Light);
    QSignalSpy changed(&theme, &Theme::changed);
    theme.setChoice(ThemeChoice::Dark);
    theme.setChoice(ThemeChoice::Dark);
    QCOMPARE(changed.size(), 1);
}

void ThemeTest::textIsReadableInBothPalettes_data() {
    QTest::addColumn<QPalette>("palette");
    QTest::newRow("light") << Theme::lightPalette();
    QTest::newRow("dark") << Theme::darkPalette();
}

void ThemeTest::textIsReadableInBothPalettes() {
    QFETCH(QPalette, palette);
    // WCAG's contrast ratio: 4.5 for text.
    const auto luminance = [](QColor color) {
        const auto linear = [](double c) { return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
        return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
    };
    const auto contrast = [&](QPalette::ColorRole text, QPalette::ColorRole ground) {
        const double a = luminance(palette.color(text)) + 0.05;
        const double b = luminance(palette.color(ground)) + 0.05;
        return std::max(a, b) / std::min(a, b);
    };
    QVERIFY(contrast(QPalette::WindowText, QPalette::Window) > 4.5);
    QVERIFY(contrast(QPalette::Text, QPalette::Base) > 4.5);
    QVERIFY(contrast(QPalette::Text, QPalette::AlternateBase) > 4.5);
    QVERIFY(contrast(QPalette::ButtonText, QPalette::Button) > 4.5);
    QVERIFY(contrast(QPalette::ToolTipText, QPalette::ToolTipBase) > 4.5);
    QVERIFY(contrast(QPalette::Link, QPalette::Base) > 4.5);
    QVERIFY(contrast(QPalette::HighlightedText, QPalette::Highlight) > 4.0);
    for (const auto ground : {QPalette::Window, QPalette::Base, QPalette::AlternateBase, QPalette::Button})
        QVERIFY(contrast(QPalette::PlaceholderText, ground) > 4.5); // captions, hints, percentiles
}

void ThemeTest::iconsTakeTheTextColour_data() {
    QTest::addColumn<int>("choice");
    QTest::newRow("light") << static_cast<int>(ThemeChoice::Light);
    QTest::newRow("dark") << static_cast<int>(ThemeChoice::Dark);
}

void ThemeTest::iconsTakeTheTextColour() {
    QFETCH(int, choice);
    Theme theme;
    theme.setChoice(ThemeChoice::Light);
    const QIcon open = icon(QStringLiteral("open")); // made before the theme changes
    QVERIFY(!open.isNull());
    theme.setChoice(static_cast<ThemeChoice>(choice));
    const QImage image = open.pixmap(QSize(48, 48)).toImage();
    QVERIFY(countOf(image, QApplication::palette().color(QPalette::ButtonText)) > 50);
    QImage disabled = open.pixmap(QSize(48, 48), QIcon::Disabled).toImage();
    QVERIFY(countOf(disabled, QApplication::palette().color(QPalette::Disabled, QPalette::ButtonText)) > 50);
}

ASSAY_TEST(theme_test, ThemeTest)
#include "theme_test.moc"
