// From two folders of pictures to a scored window, without a terminal and without embeddings.
#include "gui/pages/open_dialog.h"
#include "tests/gui/support/demo_window.h"
#include "tests/gui/support/dropped_files.h"
#include "tests/support/test_entry.h"

#include <QtWidgets>

using namespace assay;

class PictureFoldersTest : public QObject, protected test::DemoTest {
    Q_OBJECT

private slots:
    void init();
    void droppedFoldersAreScored();
    void droppedFilesOfPicturesAreScored();

private:
    /// Discs of many places and colours, the synthetic ones only in the left half.
    void draw(const QString& name, int count, int width) const;
};

void PictureFoldersTest::init() {
    QVERIFY(makeWindow());
    draw(QStringLiteral("real_png"), 200, 24);
    draw(QStringLiteral("gan.v2_png"), 150, 12);
}

void PictureFoldersTest::draw(const QString& name, int count, int width) const {
    const QDir folder(demo_->file(name));
    QVERIFY(folder.mkpath(QStringLiteral(".")));
    for (int i = 0; i < count; ++i) {
        QImage picture(32, 32, QImage::Format_RGB32);
        picture.fill(Qt::black);
        QPainter painter(&picture);
        painter.setBrush(QColor::fromHsv(i * 37 % 360, 200, 250));
        painter.setPen(Qt::NoPen);
        painter.drawEllipse(i * 13 % width, i * 7 % 24, 8, 8);
        painter.end();
        QVERIFY(picture.save(folder.filePath(QStringLiteral("%1.png").arg(i, 4, 10, QLatin1Char('0')))));
    }
}

void PictureFoldersTest::droppedFoldersAreScored() {
    OpenDialog* dialog =
        test::dropOn(*window_, {file("gan.v2_png") + QLatin1Char('/'), file("real_png") + QLatin1Char('/')});
    QVERIFY(dialog && dialog->isVisible());
    QVERIFY(dialog->files().real.endsWith(QStringLiteral("/real_png")));
    QCOMPARE(dialog->files().models.size(), std::size_t{1});
    QCOMPARE(dialog->files().models[0].name, QStringLiteral("gan.v2_png"));
    test::shoot(*dialog, "open-folders");
    clickOpen(dialog);
    QVERIFY(waitOpen());

    const AuditResult& audit = *state().audit;
    QCOMPARE(audit.real->set->rows(), std::size_t{200});
    QCOMPARE(audit.models[0]->set->rows(), std::size_t{150});
    QVERIFY(audit.models[0]->metric("coverage") < 0.9); // half is not there
    QVERIFY(audit.models[0]->set->images() != nullptr);
    QCOMPARE(audit.models[0]->set->idText(3), std::string("0003.png"));
    test::shoot(*window_, "folders-scored");
}

void PictureFoldersTest::droppedFilesOfPicturesAreScored() {
    // 40 squares of 8 x 8 pixels, as MNIST's files and as CIFAR's records have them.
    const auto write = [&](const QString& name, const QByteArray& bytes) {
        QFile file(demo_->file(name));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
    };
    QByteArray idx = QByteArray::fromHex("00000803"
                                         "00000028"
                                         "00000008"
                                         "00000008");
    QByteArray cifar;
    for (int i = 0; i < 40; ++i) {
        for (int p = 0; p < 64; ++p)
            idx += static_cast<char>((i * 37 + p * (i % 5)) % 256);
        cifar += static_cast<char>(i % 10);
        for (int p = 0; p < 3072; ++p)
            cifar += static_cast<char>((i * 11 + p * (i % 7)) % 256);
    }
    write(QStringLiteral("real-images-idx3-ubyte"), idx);
    write(QStringLiteral("gan.bin"), cifar);
    OpenDialog* dialog = test::dropOn(*window_, {file("real-images-idx3-ubyte"), file("gan.bin")});
    QVERIFY(dialog && dialog->isVisible());
    clickOpen(dialog);
    QVERIFY(waitOpen());

    const AuditResult& audit = *state().audit;
    QCOMPARE(audit.real->set->rows(), std::size_t{40});
    QCOMPARE(audit.real->set->images()->width(), std::size_t{8});
    const EmbeddingSet& model = *audit.models[0]->set;
    QCOMPARE(model.images()->width(), std::size_t{32});
    QVERIFY(!model.images()->isInMemory());
    QCOMPARE(model.images()->pixels(3).at(0), std::uint8_t{33});
    QCOMPARE(model.labelText(13), std::string("3"));
    test::shoot(*window_, "pictures-scored");
}

ASSAY_TEST(picture_folders_test, PictureFoldersTest)
#include "picture_folders_test.moc"
