#include "gui/app/command_line.h"
#include "gui/commands/commands.h"
#include "gui/desktop/theme.h"
#include "gui/session/audit_session.h"
#include "gui/window/main_window.h"

#include "engine/base/atomic_file.h"
#include "engine/base/error.h"
#include "engine/io/files/text_encoding.h"
#include "engine/version.h"
#include "widgets/link/sample_selection.h"

#include <QApplication>
#include <QPixmap>
#include <QSurfaceFormat>
#include <QTimer>

#include <cstdio>
#include <memory>

namespace {

using namespace assay;

constexpr int kExitUsage = 2;
constexpr int kExitBadInput = 3;

void setUpPlatform() {
    // The distribution's VTK finds its OpenGL functions through GLX, which a Wayland window does not have.
    if (qEnvironmentVariableIsSet("WAYLAND_DISPLAY") && !qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "xcb");
    QSurfaceFormat format;
    format.setRenderableType(QSurfaceFormat::OpenGL);
    format.setVersion(3, 2);
    format.setProfile(QSurfaceFormat::CoreProfile);
    format.setDepthBufferSize(24);
    format.setSamples(0);
    QSurfaceFormat::setDefaultFormat(format);
}

void start(MainWindow& window, AuditSession& session, const CommandLine& line) {
    if (line.demo)
        session.openDemo();
    else if (line.files && line.files->models.empty() && line.files->audit.isEmpty())
        window.commands()->showOpenDialog(*line.files);
    else if (line.files && line.screenshot.isEmpty())
        window.commands()->open(*line.files);
    else if (line.files) // with a picture to take, nobody is there to be asked
        session.open(*line.files);
    else if (!line.badManifest.isEmpty())
        window.commands()->openManifest(line.badManifest);
}

/// Prints what --help or --version asks for. @return exit code
int printInformation(const QString& message) {
    try {
        printText(message.toStdString());
        return 0;
    } catch (const Error& error) {
        printMessage("assay", error.what());
        return kExitBadInput;
    }
}

/// Saves a picture of the window once the session has been idle for a moment, and ends the program.
void saveScreenshot(MainWindow& window, AuditSession& session, const QString& file) {
    constexpr int kSettleMs = 1500; // until layouts, thumbnails and the 3D view have come to rest
    auto* settle = new QTimer(&window);
    settle->setInterval(kSettleMs);
    settle->setSingleShot(true);
    const auto problem = std::make_shared<QString>();
    QObject::connect(&session, &AuditSession::busyChanged, settle, qOverload<>(&QTimer::start));
    QObject::connect(&session, &AuditSession::failed, settle, [problem](const QString& title, const QString& message) {
        *problem = title + QStringLiteral(": ") + message;
    });
    QObject::connect(settle, &QTimer::timeout, &window, [&window, &session, file, problem] {
        if (session.isBusy()) // busyChanged starts the timer again
            return;
        if (problem->isEmpty() && !window.grab().save(file, "PNG"))
            *problem = MainWindow::tr("%1 could not be written").arg(file);
        if (!problem->isEmpty())
            printMessage("assay", problem->toStdString());
        QCoreApplication::exit(problem->isEmpty() ? 0 : kExitBadInput);
    });
    settle->start();
}

int runWindow(const CommandLine& line) {
    Theme theme;
    theme.setChoice(line.theme.value_or(Settings().theme()));
    SampleSelection selection;
    AuditSession session(&selection);
    MainWindow window(&session, &theme);
    if (line.size)
        window.resize(*line.size);
    window.show();
    start(window, session, line);
    if (!line.screenshot.isEmpty())
        saveScreenshot(window, session, line.screenshot);
    return QCoreApplication::exec();
}

} // namespace

int main(int argc, char** argv) {
    QCoreApplication::setOrganizationName(QStringLiteral("Assay"));
    QCoreApplication::setApplicationName(QStringLiteral("Assay"));
    QCoreApplication::setApplicationVersion(QString::fromUtf8(kVersion));

    ignoreFileSizeSignal();
    setUpPlatform();
    const CommandLine line = [&] {
        // Without a display, so that --help works anywhere.
        const QCoreApplication parsing(argc, argv);
        return parseCommandLine(QCoreApplication::arguments());
    }();
    switch (line.outcome) {
    case CommandLine::Outcome::Message:
        return printInformation(line.message);
    case CommandLine::Outcome::Usage:
        std::fputs(withoutControls(line.message.toStdString(), LineEnds::Kept).c_str(), stderr);
        return kExitUsage;
    case CommandLine::Outcome::Run:
        break;
    }
    const QApplication application(argc, argv);
    return runWindow(line);
}
