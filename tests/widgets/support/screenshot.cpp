#include "tests/widgets/support/screenshot.h"

#include <QApplication>
#include <QPalette>
#include <QPixmap>
#include <QStyle>
#include <QWidget>

namespace assay::test {

void useDarkPalette() {
    QPalette dark(QColor(0x23, 0x26, 0x2A));
    dark.setColor(QPalette::Base, QColor(0x1B, 0x1D, 0x20));
    dark.setColor(QPalette::AlternateBase, QColor(0x22, 0x25, 0x29));
    for (auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        dark.setColor(role, QColor(0xE6, 0xE9, 0xEC));
    dark.setColor(QPalette::PlaceholderText, QColor(0xA3, 0xAB, 0xB5));
    QApplication::setPalette(dark);
}

void shoot(QWidget& widget, const QString& name) {
    const QString folder = qEnvironmentVariable("ASSAY_SHOT_DIR");
    if (folder.isEmpty())
        return;
    QApplication::setStyle(QStringLiteral("Fusion"));
    const QPalette before = QApplication::palette();
    const auto save = [&](const QString& theme) {
        QApplication::processEvents();
        widget.grab().save(folder + '/' + name + '-' + theme + ".png");
    };
    save("light");
    useDarkPalette();
    save("dark");
    QApplication::setPalette(before);
    QApplication::processEvents();
}

} // namespace assay::test
