// A constructor writes to address 0 before main is reached.
static int* volatile nowhere;

__attribute__((constructor)) static void crash(void) { *nowhere = 1; }

int main(void) { return 0; }
