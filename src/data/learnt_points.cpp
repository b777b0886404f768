#include "data/learnt_points.hpp"

#include <algorithm>

#include "data/bytes.hpp"
#include "data/bytes_modules.hpp"

namespace unravel {

namespace {

constexpr Format kFormat = {
    .magic = "UNRAVPTS", .noun = "set of points", .version = 1, .operation_table = 0};

bool comes_before(wire::Site one, wire::Site other) { return one.packed < other.packed; }

}  // namespace

bool LearntPoints::widen(std::span<const ModuleId> loaded, std::span<const wire::Site> more) {
  if (modules.empty()) modules.assign(loaded.begin(), loaded.end());
  const auto differs =
      std::mismatch(modules.begin(), modules.end(), loaded.begin(), loaded.end()).first;
  modules.erase(differs, modules.end());
  const auto is_known = [this](wire::Site site) {
    return site.module() != wire::kNoModule && site.module() < modules.size();
  };
  std::erase_if(sites, [&](wire::Site site) { return !is_known(site); });
  const std::size_t before = sites.size();
  for (const wire::Site site : more) {
    if (!is_known(site)) continue;
    const auto place = std::lower_bound(sites.begin(), sites.end(), site, comes_before);
    if (place == sites.end() || *place != site) sites.insert(place, site);
  }
  return sites.size() != before;
}

std::vector<std::byte> encode(const LearntPoints& points) {
  FieldWriter out(kFormat);
  write_modules(out, points.modules);
  write_sites(out, points.sites);
  return out.seal();
}

Result<LearntPoints> decode_learnt_points(std::span<const std::byte> bytes) {
  Result<FieldReader> opened = FieldReader::open(kFormat, bytes);
  if (!opened) return fail(opened.error());
  FieldReader& in = *opened;
  LearntPoints points;
  points.modules = read_modules(in);
  points.sites = read_sites(in);
  std::uint64_t before = 0;
  for (const wire::Site& site : points.sites) {
    if (site.packed <= before) in.refuse("its sites are not in order");
    if (site.module() >= points.modules.size()) {
      in.refuse("a site is of module " + std::to_string(site.module()) + ", which is not there");
    }
    before = site.packed;
  }
  if (const std::optional<Error> error = in.finish()) return fail(*error);
  return points;
}

}  // namespace unravel
