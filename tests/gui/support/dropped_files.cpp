#include "tests/gui/support/dropped_files.h"

#include "engine/io/numpy/npy_writer.h"
#include "gui/desktop/settings.h"
#include "gui/pages/open_dialog.h"

#include <QApplication>
#include <QDir>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFile>
#include <QImage>
#include <QMimeData>
#include <QUrl>
#include <QtTest>

#include <functional>
#include <numeric>
#include <utility>
#include <vector>

namespace assay::test {
namespace {

void writeNumbers(const QString& file, std::vector<std::size_t> shape) {
    std::vector<float> values(std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>()));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(i * 7919 % 101) / 101.0F;
    writeNpy(file.toStdString(), npyView<float>(values, std::move(shape)));
}

} // namespace

void writeFile(const QString& file, const QByteArray& bytes) {
    QFile target(file);
    QVERIFY(target.open(QIODevice::WriteOnly));
    QCOMPARE(target.write(bytes), bytes.size());
}

void writeArray(const QString& file, int rows, int columns) {
    writeNumbers(file, {static_cast<std::size_t>(rows), static_cast<std::size_t>(columns)});
}

void writeSeries(const QString& file, int rows, int steps) {
    writeNumbers(file, {static_cast<std::size_t>(rows), static_cast<std::size_t>(steps), 2});
}

void drawPictures(const QString& folder, int count) {
    const QDir target(folder);
    QVERIFY(target.mkpath(QStringLiteral(".")));
    for (int i = 0; i < count; ++i) {
        QImage picture(16, 16, QImage::Format_RGB32);
        picture.fill(QColor::fromHsv(i * 37 % 360, 200, 250));
        QVERIFY(picture.save(target.filePath(QStringLiteral("%1.png").arg(i, 4, 10, QLatin1Char('0')))));
    }
}

void playPython(const QString& folder, const char* script) {
    const QString python = folder + QStringLiteral("/python");
    QVERIFY(QDir().mkpath(folder));
    QVERIFY(QFile::copy(QStringLiteral(ASSAY_SOURCE_DIR "/tests/gui/support/%1.sh").arg(script), python));
    QVERIFY(QFile::setPermissions(python, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    writeFile(folder + QStringLiteral("/mode"), "ready");
    Settings().setEmbedPython(python);
}

void drop(QWidget& window, const QStringList& paths) {
    QMimeData data;
    QList<QUrl> urls;
    for (const QString& path : paths)
        urls << QUrl::fromLocalFile(path);
    data.setUrls(urls);
    const QPoint at(300, 300);
    QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    enter.ignore();
    QApplication::sendEvent(&window, &enter);
    if (!enter.isAccepted())
        return;
    QDropEvent event(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &event);
}

OpenDialog* dropOn(QWidget& window, const QStringList& paths) {
    drop(window, paths);
    // What is on the disk is looked at beside the window.
    return QTest::qWaitFor([&] { return window.findChild<OpenDialog*>() != nullptr; }, kHang)
               ? window.findChild<OpenDialog*>()
               : nullptr;
}

bool takeKeyboard(QWidget& widget) {
    widget.window()->activateWindow();
    widget.setFocus();
    return QTest::qWaitFor([&] { return widget.hasFocus(); }, kHang);
}

} // namespace assay::test
