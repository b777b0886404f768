// Four threads multiply two matrices, a quarter of the rows each. Prints nanoseconds of processor
// time, and the sum of the product.
//
//   matrix SIZE    rows and columns
#include "kernel.hpp"

namespace {

using namespace unravel::bench;

constexpr unsigned kThreads = 4;

void multiply_rows(const double* left, const double* right, double* product, std::uint64_t size,
                   std::uint64_t first, std::uint64_t end) {
  for (std::uint64_t row = first; row < end; ++row) {
    for (std::uint64_t column = 0; column < size; ++column) {
      double sum = 0;
      for (std::uint64_t k = 0; k < size; ++k) {
        sum += left[row * size + k] * right[k * size + column];
      }
      product[row * size + column] = sum;
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t size = size_of_work(argc, argv);
  start_first_thread();
  std::vector<double> left(size * size), right(size * size), product(size * size);
  std::uint64_t state = 1;
  // Whole numbers, so that no sum is rounded.
  for (double& value : left) value = static_cast<double>(next_random(state) % 16);
  for (double& value : right) value = static_cast<double>(next_random(state) % 16);
  run_kernel(
      kThreads,
      [&](unsigned self) {
        multiply_rows(left.data(), right.data(), product.data(), size, size * self / kThreads,
                      size * (self + 1) / kThreads);
      },
      [&] {
        double sum = 0;
        for (const double value : product) sum += value;
        return static_cast<std::uint64_t>(sum);
      });
}
