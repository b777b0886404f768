// After blackscholes and canneal of the paper: options are priced in rounds, by threads that meet
// at a barrier.
//
// Bug: wait_for_start() looks whether the market is open under one hold of the lock, and waits
// under the next. If main opens it between, the worker misses the broadcast. In wait_for_start()
// and open_market().
//
// Shows as: a deadlock; one worker waits for the start, all others at the first barrier, main for
// a worker. Switches at synchronisation are enough.
// Fewest: with w workers w + 2 switches, 2 of them preemptions: main is left before it opens the
// market, a worker after its look; main opens it, the others run to the barrier, that worker waits.
//
// Arguments: workers, rounds (default: 8 2).
#include <pthread.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

struct Option {
  double spot;
  double strike;
  double rate;
  double volatility;
  double years;
  double price = 0;
};

double normal_distribution(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

double price_of_call(const Option& option) {
  const double spread = option.volatility * std::sqrt(option.years);
  const double drift = (option.rate + option.volatility * option.volatility / 2) * option.years;
  const double d1 = (std::log(option.spot / option.strike) + drift) / spread;
  const double d2 = d1 - spread;
  const double discount = std::exp(-option.rate * option.years);
  return option.spot * normal_distribution(d1) - option.strike * discount * normal_distribution(d2);
}

/// Workers start together, when prices are known.
class Market {
 public:
  void open_market(double rate) {
    pthread_mutex_lock(&lock_);
    rate_ = rate;
    open_ = true;
    pthread_cond_broadcast(&opened_);
    pthread_mutex_unlock(&lock_);
  }

  double wait_for_start() {
    if (!is_open()) {
      pthread_mutex_lock(&lock_);
      // It may be open by now, and then nobody will say so again.
      pthread_cond_wait(&opened_, &lock_);
      pthread_mutex_unlock(&lock_);
    }
    return rate_;
  }

 private:
  bool is_open() {
    pthread_mutex_lock(&lock_);
    const bool open = open_;
    pthread_mutex_unlock(&lock_);
    return open;
  }

  pthread_mutex_t lock_ = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t opened_ = PTHREAD_COND_INITIALIZER;
  bool open_ = false;
  double rate_ = 0;
};

Market market;
pthread_barrier_t round_done;
std::vector<Option> options;
int rounds = 2;

struct Share {
  std::size_t first;
  std::size_t end;
};

void* price_share(void* argument) {
  const Share share = *static_cast<const Share*>(argument);
  const double rate = market.wait_for_start();
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = share.first; i < share.end; ++i) {
      Option& option = options[i];
      option.rate = rate + 0.001 * round;
      option.price = price_of_call(option);
    }
    pthread_barrier_wait(&round_done);
  }
  return nullptr;
}

std::vector<Option> some_options(std::size_t count) {
  std::vector<Option> made;
  for (std::size_t i = 0; i < count; ++i) {
    const double step = static_cast<double>(i);
    made.push_back({.spot = 100 + step,
                    .strike = 95 + 2 * step,
                    .rate = 0,
                    .volatility = 0.1 + 0.01 * step,
                    .years = 0.5 + 0.25 * step});
  }
  return made;
}

}  // namespace

int main(int argc, char** argv) {
  const int workers = argc > 1 ? std::atoi(argv[1]) : 8;
  rounds = argc > 2 ? std::atoi(argv[2]) : 2;
  if (workers < 1 || rounds < 1) {
    std::fprintf(stderr, "usage: pricing WORKERS ROUNDS\n");
    return 2;
  }
  const std::size_t each = 4;
  options = some_options(each * static_cast<std::size_t>(workers));
  pthread_barrier_init(&round_done, nullptr, static_cast<unsigned>(workers));

  std::vector<Share> shares;
  for (int i = 0; i < workers; ++i) {
    const std::size_t first = each * static_cast<std::size_t>(i);
    shares.push_back({first, first + each});
  }
  std::vector<pthread_t> threads(shares.size());
  for (std::size_t i = 0; i < threads.size(); ++i) {
    pthread_create(&threads[i], nullptr, price_share, &shares[i]);
  }
  market.open_market(0.03);
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
  pthread_barrier_destroy(&round_done);

  double sum = 0;
  for (const Option& option : options) sum += option.price;
  std::printf("%zu options, %.3f\n", options.size(), sum);
}
