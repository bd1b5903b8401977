#pragma once

#include "engine/audit/result/audit_result.h"
#include "engine/audit/result/filter_rules.h"
#include "engine/report/space/space_points.h"
#include "engine/subsets/rules/tags.h"
#include "widgets/link/view_filter.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace assay {

struct CoverageLost;
struct ExternalScores;
struct KeptAudit;
struct KeptFrechet;
struct UsefulOfKept;
struct WhatIfResult;

/// What jobs have worked out about the other parts of a ViewState. Each is null until it is known.
struct Computed {
    /// Scores of the kept samples by themselves, those of the state before until the new ones are known, and of as many
    /// samples drawn at random; also null where no rule applies or too few samples are kept.
    std::shared_ptr<const WhatIfResult> keptScores{};
    std::shared_ptr<const WhatIfResult> randomScores{};
    /// Audits of both, with intervals; also null where they would take long.
    std::shared_ptr<const KeptAudit> keptAudits{};
    /// Frechet distances of both; also null where the model has none.
    std::shared_ptr<const KeptFrechet> keptFrechet{};
    /// Real samples that the kept samples do not cover any more.
    std::shared_ptr<const CoverageLost> coverageLost{};
    /// Utility and membership of the kept samples and of as many at random, once a view has asked for them; perhaps of
    /// samples that were kept before, which it says.
    std::shared_ptr<const UsefulOfKept> usefulOfKept{};
    /// Where the samples lie on the plane or in space, and how they are wanted.
    std::shared_ptr<const SpacePoints> points{};
    SpaceLayout layout{};

    friend bool operator==(const Computed&, const Computed&) = default;
};

/// The state that all views show. A plain value; views keep a copy and never change the data it points to.
struct ViewState {
    std::shared_ptr<const AuditResult> audit; ///< null: nothing loaded
    std::size_t model = 0;                    ///< current model; valid when the audit has models
    /// Per synthetic row of the current model; null: neither a rule nor a hand rejects anything.
    std::shared_ptr<const std::vector<bool>> kept{};
    std::shared_ptr<const FilterRules> rules{}; ///< in force; null: none
    /// How many samples each rule in force does not let pass, in the order of the rules; null: no rules.
    std::shared_ptr<const std::vector<std::size_t>> failingRules{};
    /// Rows of the current model that were rejected by hand, ascending; null: none.
    std::shared_ptr<const std::vector<std::uint32_t>> rejectedByHand{};
    /// Samples of any model that are kept by hand, and those marked unsure, which the rules decide; null: none.
    std::shared_ptr<const SampleSet> accepted{};
    std::shared_ptr<const SampleSet> unsure{};
    /// Tags, their names, and notes of samples of any set; null: none.
    std::shared_ptr<const SampleTags> tags{};
    std::shared_ptr<const TagNames> tagNames{};
    std::shared_ptr<const SampleNotes> notes{};
    /// Figures of models from elsewhere; null: none.
    std::shared_ptr<const ExternalScores> external{};
    /// The view filter, and the rows of the real and the current synthetic set that pass it; null: all.
    ViewFilter filter{};
    std::shared_ptr<const SampleSet> shown{};
    Computed computed{};

    friend bool operator==(const ViewState&, const ViewState&) = default;

    bool hasModel() const noexcept { return audit && model < audit->models.size(); }
    const ModelAudit& current() const { return *audit->models[model]; }
    /// The per-sample columns that can be shown: those of the current model, else all of the catalogue.
    std::vector<const Column*> columns() const;
    /// One of the catalogue, or an external one of the current model; null for others.
    const Column* findColumn(std::string_view id) const;
    SetId currentSet() const noexcept { return syntheticSet(model); }
    bool isKept(std::size_t syntheticRow) const { return !kept || (*kept)[syntheticRow]; }
    TagSet tagsOf(SampleId sample) const { return tags ? tags->of(sample) : TagSet{0}; }
    bool isAccepted(SampleId sample) const { return accepted && accepted->contains(sample); }
    bool isUnsure(SampleId sample) const { return unsure && unsure->contains(sample); }
    /// Note on a sample; empty if there is none.
    std::string noteOf(SampleId sample) const {
        const auto at = notes ? notes->find(sample) : SampleNotes::const_iterator();
        return notes && at != notes->end() ? at->second : std::string();
    }
    /// Name of a tag, or its number if it has no name.
    std::string tagName(int tag) const {
        const std::string name = tagNames ? tagNames->at(static_cast<std::size_t>(tag - 1)) : std::string();
        return name.empty() ? std::to_string(tag) : name;
    }
    /// Whether the filter leaves a sample of the real set or of the current model's.
    bool isShown(SampleId sample) const { return !shown || shown->contains(sample); }
    /// The samples that pass the filter.
    SampleSet shownOf(const SampleSet& samples) const { return shown ? samples & *shown : samples; }
    bool isRejectedByHand(std::size_t syntheticRow) const {
        return rejectedByHand && std::binary_search(rejectedByHand->begin(), rejectedByHand->end(), syntheticRow);
    }
};

/// What differs between two states; worked out once for every panel (changesBetween()).
struct Changes {
    const ViewState& before;
    bool audit = false;    ///< another audit, or the same with further models or curves
    bool real = false;     ///< its real set's audit
    bool model = false;    ///< the current model: another one, or its audit is another
    bool heldOut = false;  ///< the held-out set's audit
    bool kept = false;     ///< which samples are kept
    bool rules = false;    ///< the rules in force
    bool tagNames = false; ///< names of tags
    bool shown = false;    ///< which samples pass the filter
    bool external = false; ///< figures of models from elsewhere
    bool layout = false;   ///< how samples are placed on the plane or in space
    bool points = false;   ///< where they lie
    bool computed = false; ///< anything that jobs have worked out
    bool decided = false;  ///< anything else than that
};

Changes changesBetween(const ViewState& before, const ViewState& after);

} // namespace assay
