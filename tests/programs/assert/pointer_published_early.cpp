// The pointer to a message is published before the message is written.
//
// expect: assert
// within: random, 200 runs
// bug: send, receive, main
// flags: -fsanitize=thread
#include <atomic>
#include <cassert>
#include <cstdio>
#include <thread>

struct Message {
  int sender, length;
};

static Message message;
static std::atomic<Message*> mailbox;

static void send() {
  mailbox.store(&message);
  message.sender = 1;
  message.length = 5;
}

static void receive() {
  Message* received;
  while (!(received = mailbox.load())) continue;
  assert(received->length == 5);
}

int main() {
  std::thread sender(send);
  receive();
  sender.join();
  puts("ok");
}
