#include "tests/widgets/support/settle.h"

#include <QCoreApplication>
#include <QEvent>
#include <QEventLoop>
#include <QSignalSpy>
#include <QWidget>
#include <QtTest>

namespace assay::test {

void settle() {
    QEventLoop loop;
    do
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    while (loop.processEvents());
}

bool waitForFrame(QWidget* canvas) {
    const QSignalSpy frames(canvas, SIGNAL(frameSwapped()));
    return frames.isValid() && QTest::qWaitFor([&] {
               canvas->update(); // again, as a window that has just been made is not on the screen yet
               return !frames.isEmpty();
           });
}

} // namespace assay::test
