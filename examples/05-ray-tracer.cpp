// A ray tracer whose threads load the scene each for itself, and count without a lock how often it
// was loaded: the count that a load has read at its beginning is written, plus one, at its end. If
// a thread is switched away in between, and another one loads, a scene is lost from the count. The
// same race was put into a ray tracer by Choi and Zeller, "Isolating Failure-Inducing Thread
// Schedules", ISSTA 2002.
//
// A picture of 320 x 240 takes 55 million function calls and rounds of loops. With those as points,
// a run has thousands of switches, of which one matters.
//
//   unravel-c++ -std=c++20 -g -pthread examples/05-ray-tracer.cpp -o ray-tracer
//   unravel run --points calls --rule random --probability 0.0001 --runs 50
//       --max-steps 100000000 -- ./ray-tracer 320 240 4
//
//   ray-tracer [WIDTH HEIGHT THREADS [PICTURE.ppm]]    prints a checksum of the picture
#include <atomic>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

// --- Vectors and colours -------------------------------------------------------------------------

struct Vector {
  double x = 0, y = 0, z = 0;
};

Vector operator+(const Vector& a, const Vector& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Vector operator-(const Vector& a, const Vector& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Vector operator*(const Vector& a, double factor) {
  return {a.x * factor, a.y * factor, a.z * factor};
}
double dot(const Vector& a, const Vector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Vector unit(const Vector& a) { return a * (1 / std::sqrt(dot(a, a))); }
Vector mirrored(const Vector& a, const Vector& normal) { return a - normal * (2 * dot(a, normal)); }

struct Ray {
  Vector origin;
  Vector direction;  // of length 1

  Vector at(double distance) const { return origin + direction * distance; }
};

// A ray that leaves a surface must not meet it again at once.
constexpr double kNear = 1e-4;
constexpr double kFar = std::numeric_limits<double>::infinity();

// --- The scene -----------------------------------------------------------------------------------

struct Material {
  Vector colour;
  double reflection = 0;
};

struct Sphere {
  Vector centre;
  double radius = 1;
  Material material;

  /// How far away the ray meets it; kFar if it does not.
  double distance(const Ray& ray) const {
    const Vector to_origin = ray.origin - centre;
    const double half = dot(to_origin, ray.direction);
    const double root = half * half - dot(to_origin, to_origin) + radius * radius;
    if (root < 0) return kFar;
    const double near = -half - std::sqrt(root);
    if (near > kNear) return near;
    const double far = -half + std::sqrt(root);
    return far > kNear ? far : kFar;
  }
};

/// A floor with the squares of a chess board.
struct Plane {
  double height = 0;
  Material light, dark;

  double distance(const Ray& ray) const {
    if (std::abs(ray.direction.y) < kNear) return kFar;
    const double met = (height - ray.origin.y) / ray.direction.y;
    return met > kNear ? met : kFar;
  }
  const Material& material(const Vector& where) const {
    const auto square = [](double along) { return static_cast<long>(std::floor(along)); };
    return (square(where.x) + square(where.z)) % 2 == 0 ? light : dark;
  }
};

struct Light {
  Vector place;
  double power = 1;
};

constexpr const char* kDescription = R"(
# what      where            size  colour         reflection
camera      0.0 1.6 -6.0
plane       0.0                    0.9 0.9 0.9    0.10
                                   0.1 0.1 0.1    0.20
sphere      0.0  1.0  0.5    1.0   0.9 0.2 0.2    0.30
sphere     -2.1  0.8  0.0    0.8   0.2 0.9 0.2    0.25
sphere      2.1  0.8  0.0    0.8   0.2 0.2 0.9    0.25
sphere      0.0  0.4 -1.6    0.4   0.9 0.9 0.2    0.40
sphere     -1.1  0.3 -1.9    0.3   0.2 0.9 0.9    0.10
sphere      1.1  0.3 -1.9    0.3   0.9 0.2 0.9    0.10
sphere     -3.4  0.5  1.6    0.5   0.8 0.5 0.2    0.20
sphere      3.4  0.5  1.6    0.5   0.2 0.5 0.8    0.20
sphere      0.0  2.4  0.5    0.4   1.0 1.0 1.0    0.60
sphere     -0.6  0.2 -2.6    0.2   0.9 0.6 0.6    0.15
sphere      0.6  0.2 -2.6    0.2   0.6 0.9 0.6    0.15
sphere     -1.8  0.2 -2.8    0.2   0.6 0.6 0.9    0.15
sphere      1.8  0.2 -2.8    0.2   0.9 0.9 0.6    0.15
sphere     -2.7  0.3 -1.4    0.3   0.5 0.5 0.5    0.50
sphere      2.7  0.3 -1.4    0.3   0.5 0.5 0.5    0.50
sphere     -1.2  0.6  2.4    0.6   0.9 0.4 0.1    0.20
sphere      1.2  0.6  2.4    0.6   0.1 0.4 0.9    0.20
light      -4.0  6.0 -4.0    3.0
light       5.0  4.0 -3.0    1.0
)";

/// Words and numbers of a text. What is wrong with it is thrown, with its line.
class Reader {
 public:
  explicit Reader(const char* text) : at_(text) { skip_blanks(); }

  bool at_end() const { return *at_ == '\0'; }

  std::string word() {
    const std::size_t length = std::strcspn(at_, " \n");
    std::string word(at_, length);
    at_ += length;
    skip_blanks();
    return word;
  }

  double number() {
    char* end = nullptr;
    const double value = std::strtod(at_, &end);
    if (end == at_) fail("'" + word() + "' is no number");
    at_ = end;
    skip_blanks();
    return value;
  }

  Vector vector() {
    const double x = number(), y = number(), z = number();
    return {x, y, z};
  }

  [[noreturn]] void fail(const std::string& why) const {
    throw std::runtime_error("line " + std::to_string(line_) + " of the scene: " + why);
  }

 private:
  /// Up to the next word; comments are blank, too.
  void skip_blanks() {
    for (;; ++at_) {
      at_ += std::strspn(at_, " ");
      if (*at_ == '#') at_ += std::strcspn(at_, "\n");
      if (*at_ != '\n') return;
      ++line_;
    }
  }

  const char* at_;
  int line_ = 1;
};

class Scene {
 public:
  static int scenes_loaded;

  void load(const char* description);

  const Vector& camera() const { return camera_; }
  /// What light comes along the ray, after at most so many mirrors.
  Vector colour(const Ray& ray, int mirrors) const;

 private:
  struct Meeting {
    double distance = kFar;
    Vector where, normal;
    const Material* material = nullptr;
  };

  static Material read_material(Reader& reader) {
    const Vector colour = reader.vector();
    return {colour, reader.number()};
  }
  void read_thing(Reader& reader);
  Meeting first_meeting(const Ray& ray) const;
  bool in_shadow(const Vector& where, const Vector& to_light, double distance) const;
  Vector lit(const Meeting& meeting) const;

  Vector camera_;
  Plane plane_;
  std::vector<Sphere> spheres_;
  static constexpr int kMostLights = 8;
  Light lights_[kMostLights];
  int light_count_ = 0;
};

int Scene::scenes_loaded = 0;

void Scene::load(const char* description) {
  const int old_scenes_loaded = scenes_loaded;

  Reader reader(description);
  while (!reader.at_end()) read_thing(reader);
  double power = 0;
  for (int i = 0; i < light_count_; ++i) power += lights_[i].power;
  for (int i = 0; i < light_count_; ++i) lights_[i].power /= power;

  scenes_loaded = old_scenes_loaded + 1;
}

void Scene::read_thing(Reader& reader) {
  const std::string what = reader.word();
  if (what == "camera") {
    camera_ = reader.vector();
  } else if (what == "plane") {
    plane_.height = reader.number();
    plane_.light = read_material(reader);
    plane_.dark = read_material(reader);
  } else if (what == "sphere") {
    Sphere sphere;
    sphere.centre = reader.vector();
    sphere.radius = reader.number();
    sphere.material = read_material(reader);
    spheres_.push_back(sphere);
  } else if (what == "light") {
    if (light_count_ == kMostLights) reader.fail("too many lights");
    Light& light = lights_[light_count_++];
    light.place = reader.vector();
    light.power = reader.number();
  } else {
    reader.fail("'" + what + "' is nothing that a scene has");
  }
}

// --- Rays ----------------------------------------------------------------------------------------

Scene::Meeting Scene::first_meeting(const Ray& ray) const {
  Meeting first;
  for (const Sphere& sphere : spheres_) {
    const double distance = sphere.distance(ray);
    if (distance >= first.distance) continue;
    const Vector where = ray.at(distance);
    first = {distance, where, (where - sphere.centre) * (1 / sphere.radius), &sphere.material};
  }
  const double distance = plane_.distance(ray);
  if (distance < first.distance) {
    const Vector where = ray.at(distance);
    first = {distance, where, {0, 1, 0}, &plane_.material(where)};
  }
  return first;
}

bool Scene::in_shadow(const Vector& where, const Vector& to_light, double distance) const {
  const Ray ray{where, to_light};
  for (const Sphere& sphere : spheres_) {
    if (sphere.distance(ray) < distance) return true;
  }
  return false;
}

Vector Scene::lit(const Meeting& meeting) const {
  Vector sum = meeting.material->colour * 0.1;
  for (int i = 0; i < light_count_; ++i) {
    const Light& light = lights_[i];
    const Vector away = light.place - meeting.where;
    const Vector to_light = unit(away);
    const double straight = dot(to_light, meeting.normal);
    if (straight <= 0 || in_shadow(meeting.where, to_light, std::sqrt(dot(away, away)))) continue;
    sum = sum + meeting.material->colour * (0.9 * light.power * straight);
  }
  return sum;
}

Vector Scene::colour(const Ray& ray, int mirrors) const {
  const Meeting meeting = first_meeting(ray);
  if (!meeting.material) {
    const double up = 0.5 * (ray.direction.y + 1);
    return Vector{1, 1, 1} * (1 - up) + Vector{0.4, 0.6, 1} * up;
  }
  const Vector own = lit(meeting);
  const double reflection = meeting.material->reflection;
  if (mirrors == 0 || reflection == 0) return own;
  const Ray onward{meeting.where, unit(mirrored(ray.direction, meeting.normal))};
  return own * (1 - reflection) + colour(onward, mirrors - 1) * reflection;
}

// --- The picture ---------------------------------------------------------------------------------

struct Picture {
  Picture(int width, int height)
      : width(width), height(height), bytes(static_cast<std::size_t>(3 * width * height)) {}

  void set(int column, int row, const Vector& colour) {
    std::uint8_t* pixel = bytes.data() + 3 * (row * width + column);
    pixel[0] = byte_of(colour.x);
    pixel[1] = byte_of(colour.y);
    pixel[2] = byte_of(colour.z);
  }
  static std::uint8_t byte_of(double part) {
    return static_cast<std::uint8_t>(std::lround(255 * std::sqrt(std::fmin(part, 1))));
  }

  int width, height;
  std::vector<std::uint8_t> bytes;
};

constexpr int kMirrors = 3;

void render_row(const Scene& scene, Picture& picture, int row) {
  const double size = 1.2 / picture.height;
  for (int column = 0; column < picture.width; ++column) {
    const Vector direction{(column - 0.5 * picture.width) * size,
                           (0.5 * picture.height - row) * size - 0.15, 1};
    picture.set(column, row, scene.colour({scene.camera(), unit(direction)}, kMirrors));
  }
}

/// What one thread does: rows of the picture that no other has taken.
void render(Picture& picture, std::atomic<int>& next_row) {
  Scene scene;
  scene.load(kDescription);
  for (int row = next_row++; row < picture.height; row = next_row++) {
    render_row(scene, picture, row);
  }
}

std::uint64_t checksum(const Picture& picture) {
  std::uint64_t sum = 0xcbf29ce484222325;  // FNV-1a
  for (const std::uint8_t byte : picture.bytes) sum = (sum ^ byte) * 0x100000001b3;
  return sum;
}

void write_picture(const Picture& picture, const char* name) {
  std::FILE* file = std::fopen(name, "wb");
  bool written =
      file && std::fprintf(file, "P6 %d %d 255\n", picture.width, picture.height) > 0 &&
      std::fwrite(picture.bytes.data(), 1, picture.bytes.size(), file) == picture.bytes.size();
  if (file) written = std::fclose(file) == 0 && written;
  if (!written) throw std::runtime_error(std::string("cannot write ") + name);
}

int number_of(const char* text, int most) {
  char* end = nullptr;
  const long value = std::strtol(text, &end, 10);
  if (end == text || *end != '\0' || value < 1 || value > most) {
    throw std::runtime_error(std::string("'") + text + "' is no number from 1 to " +
                             std::to_string(most));
  }
  return static_cast<int>(value);
}

void run(int argc, char** argv) {
  if (argc != 1 && argc != 4 && argc != 5) {
    throw std::runtime_error("usage: ray-tracer [WIDTH HEIGHT THREADS [PICTURE.ppm]]");
  }
  Picture picture(argc > 1 ? number_of(argv[1], 10000) : 320,
                  argc > 1 ? number_of(argv[2], 10000) : 240);
  const int threads = argc > 1 ? number_of(argv[3], 100) : 4;

  std::atomic<int> next_row = 0;
  std::vector<std::thread> renderers;
  for (int i = 0; i < threads; ++i) {
    renderers.emplace_back(render, std::ref(picture), std::ref(next_row));
  }
  for (std::thread& renderer : renderers) renderer.join();

  std::printf("%016llx\n", static_cast<unsigned long long>(checksum(picture)));
  std::fflush(stdout);  // what fails below would lose it
  if (argc > 4) write_picture(picture, argv[4]);
  assert(Scene::scenes_loaded == threads);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ray-tracer: %s\n", error.what());
    return 2;
  }
}
