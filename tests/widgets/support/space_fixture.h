#pragma once

#include "engine/report/space/space_points.h"
#include "widgets/link/panel.h"

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace assay::test {

using Points = std::vector<std::array<float, 3>>;

/// What a 3D view shows.
struct SpaceFixture {
    ViewState state;
    std::shared_ptr<const SpacePoints> points;
};

/// Normal about a centre, flatter along each further axis.
Points cloud(std::size_t count, std::array<float, 3> centre, float spread, unsigned seed);

std::shared_ptr<const EmbeddingSet> setOf(const Points& points, const std::string& name);

/// A made-up audit in three dimensions, so that the projection is the identity.
SpaceFixture makeFixture(const Points& real, const Points& synthetic);

/// 300 real and 300 synthetic samples, partly apart.
SpaceFixture smallFixture();

} // namespace assay::test
