#include "runtime/core/object_table.hpp"

#include "runtime/core/check.hpp"

namespace unravel {

using wire::Operation;

void* Arena::take(std::size_t size) {
  size = (size + 15) & ~std::size_t{15};
  UNRAVEL_CHECK(static_cast<std::size_t>(end_ - next_) >= size, "the runtime's memory is used up");
  void* taken = next_;
  next_ += size;
  return taken;  // fresh pages are zero, and nothing is given back
}

void ThreadList::push(Thread& thread, Object& owner) {
  UNRAVEL_CHECK(!thread.list.object, "a thread is in two lists");
  thread.list = {.object = &owner, .previous = last, .next = nullptr};
  (last ? last->list.next : first) = &thread;
  last = &thread;
  ++size;
}

void ThreadList::remove(Thread& thread) {
  const ListPlace place = thread.list;
  (place.previous ? place.previous->list.next : first) = place.next;
  (place.next ? place.next->list.previous : last) = place.previous;
  thread.list = {};
  --size;
}

namespace {

std::size_t hash_of(const void* address) {
  return static_cast<std::size_t>(
      (reinterpret_cast<std::uintptr_t>(address) * 0x9e3779b97f4a7c15) >> 20);
}

}  // namespace

Object** ObjectTable::place_of(const void* address) const {
  std::size_t i = hash_of(address) & (capacity_ - 1);
  while (table_[i] && table_[i]->address != address) i = (i + 1) & (capacity_ - 1);
  return &table_[i];
}

Object* ObjectTable::find(const void* address) { return capacity_ ? *place_of(address) : nullptr; }

Object& ObjectTable::at(const void* address) {
  if (size_ * 2 >= capacity_) grow();
  Object** place = place_of(address);
  if (*place) return **place;
  Object* object = free_objects_;
  if (object) {
    free_objects_ = object->chain;
  } else {
    object = arena_.take_array<Object>(1);
  }
  *object = Object{};
  object->address = address;
  *place = object;
  ++size_;
  return *object;
}

// Drops objects that no thread uses: a program that makes millions of mutexes one after the other
// needs only room for those in use at one time.
void ObjectTable::grow() {
  constexpr std::size_t kFirstCapacity = 1024;

  Object* live = nullptr;
  std::size_t live_count = 0;
  for (std::size_t i = 0; i < capacity_; ++i) {
    Object* object = table_[i];
    table_[i] = nullptr;
    if (!object) continue;
    Object*& chain = object->idle() ? free_objects_ : live;
    live_count += !object->idle();
    object->chain = chain;
    chain = object;
  }

  if (live_count * 4 >= capacity_) {
    capacity_ = capacity_ ? capacity_ * 2 : kFirstCapacity;
    table_ = arena_.take_array<Object*>(capacity_);
  }
  size_ = live_count;
  while (live) {
    Object* object = live;
    live = object->chain;
    *place_of(object->address) = object;
  }
}

void ObjectTable::hold(Object& object, Thread& thread, wire::Operation operation,
                       const void* site) {
  // No other thread can hold it any more: its memory was overwritten while it was held.
  const auto shares = [](Operation kind) {
    return wire::has_effect(kind, wire::Effect::kAcquireShared);
  };
  for (Holder** link = &object.holders; *link;) {
    if ((*link)->thread == &thread) {
      ++(*link)->depth;
      return;
    }
    if (shares(operation) && shares((*link)->operation)) {
      link = &(*link)->next;
    } else {
      drop_holder(link);
    }
  }
  Holder* holder = free_holders_;
  if (holder) {
    free_holders_ = holder->next;
  } else {
    holder = arena_.take_array<Holder>(1);
  }
  *holder = Holder{&thread, site, object.holders, 1, thread.ordinal, operation};
  object.holders = holder;
}

void ObjectTable::drop_holder(Holder** link) {
  Holder* holder = *link;
  *link = holder->next;
  holder->next = free_holders_;
  free_holders_ = holder;
}

void ObjectTable::release(Object& object, const Thread& thread) {
  for (Holder** link = &object.holders; *link; link = &(*link)->next) {
    if ((*link)->thread != &thread) continue;
    if (--(*link)->depth == 0) drop_holder(link);
    return;
  }
  // glibc lets any thread release what another one has taken.
  if (object.holders) drop_holder(&object.holders);
}

void ObjectTable::forget_holders(const void* address) {
  Object* object = find(address);
  if (!object) return;
  while (object->holders) drop_holder(&object->holders);
  object->arrived = 0;
}

}  // namespace unravel
