#pragma once

#include "engine/data/sample_id.h"

#include <QObject>

#include <optional>
#include <vector>

namespace assay {

/// The one selection that every view shows and changes.
///
/// It holds a set of selected samples, at most one focused sample (the one the inspector explains), and at most one
/// hovered sample (a preview). The focused sample is always a selected one.
class SampleSelection : public QObject {
    Q_OBJECT

public:
    explicit SampleSelection(QObject* parent = nullptr);

    /// Selected samples, ascending and without duplicates.
    const std::vector<SampleId>& samples() const noexcept { return samples_; }
    std::optional<SampleId> focus() const noexcept { return focus_; }
    std::optional<SampleId> hovered() const noexcept { return hovered_; }
    bool contains(SampleId id) const noexcept;
    bool isEmpty() const noexcept { return samples_.empty(); }

public slots:
    /// Selects exactly these samples. The focus becomes `focus` if given, else stays if still selected, else is the
    /// only sample of a single selection, else none. Emits nothing when nothing changes.
    void replace(std::vector<assay::SampleId> samples, std::optional<assay::SampleId> focus = std::nullopt);
    /// Selects one sample and focuses it.
    void select(assay::SampleId sample);
    /// Adds or removes one sample (Ctrl+click). An added one becomes the focus.
    void toggle(assay::SampleId sample);
    void clear();
    void hover(std::optional<assay::SampleId> sample);

signals:
    void changed();
    void hoverChanged();

private:
    std::vector<SampleId> samples_;
    std::optional<SampleId> focus_;
    std::optional<SampleId> hovered_;
};

} // namespace assay
