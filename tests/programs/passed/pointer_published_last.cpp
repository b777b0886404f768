// The pointer to a message is published when the message is written; the receiver waits for it.
//
// expect: passed
// within: random, 50 runs
// flags: -fsanitize=thread
#include <atomic>
#include <cassert>
#include <cstdio>
#include <thread>

struct Message {
  int length;
};

static Message message;
static std::atomic<Message*> mailbox;

static void send() {
  message.length = 5;
  mailbox.store(&message, std::memory_order_release);
}

static void receive() {
  Message* received;
  while (!(received = mailbox.load(std::memory_order_acquire))) continue;
  assert(received->length == 5);
}

int main() {
  std::thread sender(send), receiver(receive);
  sender.join();
  receiver.join();
  puts("ok");
}
