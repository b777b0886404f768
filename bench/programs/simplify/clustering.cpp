// After streamcluster of the paper: points are given to their nearest centre, and centres moved to
// the middle of their points, in rounds of two steps with a barrier after each.
//
// Bug: after the last barrier the first worker claims to make the table of sizes, makes it, and
// there is nothing to let the others wait for it. In claim_sizes(), publish_sizes(), size_of_own().
//
// Shows as: a crash; a worker looks into a table that is not there. The others look late, so that
// it happens rarely when threads run in parallel. Switches at synchronisation are enough.
// Fewest: with w workers and r rounds 2 + 2 r (w - 1) switches, 1 of them a preemption: at each
// barrier all have to arrive, whoever is the last goes on; after the last barrier it claims the
// table and is left.
//
// Arguments: workers, rounds (default: 8 40).
#include <pthread.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

struct Point {
  double x;
  double y;
};

struct Sum {
  double x = 0;
  double y = 0;
  int count = 0;
};

constexpr std::size_t kCentres = 3;

int workers = 8;
int rounds = 40;
pthread_barrier_t step_done;
std::vector<Point> points;
std::vector<std::size_t> centre_of;
std::vector<Point> centres;
std::vector<std::vector<Sum>> sums;  // of each worker, for each centre
pthread_mutex_t claim_lock = PTHREAD_MUTEX_INITIALIZER;
bool claimed = false;
int* sizes = nullptr;  // of the clusters

double distance(const Point& one, const Point& other) {
  const double x = one.x - other.x;
  const double y = one.y - other.y;
  return x * x + y * y;
}

std::size_t nearest_centre(const Point& point) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < centres.size(); ++i) {
    if (distance(point, centres[i]) < distance(point, centres[best])) best = i;
  }
  return best;
}

/// Each worker its share of the points.
void assign_points(std::size_t self) {
  std::vector<Sum>& own = sums[self];
  own.assign(kCentres, Sum{});
  for (std::size_t i = self; i < points.size(); i += sums.size()) {
    const std::size_t centre = nearest_centre(points[i]);
    centre_of[i] = centre;
    own[centre].x += points[i].x;
    own[centre].y += points[i].y;
    ++own[centre].count;
  }
}

/// Each worker the centres that are its own.
void move_centres(std::size_t self) {
  for (std::size_t centre = self; centre < kCentres; centre += sums.size()) {
    Sum all;
    for (const std::vector<Sum>& part : sums) {
      all.x += part[centre].x;
      all.y += part[centre].y;
      all.count += part[centre].count;
    }
    if (all.count == 0) continue;
    centres[centre] = {all.x / all.count, all.y / all.count};
  }
}

/// True for the first one.
bool claim_sizes() {
  pthread_mutex_lock(&claim_lock);
  const bool is_first = !claimed;
  claimed = true;
  pthread_mutex_unlock(&claim_lock);
  return is_first;
}

void publish_sizes() {
  static int table[kCentres];
  for (const std::size_t centre : centre_of) ++table[centre];
  sizes = table;
}

/// How good a share of the points fits takes a while; then how large its clusters are.
int size_of_own(std::size_t self) {
  double badness = 0;
  for (int again = 0; again < 50; ++again) {
    for (std::size_t i = self; i < points.size(); i += sums.size()) {
      badness += distance(points[i], centres[centre_of[i]]);
    }
  }
  const int size = sizes[centre_of[self]];
  return badness >= 0 ? size : 0;
}

void* cluster(void* argument) {
  const std::size_t self = *static_cast<const std::size_t*>(argument);
  for (int round = 0; round < rounds; ++round) {
    assign_points(self);
    pthread_barrier_wait(&step_done);
    move_centres(self);
    pthread_barrier_wait(&step_done);
  }
  if (claim_sizes()) publish_sizes();
  return size_of_own(self) > 0 ? nullptr : argument;
}

std::vector<Point> some_points(std::size_t count) {
  std::vector<Point> made;
  unsigned state = 12345;
  const auto next = [&state] {
    state = state * 1103515245 + 12345;
    return static_cast<double>(state >> 16 & 0xff) / 64;
  };
  for (std::size_t i = 0; i < count; ++i) {
    const double offset = 10.0 * static_cast<double>(i % kCentres);
    const double x = offset + next();
    made.push_back({x, offset + next()});
  }
  return made;
}

}  // namespace

int main(int argc, char** argv) {
  workers = argc > 1 ? std::atoi(argv[1]) : 8;
  rounds = argc > 2 ? std::atoi(argv[2]) : 40;
  if (workers < 1 || rounds < 1) {
    std::fprintf(stderr, "usage: clustering WORKERS ROUNDS\n");
    return 2;
  }
  points = some_points(4 * static_cast<std::size_t>(workers));
  centre_of.resize(points.size());
  centres.assign(points.begin(), points.begin() + kCentres);
  sums.resize(static_cast<std::size_t>(workers));
  pthread_barrier_init(&step_done, nullptr, static_cast<unsigned>(workers));

  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < sums.size(); ++i) numbers.push_back(i);
  std::vector<pthread_t> threads(numbers.size());
  for (std::size_t i = 0; i < threads.size(); ++i) {
    pthread_create(&threads[i], nullptr, cluster, &numbers[i]);
  }
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
  pthread_barrier_destroy(&step_done);
  for (const Point& centre : centres) std::printf("centre at %.2f, %.2f\n", centre.x, centre.y);
}
