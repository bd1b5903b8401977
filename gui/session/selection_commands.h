#pragma once

namespace assay {

class AuditSession;

/// Selections that follow from what is known of the samples: of the current model's, and of those that are shown.
class SelectionCommands {
public:
    explicit SelectionCommands(AuditSession* session) : session_(session) {}

    void rejected() const;
    void rejectedByHand() const;
    void acceptedByHand() const;
    void unsure() const;
    /// Samples without a verdict by hand.
    void undecided() const;
    /// Also samples of the real set.
    void tagged(int tag) const;
    /// Samples whose verdict is not good.
    void accused() const;
    /// Real samples whose ball holds none of the model's.
    void uncovered() const;
    /// All samples of the groups that the selected ones are of.
    void wholeGroups() const;
    /// Samples that are not selected.
    void others() const;

private:
    AuditSession* session_;
};

} // namespace assay
