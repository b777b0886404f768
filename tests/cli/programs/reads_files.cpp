// Reads two files, lists their directory, asks for a status, maps a file, reads /proc, and reads
// back what it wrote itself. Fails if the files say 40 and 2.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cassert>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

int main() {
  long first = 0, second = 0, names = 0, size = -1;
  std::string load, back;
  std::thread reader([&] {
    std::ifstream("data/first") >> first;
    if (FILE* file = std::fopen("data/second", "r")) {
      if (std::fscanf(file, "%ld", &second) != 1) second = -1;
      std::fclose(file);
    }
  });
  std::thread lister([&] {
    for (const auto& entry : std::filesystem::directory_iterator("data")) {
      names += entry.path().filename() != "nothing";
    }
    struct stat status {};
    if (stat("data/first", &status) == 0) size = status.st_size;
    std::ifstream file("/proc/loadavg");
    std::getline(file, load);
  });
  reader.join();
  lister.join();
  const int file = open("data/first", O_RDONLY);
  const void* mapped = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE, file, 0);
  const char letter = mapped == MAP_FAILED ? '?' : *static_cast<const char*>(mapped);
  std::ofstream("result") << "written";
  std::ifstream("result") >> back;
  std::printf("%ld %ld, %ld names, %ld bytes, %c, %s, load %s, absent %d\n", first, second, names,
              size, letter, back.c_str(), load.c_str(), access("data/third", F_OK));
  std::fflush(stdout);
  assert(!(first == 40 && second == 2));
}
