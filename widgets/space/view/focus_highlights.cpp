#include "widgets/space/view/focus_highlights.h"

#include "engine/data/brief_text.h"
#include "widgets/common/colors.h"
#include "widgets/common/number_format.h"

#include <QCoreApplication>
#include <QPalette>

#include <algorithm>

namespace assay::space {
namespace {

/// Translation context of this file's texts.
struct FocusWords {
    Q_DECLARE_TR_FUNCTIONS(assay::SpaceView)
};

/// More are one yellow blot: they stand out by their colours, among all others in grey.
constexpr std::size_t kMaxMarks = 2'000;

class Builder {
public:
    explicit Builder(const HighlightInputs& inputs) : in_(inputs) { setStyles(); }

    FocusHighlights build() {
        if (in_.selection.samples().size() <= kMaxMarks)
            for (const SampleId sample : in_.selection.samples())
                if (sample != in_.selection.focus())
                    mark(MarkKind::Selected, sample);
        if (const auto focus = in_.selection.focus(); focus && isShown(*focus))
            explain(*focus);
        if (const auto hovered = in_.selection.hovered())
            mark(MarkKind::Hovered, *hovered);
        return std::move(result_);
    }

private:
    std::size_t cloudOf(SampleId sample) const { return isReal(sample.set) ? kRealCloud : kSyntheticCloud; }

    bool isShown(SampleId sample) const {
        if (!isReal(sample.set) && sample.set != in_.state.currentSet())
            return false;
        const auto& points = isReal(sample.set) ? in_.points.real : in_.points.synthetic;
        return sample.row < points.size() && isPlaced(points[sample.row]) && in_.clouds[cloudOf(sample)].visible &&
               in_.state.isShown(sample);
    }

    Point position(SampleId sample) const {
        return (isReal(sample.set) ? in_.points.real : in_.points.synthetic)[sample.row];
    }

    void mark(MarkKind kind, SampleId sample) {
        const bool framed = kind != MarkKind::Neighbor && in_.pictured.contains(sample);
        if (!isShown(sample) || framed)
            return;
        Marks& marks = result_.highlights.of(kind);
        marks.points.push_back(position(sample));
        marks.colors.push_back((*in_.clouds[cloudOf(sample)].colors)[sample.row]);
    }

    void setStyles() {
        const QColor yellow = colors::selected(in_.palette);
        const QColor ink = in_.palette.color(QPalette::WindowText);
        const auto style = [this](MarkKind kind, float diameter, float rimWidth, float edgeWidth, const QColor& rim) {
            Marks& marks = result_.highlights.of(kind);
            marks.diameter = diameter;
            marks.rimWidth = rimWidth;
            marks.edgeWidth = edgeWidth;
            marks.rim = rim;
        };
        style(MarkKind::Neighbor, 8.5F, 1.3F, 0.0F, ink);
        // Hundreds of large marks would hide one another.
        if (in_.selection.samples().size() <= 100)
            style(MarkKind::Selected, 12.0F, 3.5F, 0.7F, yellow);
        else
            style(MarkKind::Selected, 9.0F, 2.7F, 0.5F, yellow);
        style(MarkKind::Focused, 18.0F, 5.5F, 1.0F, yellow);
        style(MarkKind::Hovered, 15.0F, 2.0F, 0.0F, ink);
    }

    /// Lines to the first k neighbours of one table, and their emphasis. @return how many are shown
    int connect(SampleId focus, const NeighborTable& table, SetId set, const QColor& color) {
        int shown = 0;
        const std::size_t ranks = focus.row < table.rows() ? std::min(in_.state.audit->k, table.k) : 0;
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            const SampleId neighbor{set, table.indexAt(focus.row, rank)};
            if (!isShown(neighbor))
                continue;
            ++shown;
            mark(MarkKind::Neighbor, neighbor);
            result_.highlights.lines.push_back({position(focus), position(neighbor), toRgb(color)});
        }
        return shown;
    }

