#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

class QWidget;

namespace assay {
class OpenDialog;
}

/// Files made for a test of the window, and how a person drops them on it.
namespace assay::test {

/// Time after which something is taken to hang, in milliseconds.
constexpr int kHang = 30000;

void writeFile(const QString& file, const QByteArray& bytes);
/// An .npy file of numbers in [0, 1).
void writeArray(const QString& file, int rows, int columns);
/// The same numbers as series of that many steps of two features.
void writeSeries(const QString& file, int rows, int steps);
/// Coloured pictures "0000.png", "0001.png", ... in a folder that is made for them.
void drawPictures(const QString& folder, int count);

/// Puts the script tests/gui/support/NAME.sh where the window looks for Python: as "python" in a folder that is made.
void playPython(const QString& folder, const char* script);

/// Drops files or folders on a window.
void drop(QWidget& window, const QStringList& paths);
/// Drops what opens the dialog. @return the dialog that shows what they are, or null
OpenDialog* dropOn(QWidget& window, const QStringList& paths);
inline OpenDialog* dropOn(QWidget& window, const QString& path) {
    return dropOn(window, QStringList{path});
}

/// Has a widget take the keyboard: leaving it means something only then. A loaded machine takes its time.
bool takeKeyboard(QWidget& widget);

} // namespace assay::test
