#include "investigate/lease.hpp"

#include <fstream>

#include "investigated.hpp"

namespace unravel {
namespace {

namespace fs = std::filesystem;

class LeaseTest : public Investigated {
 protected:
  RunnerRequest request(const std::string& name) {
    RunnerRequest request;
    request.program = program(name);
    request.settings = default_settings();
    request.store = store_.path();
    return request;
  }
};

TEST_F(LeaseTest, IsEndedByAnInterruptionAsLongAsItLasts) {
  store_.open();
  {
    const auto lease = lease_runner(request("account"), observer_);
    ASSERT_TRUE(lease) << lease.error().what;
    EXPECT_TRUE((*lease)->get().run({}));
    EXPECT_TRUE(observer_.has_something_to_end());
    observer_.interrupt();
    EXPECT_FALSE((*lease)->get().run({})) << "it was interrupted";
  }
  EXPECT_FALSE(observer_.has_something_to_end());
}

TEST_F(LeaseTest, OfAPoolIsEndedLikewise) {
  store_.open();
  {
    const auto lease = lease_pool(request("account"), 1, observer_);
    ASSERT_TRUE(lease) << lease.error().what;
    EXPECT_TRUE((*lease)->get().submit(RunRequest()).get());
    observer_.interrupt();
    EXPECT_FALSE((*lease)->get().submit(RunRequest()).get());
  }
  EXPECT_FALSE(observer_.has_something_to_end());
}

TEST_F(LeaseTest, LeavesNoFilesBehind) {
  store_.open();
  ASSERT_TRUE(lease_runner(request("account"), observer_));

  EXPECT_TRUE(fs::is_empty(fs::path(store_.path()) / "tmp"));
}

TEST_F(LeaseTest, NeedsAStore) {
  std::ofstream(store_.path()) << "a file where the store should be";

  EXPECT_FALSE(lease_runner(request("account"), observer_));
  EXPECT_FALSE(lease_pool(request("account"), 1, observer_));
}

}  // namespace
}  // namespace unravel