    void explain(SampleId focus) {
        const RealAnalysis& real = *in_.state.audit->real;
        const PairTables& pair = *in_.state.current().tables;
        const bool isRealFocus = isReal(focus.set);
        const NeighborTable& toReal = isRealFocus ? real.neighbors : pair.synthetic.nearest;
        const NeighborTable& toSynthetic = isRealFocus ? pair.real.nearest : pair.syntheticToSynthetic;
        const int reals = connect(focus, toReal, SetId::Real, colors::real(in_.palette));
        const int synthetics = connect(focus, toSynthetic, in_.state.currentSet(), colors::synthetic(in_.palette));
        if (!isRealFocus)
            drawTriangle(focus);
        mark(MarkKind::Focused, focus);
        if (reals + synthetics > 0)
            say(FocusWords::tr("Lines: %1 nearest real and %2 nearest synthetic samples.").arg(reals).arg(synthetics));
        if (in_.points.layout.arrangement != Arrangement::Components)
            return; // a radius in the embedding's unit has no length here
        if (isRealFocus)
            drawBall(focus, FocusWords::tr("its own ball"));
        else if (focus.row < toReal.rows())
            drawBall({SetId::Real, toReal.indexAt(focus.row, 0)}, QString());
    }

    void say(const QString& sentence) {
        result_.caption += (result_.caption.isEmpty() ? QString() : QStringLiteral(" ")) + sentence;
    }

    QString nameOf(SampleId real) const {
        return QString::fromStdString(briefText(in_.state.audit->real->set->idText(real.row)));
    }

    /// Authenticity: whether the sample is closer to its nearest real sample than that one is to any other.
    void drawTriangle(SampleId focus) {
        const NeighborTable& toReal = in_.state.current().tables->synthetic.nearest;
        const NeighborTable& among = in_.state.audit->real->neighbors;
        if (focus.row >= toReal.rows() || toReal.k == 0)
            return;
        const SampleId nearest{SetId::Real, toReal.indexAt(focus.row, 0)};
        if (nearest.row >= among.rows() || among.k == 0 || !isShown(nearest))
            return;
        const SampleId other{SetId::Real, among.indexAt(nearest.row, 0)};
        const double own = toReal.distanceAt(focus.row, 0);
        const double usual = among.distanceAt(nearest.row, 0);
        const bool authentic = own > usual;
        const Rgb color = toRgb(authentic ? colors::synthetic(in_.palette) : colors::unauthentic(in_.palette));
        auto& lines = result_.highlights.lines;
        if (isShown(other)) {
            mark(MarkKind::Neighbor, other);
            lines.push_back({position(focus), position(other), toRgb(colors::real(in_.palette)), LineStyle::Closing});
            lines.push_back(
                {position(nearest), position(other), toRgb(colors::real(in_.palette)), LineStyle::Decisive});
        }
        lines.push_back({position(focus), position(nearest), color, LineStyle::Decisive});
        const QString sentence =
            authentic
                ? FocusWords::tr("Thick lines: %1 to its nearest real sample, %2, and %3 from there to the nearest "
                                 "other real sample. It is not closer than that: authentic.")
                : FocusWords::tr("Thick lines: %1 to its nearest real sample, %2, and %3 from there to the nearest "
                                 "other real sample. It is closer than that: not authentic.");
        say(sentence.arg(formatNumber(own), nameOf(nearest), formatNumber(usual)));
    }

    void drawBall(SampleId centre, const QString& name) {
        const RealAnalysis& real = *in_.state.audit->real;
        if (!isShown(centre) || centre.row >= real.innerRadius.size())
            return;
        const double radius = real.innerRadius[centre.row];
        result_.highlights.ball = Ball{position(centre), static_cast<float>(radius), colors::real(in_.palette)};
        const QString whose = name.isEmpty() ? FocusWords::tr("the ball of real %1").arg(nameOf(centre)) : name;
        say((in_.points.layout.isFlat() ? FocusWords::tr("Circle: projection of %1, radius %2.")
                                        : FocusWords::tr("Sphere: projection of %1, radius %2."))
                .arg(whose, formatNumber(radius)));
    }

    const HighlightInputs& in_;
    FocusHighlights result_;
};

} // namespace

FocusHighlights focusHighlights(const HighlightInputs& inputs) {
    return Builder(inputs).build();
}

} // namespace assay::space
