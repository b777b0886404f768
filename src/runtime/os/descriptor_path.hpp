/// The path of an open file in /proc.
#pragma once

namespace unravel::os {

class DescriptorPath {
 public:
  explicit DescriptorPath(int descriptor) {
    constexpr char kFolder[] = "/proc/self/fd/";
    char* end = text_;
    for (const char* from = kFolder; *from; ++from) *end++ = *from;
    char digits[12];
    int count = 0;
    for (int rest = descriptor; count == 0 || rest > 0; rest /= 10) {
      digits[count++] = static_cast<char>('0' + rest % 10);
    }
    while (count > 0) *end++ = digits[--count];
    *end = '\0';
  }
  [[nodiscard]] const char* text() const { return text_; }

 private:
  char text_[32];
};

}  // namespace unravel::os
