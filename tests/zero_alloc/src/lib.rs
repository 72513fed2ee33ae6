//! An allocator that counts, by thread: the test runner allocates on threads of its own.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

fn count() {
    COUNT.with(|n| n.set(n.get() + 1));
}

#[expect(
    unsafe_code,
    reason = "`GlobalAlloc` is an unsafe trait; every call goes to the system's allocator as it is"
)]
// SAFETY: forwards to `System`, which upholds the contract; counting touches a `Cell` without a destructor.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        unsafe { System.alloc(layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count();
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        unsafe { System.realloc(old, layout, size) }
    }
    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        unsafe { System.dealloc(old, layout) }
    }
}

/// The next of a reproducible series of numbers (xorshift), made without memory.
pub fn next(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What `work` gives, and how many allocations this thread made for it (reallocations included).
pub fn allocations<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let before = COUNT.with(Cell::get);
    let done = work();
    (done, COUNT.with(Cell::get) - before)
}
