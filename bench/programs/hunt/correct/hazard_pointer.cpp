// Hazard pointers: a reader says which version it reads and looks again whether it is the current
// one; the writer gives free only what no reader names, and keeps the rest until all have ended.
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

struct Version {
  int x;
  int y;
  bool retired = false;
};

static std::atomic<Version*> current = nullptr;
static std::atomic<Version*> hazards[2];
static std::vector<Version*> kept;

static void read_version(int self) {
  Version* version = current.load();
  for (;;) {
    hazards[self].store(version);
    Version* again = current.load();
    if (again == version) break;
    version = again;
  }
  assert(!version->retired && version->x == version->y);
  hazards[self].store(nullptr);
}

static void retire(Version* version) {
  for (const auto& hazard : hazards) {
    if (hazard.load() != version) continue;
    kept.push_back(version);
    return;
  }
  version->retired = true;
  delete version;
}

static void write_versions() {
  for (int value = 1; value <= 2; ++value) retire(current.exchange(new Version{value, value}));
}

int main() {
  current.store(new Version{0, 0});
  std::thread reader(read_version, 0);
  std::thread reader_too(read_version, 1);
  std::thread writer(write_versions);
  reader.join();
  reader_too.join();
  writer.join();
  for (Version* version : kept) delete version;
  delete current.load();
}
