// Two threads of GCC's OpenMP library.
// compiler: GNU
// flags: -fopenmp
#include <stdio.h>

int main(void) {
  int sum = 0;
#pragma omp parallel for num_threads(2) reduction(+ : sum)
  for (int i = 0; i < 100; i++) sum += i;
  printf("%d\n", sum);
  return sum != 4950;
}
