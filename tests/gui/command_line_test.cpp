#include "gui/app/command_line.h"
#include "tests/support/test_entry.h"
#include "tests/widgets/support/test_rows.h"

using namespace assay;

class CommandLineTest : public QObject {
    Q_OBJECT

private slots:
    void startsEmpty();
    void understandsFiles_data();
    void understandsFiles();
    void refusesNonsense_data();
    void refusesNonsense();
    void aBadManifestIsLeftToTheWindow();
    void readsSizeAndTheme();
    void guessesRolesOfDroppedFiles();
    void programHelpsWithoutADisplay();
    void programExitsWithTwoOnMisuse();
    void programTakesAPicture();

private:
    static CommandLine parse(const QStringList& arguments) {
        return parseCommandLine(QStringList{QStringLiteral("assay")} + arguments);
    }
    static QString names(const AuditFiles& files) {
        QStringList parts{files.real};
        for (const ModelFile& model : files.models)
            parts << model.name + QLatin1Char('=') + model.file;
        if (!files.heldOut.isEmpty())
            parts << QStringLiteral("held-out:") + files.heldOut;
        return parts.join(QLatin1Char(' '));
    }
};

void CommandLineTest::startsEmpty() {
    const CommandLine line = parse({});
    QCOMPARE(line.outcome, CommandLine::Outcome::Run);
    QVERIFY(!line.files && !line.demo && line.screenshot.isEmpty() && !line.size && !line.theme);
    QVERIFY(parse({QStringLiteral("--demo")}).demo);
}

void CommandLineTest::understandsFiles_data() {
    test::addColumns<QString, QString>("arguments", "expected");
    const auto row = [](const char* name, const char* arguments, const char* words) {
        QTest::newRow(name) << arguments << words;
    };
    row("options", "--real r.npz --synthetic a.npz --synthetic B=dir/b.npz", "r.npz a=a.npz B=dir/b.npz");
    row("bare", "r.npz a.npz b.npz", "r.npz a=a.npz b=b.npz");
    row("mixed", "--real r.npz a.npz", "r.npz a=a.npz");
    row("same stem twice", "r.npz 1/gan.npz 2/gan.npz", "r.npz gan=1/gan.npz gan (2)=2/gan.npz");
    row("key in an archive", "r.npz:x a.npz:reps", "r.npz:x a=a.npz:reps");
    row("held-out set", "r.npz a.npz --held-out h.npz", "r.npz a=a.npz held-out:h.npz");
    row("real alone", "r.npz", "r.npz");
}

void CommandLineTest::understandsFiles() {
    QFETCH(QString, arguments);
    QFETCH(QString, expected);
    const CommandLine line = parse(arguments.split(QLatin1Char(' ')));
    QVERIFY2(line.outcome == CommandLine::Outcome::Run, qPrintable(line.message));
    QVERIFY(line.files);
    QCOMPARE(names(*line.files), expected);
    QCOMPARE(line.files->options.k, std::size_t{5});
}

void CommandLineTest::refusesNonsense_data() {
    test::addColumns<QString, QString>("arguments", "named");
    const auto row = [](const char* name, const char* arguments, const char* words) {
        QTest::newRow(name) << arguments << words;
    };
    row("unknown option", "--bogus", "bogus");
    row("no real", "--synthetic a.npz", "--real");
    row("held-out alone", "--held-out h.npz", "--held-out needs --real");
    row("two real", "--real a --real b c", "--real");
    row("k zero", "r.npz a.npz -k 0", "-k 0");
    row("k no number", "r.npz a.npz -k five", "five");
    row("name twice", "r.npz --synthetic x=a --synthetic x=b", "x");
    row("name without file", "r.npz --synthetic x=", "x=");
    row("demo and files", "--demo r.npz", "--demo");
    row("size", "--size 100", "100");
    row("theme", "--theme pink", "pink");
    row("picture of a question", "r.npz --screenshot x.png", "synthetic");
}

void CommandLineTest::refusesNonsense() {
    QFETCH(QString, arguments);
    QFETCH(QString, named);
    const CommandLine line = parse(arguments.split(QLatin1Char(' ')));
    QCOMPARE(line.outcome, CommandLine::Outcome::Usage);
    QVERIFY2(line.message.contains(named), qPrintable(line.message));
}

