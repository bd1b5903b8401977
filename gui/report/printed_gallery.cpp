#include "gui/report/printed_block.h"

#include <QImage>
#include <QPainter>

#include <algorithm>

namespace assay {
namespace {

constexpr std::size_t kCardsPerRow = 3;
constexpr double kCardGap = 6.0;         // points
constexpr double kCardPadding = 5.0;     // points
constexpr double kAboutGap = 4.0;        // points, between the pictures and what is said of them
constexpr double kPairGap = 2.0;         // points, between a copy and its original
constexpr double kNarrowestAbout = 46.0; // points
constexpr double kPixel = 0.6; // points of a pixel of the page: what three cards beside each other have room for

/// A picture of a sample, or its name where it has none.
struct PrintedSample {
    QImage picture;
    std::shared_ptr<PrintedText> name;
    QSizeF size;
};

/// A sample with its nearest neighbours, and what is said of them.
struct PrintedCard {
    std::vector<PrintedSample> samples;
    double picturesHeight = 0.0;
    std::shared_ptr<PrintedText> about;
    double height = 0.0;
};

/// Pixels stay squares: viewers and printers would blur a small picture that they make larger.
QImage enlarged(const QImage& picture) {
    constexpr int kEnough = 128;
    const int factor = std::max(1, kEnough / std::max({1, picture.width(), picture.height()}));
    return picture.scaled(picture.size() * factor, Qt::IgnoreAspectRatio, Qt::FastTransformation);
}

PrintedSample setSample(const Paper& paper, const PageNode& node) {
    PrintedSample sample;
    if (node.tag == QLatin1String("img")) {
        const QString source = node.attributes.value(QStringLiteral("src"));
        sample.picture = enlarged(
            QImage::fromData(QByteArray::fromBase64(source.mid(source.indexOf(QLatin1Char(',')) + 1).toLatin1())));
        sample.size = QSizeF(node.attributes.value(QStringLiteral("width")).toDouble(),
                             node.attributes.value(QStringLiteral("height")).toDouble()) *
                      (kPixel * paper.point);
        return sample;
    }
    const bool isOwn = node.hasClass(QStringLiteral("own"));
    sample.name = std::make_shared<PrintedText>(paper.device, TextLook{.points = isOwn ? 7.0 : 6.0, .bold = isOwn},
                                                inlineMarkup(node));
    const double most = (isOwn ? 44.0 : 32.0) * paper.point;
    const double padding = 2.0 * paper.point;
    sample.name->setWidth(std::min(sample.name->widest(), most));
    const double width = std::min(sample.name->widest(), most);
    sample.size = {width + 2.0 * padding, std::min(sample.name->height(), most) + 2.0 * padding};
    return sample;
}

PrintedCard setCard(const Paper& paper, const PageNode& item, double width) {
    PrintedCard card;
    const double padding = kCardPadding * paper.point;
    for (const PageNode& part : item.children)
        if (part.hasClass(QStringLiteral("pictures")))
            for (const PageNode& shown : part.children) {
                if (shown.tag == QLatin1String("div")) {
                    for (const PageNode& neighbor : shown.children)
                        if (!neighbor.tag.isEmpty())
                            card.samples.push_back(setSample(paper, neighbor));
                } else if (!shown.tag.isEmpty()) {
                    card.samples.push_back(setSample(paper, shown));
                }
            }
    for (const PrintedSample& sample : card.samples)
        card.picturesHeight = std::max(card.picturesHeight, sample.size.height());
    if (const PageNode* about = item.find(QStringLiteral("p")))
        card.about = std::make_shared<PrintedText>(paper.device, TextLook{.points = 7.25}, inlineMarkup(*about));
    card.height = card.picturesHeight + 2.0 * padding;
    if (card.about) {
        card.about->setWidth(width - 2.0 * padding);
        card.height += card.about->height() + kAboutGap * paper.point;
    }
    return card;
}

void drawSample(QPainter& painter, const PrintedSample& sample, QPointF at, double point) {
    const QRectF box(at, sample.size);
    painter.setPen(QPen(reportColor(sample.name ? "muted" : "rule"), 0.5 * point));
    if (!sample.name) {
        painter.drawImage(box, sample.picture);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(box);
        return;
    }
    painter.setBrush(Qt::white);
    painter.drawRect(box);
    painter.save();
    painter.setClipRect(box); // of a name of many lines the first ones
    sample.name->draw(painter, at + QPointF(2.0, 2.0) * point);
    painter.restore();
}

void drawCard(QPainter& painter, const PrintedCard& card, const QRectF& box, double point) {
    painter.setPen(QPen(reportColor("rule"), 0.5 * point));
    painter.setBrush(reportColor("panel"));
    painter.drawRect(box);
    const double padding = kCardPadding * point;
    QPointF at = box.topLeft() + QPointF(padding, padding);
    const double top = at.y();
    for (std::size_t s = 0; s < card.samples.size(); ++s) {
        const PrintedSample& sample = card.samples[s];
        at.setY(top + card.picturesHeight - sample.size.height()); // they stand on one line
        drawSample(painter, sample, at, point);
        at.rx() += sample.size.width() + 3.0 * point;
        if (s == 0 && card.samples.size() > 1) { // a line between the sample and its neighbours
            at.rx() += 1.5 * point;
            painter.setPen(QPen(reportColor("muted"), 0.5 * point));
            const double line = card.samples[1].size.height();
            painter.drawLine(QPointF(at.x(), top + card.picturesHeight - line),
                             QPointF(at.x(), top + card.picturesHeight));
            at.rx() += 4.5 * point;
        }
    }
    if (card.about)
        card.about->draw(painter, {box.left() + padding, top + card.picturesHeight + kAboutGap * point});
}

PrintedBlock cardRow(const Paper& paper, std::vector<PrintedCard> cards, double width) {
    PrintedBlock block;
    for (const PrintedCard& card : cards)
        block.height = std::max(block.height, card.height);
    block.above = kCardGap * paper.point;
    block.draw = [cards = std::move(cards), width, height = block.height, point = paper.point](QPainter& painter,
                                                                                               QPointF at) {
        for (const PrintedCard& card : cards) {
            drawCard(painter, card, {at, QSizeF(width, height)}, point);
            at.rx() += width + kCardGap * point;
        }
    };
    return block;
}

/// A sample that stands for others, a copy beside its original, and what is said of them.
struct PrintedExample {
    std::vector<PrintedSample> samples;
    std::shared_ptr<PrintedText> about;
    QSizeF size;
};

PrintedExample setExample(const Paper& paper, const PageNode& item) {
    PrintedExample example;
    const PageNode* pictures = item.find(QStringLiteral("div"));
    for (const PageNode& shown : pictures->children)
        if (!shown.tag.isEmpty())
            example.samples.push_back(setSample(paper, shown));
    for (const PrintedSample& sample : example.samples)
        example.size = {example.size.width() + sample.size.width() + kPairGap * paper.point,
                        std::max(example.size.height(), sample.size.height())};
    example.about = std::make_shared<PrintedText>(paper.device, TextLook{.points = 7.25, .color = reportColor("muted")},
                                                  inlineMarkup(*item.find(QStringLiteral("p"))));
    // Words below a narrow picture break, and may be wider than it.
    const double width = std::max(example.size.width(), kNarrowestAbout * paper.point);
    example.about->setWidth(width);
    example.size = {width, example.size.height() + kAboutGap * paper.point + example.about->height()};
    return example;
}

} // namespace

PrintedBlock printedExamples(const Paper& paper, const PageNode& examples) {
    const double gap = kCardGap * paper.point;
    auto set = std::make_shared<std::vector<std::pair<QPointF, PrintedExample>>>();
    QPointF at;
    double lineHeight = 0.0;
    for (const PageNode& item : examples.children) {
        if (item.tag.isEmpty())
            continue;
        PrintedExample example = setExample(paper, item);
        if (at.x() > 0.0 && at.x() + example.size.width() > paper.width) {
            at = {0.0, at.y() + lineHeight + gap};
            lineHeight = 0.0;
        }
        lineHeight = std::max(lineHeight, example.size.height());
        const double width = example.size.width();
        set->emplace_back(at, std::move(example));
        at.rx() += width + gap;
    }
    PrintedBlock block;
    block.height = at.y() + lineHeight;
    block.draw = [set, point = paper.point](QPainter& painter, QPointF topLeft) {
        for (const auto& [place, example] : *set) {
            QPointF left = topLeft + place;
            for (const PrintedSample& sample : example.samples) {
                drawSample(painter, sample, left, point);
                left.rx() += sample.size.width() + kPairGap * point;
            }
            example.about->draw(painter,
                                topLeft + place + QPointF(0.0, example.size.height() - example.about->height()));
        }
    };
    return block;
}

PrintedBlocks printedGallery(const Paper& paper, const PageNode& gallery) {
    const double width = (paper.width - kCardGap * paper.point * (static_cast<double>(kCardsPerRow) - 1.0)) /
                         static_cast<double>(kCardsPerRow);
    PrintedBlocks blocks;
    std::vector<PrintedCard> row;
    for (const PageNode& item : gallery.children) {
        if (item.tag != QLatin1String("li"))
            continue;
        row.push_back(setCard(paper, item, width));
        if (row.size() == kCardsPerRow)
            blocks.push_back(cardRow(paper, std::exchange(row, {}), width));
    }
    if (!row.empty())
        blocks.push_back(cardRow(paper, std::move(row), width));
    return blocks;
}

} // namespace assay
