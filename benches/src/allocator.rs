//! Heap in use, counted only while somebody asks: counters that run all the time would slow down
//! whoever allocates most, and so the contest.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering::Relaxed};

static COUNTING: AtomicBool = AtomicBool::new(false);
static CALLS: AtomicI64 = AtomicI64::new(0);
static BLOCKS: AtomicI64 = AtomicI64::new(0);
static BYTES: AtomicI64 = AtomicI64::new(0);

/// The system's allocator behind the counters. Programs that measure install it by
/// `#[global_allocator]`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counting;

/// What a piece of work did to the heap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Heap {
    /// Calls that allocated or grew.
    pub calls: i64,
    /// Blocks that it left alive.
    pub blocks: i64,
    /// Bytes that it left alive.
    pub bytes: i64,
}

/// Counts what `work` does. One thread at a time may ask, and no other may allocate meanwhile.
pub fn counted<T>(work: impl FnOnce() -> T) -> (Heap, T) {
    for counter in [&CALLS, &BLOCKS, &BYTES] {
        counter.store(0, Relaxed);
    }
    COUNTING.store(true, Relaxed);
    let result = work();
    COUNTING.store(false, Relaxed);
    let heap = Heap {
        calls: CALLS.load(Relaxed),
        blocks: BLOCKS.load(Relaxed),
        bytes: BYTES.load(Relaxed),
    };
    (heap, result)
}

fn count(calls: i64, blocks: i64, bytes: usize, freed: usize) {
    if COUNTING.load(Relaxed) {
        let size = |bytes| i64::try_from(bytes).unwrap_or(i64::MAX);
        CALLS.fetch_add(calls, Relaxed);
        BLOCKS.fetch_add(blocks, Relaxed);
        BYTES.fetch_add(size(bytes) - size(freed), Relaxed);
    }
}

#[expect(unsafe_code, reason = "an allocator cannot be written without")]
// SAFETY: every call is passed on to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(1, 1, layout.size(), 0);
        // SAFETY: the caller's promise about `layout` is what `System` asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(1, 1, layout.size(), 0);
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        count(0, -1, 0, layout.size());
        // SAFETY: `block` came from `System`, for nothing else allocates here.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(1, 0, size, layout.size());
        // SAFETY: as above.
        unsafe { System.realloc(block, layout, size) }
    }
}