void CommandLineTest::aBadManifestIsLeftToTheWindow() {
    const QTemporaryDir folder;
    const QString manifest = folder.filePath(QStringLiteral("bad.json"));
    QFile file(manifest);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\"rael\": \"real.npy\"}");
    file.close();
    const CommandLine line = parse({manifest});
    QCOMPARE(line.outcome, CommandLine::Outcome::Run);
    QCOMPARE(line.badManifest, manifest);
    QVERIFY(!line.files);
    // There is no window to say it where a picture is all that is wanted.
    QCOMPARE(parse({manifest, QStringLiteral("--screenshot"), QStringLiteral("x.png")}).outcome,
             CommandLine::Outcome::Usage);
}

void CommandLineTest::readsSizeAndTheme() {
    const CommandLine line =
        parse({QStringLiteral("--size"), QStringLiteral("1440x900"), QStringLiteral("--theme"), QStringLiteral("dark"),
               QStringLiteral("-k"), QStringLiteral("7"), QStringLiteral("r"), QStringLiteral("a")});
    QCOMPARE(line.size, std::optional(QSize(1440, 900)));
    QCOMPARE(line.theme, std::optional(ThemeChoice::Dark));
    QCOMPARE(line.files->options.k, std::size_t{7});
}

void CommandLineTest::guessesRolesOfDroppedFiles() {
    const auto guess = [](const char* files) {
        return names(guessRoles(QString::fromUtf8(files).split(QLatin1Char(' '))));
    };
    QCOMPARE(guess("/d/gan.npz /d/real.npz"), QStringLiteral("/d/real.npz gan=/d/gan.npz"));
    QCOMPARE(guess("/d/vae.npy /d/mnist_train.npy"), QStringLiteral("/d/mnist_train.npy vae=/d/vae.npy"));
    QCOMPARE(guess("/d/surreal.npy /d/REAL-2.npy"), QStringLiteral("/d/REAL-2.npy surreal=/d/surreal.npy"));
    QCOMPARE(guess("/d/surreal.npy /d/constrained.npy"),
             QStringLiteral(" surreal=/d/surreal.npy constrained=/d/constrained.npy"));
}

void CommandLineTest::programHelpsWithoutADisplay() {
    QProcess program;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.remove(QStringLiteral("DISPLAY"));
    environment.remove(QStringLiteral("WAYLAND_DISPLAY"));
    environment.remove(QStringLiteral("QT_QPA_PLATFORM"));
    program.setProcessEnvironment(environment);
    program.start(QStringLiteral(ASSAY_BIN_DIR "/assay"), {QStringLiteral("--help")});
    QVERIFY(program.waitForFinished(20000));
    QCOMPARE(program.exitCode(), 0);
    const QByteArray help = program.readAllStandardOutput();
    for (const char* option : {"--real", "--synthetic", "--demo", "--screenshot", "--size", "--theme", "-k"})
        QVERIFY2(help.contains(option), option);
}

void CommandLineTest::programExitsWithTwoOnMisuse() {
    QProcess program;
    program.start(QStringLiteral(ASSAY_BIN_DIR "/assay"), {QStringLiteral("--bogus")});
    QVERIFY(program.waitForFinished(20000));
    QCOMPARE(program.exitCode(), 2);
    QVERIFY(program.readAllStandardError().contains("bogus"));
}

void CommandLineTest::programTakesAPicture() {
    const QTemporaryDir folder;
    QProcess program;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("XDG_CONFIG_HOME"), folder.path());
    program.setProcessEnvironment(environment);
    const QString picture = folder.filePath(QStringLiteral("demo.png"));
    program.start(QStringLiteral(ASSAY_BIN_DIR "/assay"),
                  {QStringLiteral("--demo"), QStringLiteral("--screenshot"), picture, QStringLiteral("--size"),
                   QStringLiteral("1200x800")});
    QVERIFY(program.waitForFinished(60000));
    QCOMPARE(program.exitCode(), 0);
    QVERIFY(QImage(picture).width() >= 1200);
    program.start(QStringLiteral(ASSAY_BIN_DIR "/assay"), {QStringLiteral("no-such-real.npz"), QStringLiteral("x.npz"),
                                                           QStringLiteral("--screenshot"), picture});
    QVERIFY(program.waitForFinished(60000));
    QCOMPARE(program.exitCode(), 3);
    QVERIFY(program.readAllStandardError().contains("no-such-real.npz"));
}

ASSAY_TEST(command_line_test, CommandLineTest)
#include "command_line_test.moc"
