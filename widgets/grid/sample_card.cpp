#include "widgets/grid/sample_card.h"

#include "widgets/common/controls.h"
#include "widgets/grid/sample_texts.h"
#include "widgets/link/thumbnail_cache.h"

#include <QCoreApplication>
#include <QEvent>
#include <QLabel>
#include <QScreen>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>

namespace assay {
namespace {

constexpr int kPictureEdge = 160;
constexpr QPoint kFromPointer(14, 18);

SampleCard* cardOf(const QWidget* owner) {
    return owner->window()->findChild<SampleCard*>(QString(), Qt::FindDirectChildrenOnly);
}

} // namespace

SampleCard::SampleCard(QWidget* window)
    : QFrame(window, Qt::ToolTip), picture_(new QLabel(this)), text_(new QLabel(this)) {
    setObjectName(QStringLiteral("sampleCard"));
    setAttribute(Qt::WA_ShowWithoutActivating);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFrameStyle(int(QFrame::Box) | int(QFrame::Plain));
    setAutoFillBackground(true);
    picture_->setAlignment(Qt::AlignCenter);
    text_->setTextFormat(Qt::RichText);
    text_->setWordWrap(true);
    auto* column = newLayout<QVBoxLayout>(this, {6, 6, 6, 6}, 4);
    column->addWidget(picture_);
    column->addWidget(text_);
    column->setSizeConstraint(QLayout::SetFixedSize);
}

void SampleCard::show(QWidget* owner, QPoint at, const HoveredSample& hovered) {
    SampleCard* card = cardOf(owner);
    if (!card)
        card = new SampleCard(owner->window());
    card->showAt(owner, at, hovered);
}

void SampleCard::hide(const QWidget* owner) {
    if (SampleCard* card = cardOf(owner); card && card->owner_ == owner)
        card->setVisible(false);
}

const SampleCard* SampleCard::shownBy(const QWidget* owner) {
    const SampleCard* card = cardOf(owner);
    return card && card->isVisible() ? card : nullptr;
}

QString SampleCard::textShownBy(const QWidget* owner) {
    const SampleCard* card = shownBy(owner);
    return card ? card->text_->text() : QString();
}

bool SampleCard::hasPicture() const {
    return !picture_->pixmap(Qt::ReturnByValue).isNull();
}

void SampleCard::showAt(QWidget* owner, QPoint at, const HoveredSample& hovered) {
    const QString text = sampleToolTip(hovered.state, hovered.sample);
    if (text.isEmpty()) {
        setVisible(false);
        return;
    }
    QToolTip::hideText();
    owner_ = owner;
    sample_ = hovered.sample;
    if (pictures_ != hovered.pictures) {
        if (pictures_)
            disconnect(pictures_, nullptr, this, nullptr);
        pictures_ = hovered.pictures;
        if (pictures_)
            connect(pictures_, &ThumbnailCache::arrived, this, &SampleCard::showPicture);
    }
    setPalette(QToolTip::palette());
    text_->setText(hovered.above + text + hovered.below);
    const EmbeddingSet& set = hovered.state.audit->setOf(hovered.sample.set);
    // Room for a picture that has yet to come, so that the card keeps its size.
    const bool expected = pictures_ && set.images() && !set.images()->isMissing(hovered.sample.row);
    picture_->setVisible(expected);
    picture_->setMinimumSize(expected ? kPictureEdge : 0, expected ? kPictureEdge : 0);
    if (!isVisible()) {
        qApp->installEventFilter(this);
        setVisible(true);
    }
    showPicture();
    adjustSize();
    const QRect screen = owner->screen()->availableGeometry();
    QPoint corner = at + kFromPointer;
    if (corner.x() + width() > screen.right())
        corner.setX(at.x() - kFromPointer.x() - width());
    if (corner.y() + height() > screen.bottom())
        corner.setY(at.y() - kFromPointer.y() - height());
    move(std::max(screen.left(), corner.x()), std::max(screen.top(), corner.y()));
}

void SampleCard::showPicture() {
    if (!isVisible() || !picture_->isVisibleTo(this) || !pictures_)
        return;
    picture_->setPixmap(pictures_->thumbnail(sample_, kPictureEdge, devicePixelRatioF()));
}

bool SampleCard::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::Leave:
        if (watched == owner_)
            setVisible(false);
        break;
    case QEvent::Hide:
        if (owner_ && !owner_->isVisible())
            setVisible(false);
        break;
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonDblClick:
    case QEvent::Wheel:
    case QEvent::KeyPress:
    case QEvent::WindowDeactivate:
        setVisible(false);
        break;
    default:
        break;
    }
    return false;
}

void SampleCard::hideEvent(QHideEvent* event) {
    qApp->removeEventFilter(this);
    QFrame::hideEvent(event);
}

} // namespace assay
