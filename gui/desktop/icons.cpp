#include "gui/desktop/icons.h"

#include <QApplication>
#include <QFile>
#include <QHash>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QPixmap>
#include <QSvgRenderer>

// Resources of a static library stay out of the program unless code refers to them, outside any namespace.
static void loadAssayResources() {
    Q_INIT_RESOURCE(assay);
    Q_INIT_RESOURCE(panel_pages);
}

namespace assay {
namespace {

class SvgIconEngine : public QIconEngine {
public:
    explicit SvgIconEngine(QByteArray svg) : svg_(std::move(svg)) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        QByteArray colored = svg_;
        colored.replace("#000000", colorFor(mode).name().toLatin1());
        QSvgRenderer renderer(colored);
        renderer.setAspectRatioMode(Qt::KeepAspectRatio);
        renderer.render(painter, rect);
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        const QString key = QStringLiteral("%1 %2 %3").arg(colorFor(mode).rgba()).arg(size.width()).arg(size.height());
        const auto known = cache_.constFind(key);
        if (known != cache_.constEnd())
            return *known;
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(), size), mode, state);
        painter.end();
        cache_.insert(key, pixmap);
        return pixmap;
    }

    QIconEngine* clone() const override { return new SvgIconEngine(svg_); }

private:
    static QColor colorFor(QIcon::Mode mode) {
        const QPalette palette = QApplication::palette();
        return mode == QIcon::Disabled   ? palette.color(QPalette::Disabled, QPalette::ButtonText)
               : mode == QIcon::Selected ? palette.color(QPalette::HighlightedText)
                                         : palette.color(QPalette::ButtonText);
    }

    QByteArray svg_;
    QHash<QString, QPixmap> cache_; ///< by colour and size in device pixels: few of each
};

} // namespace

QIcon icon(const QString& name) {
    loadAssayResources();
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QIcon(new SvgIconEngine(file.readAll()));
}

} // namespace assay
