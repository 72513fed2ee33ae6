//! What windows are made of: parameters, what conditions see, pieces, outputs.
use super::NONE;
use crate::Monoid;

/// Why a window came out.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Reason {
    /// Its end condition held.
    End,
    /// It was as long as `max_window_time` allows.
    MaxTime,
    /// Nothing came for as long as `close_window_after_no_updates_for` says.
    Idle,
    /// A heartbeat came.
    Heartbeat,
    /// The stream ended.
    EndOfStream,
}
impl Eq for Reason {}

/// The parameters of a window, constants of the emitted machine.
#[derive(Clone, Copy)]
#[allow(clippy::struct_excessive_bools, reason = "the operator has so many switches")]
pub struct Settings {
    /// All members begin when the first one does.
    pub same_start: bool,
    /// The element that closes a window is in it.
    pub keep_end: bool,
    /// An element does not close one window and open another.
    pub one_role: bool,
    /// Outputs leave in the order of their starts.
    pub keep_order: bool,
    /// A heartbeat closes all windows.
    pub heartbeat: bool,
    /// A window that was open too long comes out.
    pub output_max: bool,
    /// The end of the stream closes all windows.
    pub flush: bool,
    /// The longest a window is open.
    pub max: Option<u64>,
    /// The longest a window is quiet.
    pub idle: Option<u64>,
    /// Where windows that were open too long come out.
    pub max_port: u8,
    /// Where windows that were quiet too long come out.
    pub idle_port: u8,
    /// There is an `advance_when`, and this is its size.
    pub advance: Option<i64>,
    /// There is a `clear`, so an output leaves the window as it is.
    pub clear: bool,
    /// One output for each window, with its members.
    pub nested: bool,
    /// One output for each window, with its fold.
    pub folds: bool,
    /// The elements are kept.
    pub stores: bool,
    /// Conditions read the element before.
    pub remembers: bool,
    /// Conditions read elements that are gone: the element before, the first or the newest one of the window.
    pub reads: bool,
    /// What there is no room for pushes out the oldest.
    pub evict: bool,
    /// How many elements and waiting outputs there may be.
    pub most: u64,
}

impl Settings {
    /// A window may lose its first element and stay open: then the order of openings is not that of first elements.
    #[inline(always)]
    pub(super) const fn shortens(&self) -> bool {
        self.advance.is_some() || self.evict && self.stores
    }
}

/// The conditions.
#[derive(Clone, Copy, PartialEq)]
pub enum Condition {
    /// `start`
    Start,
    /// `end`; without one, what does not start.
    End,
    /// `clear`
    Clear,
    /// `advance_when`
    Advance,
}
impl Eq for Condition {}

/// What a condition sees besides the element: the open window of its key, and the element before.
pub struct Open<'a, E> {
    /// The first element of the open window.
    pub first: Option<&'a E>,
    /// The newest one.
    pub last: Option<&'a E>,
    /// The element before, in a window or not.
    pub prev: Option<&'a E>,
    /// How many elements the open window has; absent if there is none.
    pub len: Option<u64>,
}
copies!(['a, E] Open<'a, E>);

/// What the window of a key consists of, apart from what conditions see of it: what every element touches, in this order, so that
/// of many keys as few lines of cache as can be are read.
#[repr(C)]
pub struct OpenWindow<M, T> {
    /// When its first and its newest element came.
    pub(super) times: Option<(T, T)>,
    /// 0: there is none.
    pub(super) len: u64,
    /// The fold of the newest instant, and of what is older.
    pub(super) newest: M,
    pub(super) before: M,
    /// The first and the last of its elements, where they are kept.
    pub(super) head: u32,
    pub(super) tail: u32,
    /// Counts openings: of windows of one time the older one comes first.
    pub(super) opened: u64,
}
copies!([M: Copy, T: Copy] OpenWindow<M, T>);

impl<M: Monoid, T> OpenWindow<M, T> {
    pub(super) const NONE: Self = OpenWindow {
        times: None,
        len: 0,
        newest: M::IDENTITY,
        before: M::IDENTITY,
        head: NONE,
        tail: NONE,
        opened: 0,
    };
}

impl<M, T: Copy> OpenWindow<M, T> {
    /// When its first element came, or `else_at` where none did.
    pub(super) fn began(&self, else_at: T) -> T {
        match self.times {
            Some((first, _)) => first,
            None => else_at,
        }
    }
}

/// The elements of a key that conditions read, apart from the windows: where no condition does, nothing of them is touched.
pub(super) struct Seen<E> {
    /// The first and the newest element of the open window; of no window, what was there last.
    pub(super) first: Option<E>,
    pub(super) last: Option<E>,
    /// The element before.
    pub(super) prev: Option<E>,
}
copies!([E: Copy] Seen<E>);

impl<E> Seen<E> {
    pub(super) const NONE: Self = Seen { first: None, last: None, prev: None };
}

/// What an output is.
pub enum What<E, K, M> {
    /// An element.
    Element(E),
    /// A window and its key; its members are linked.
    Window(K, u64),
    /// The fold of a window and its key.
    Fold(K, M),
}
copies!([E: Copy, K: Copy, M: Copy] What<E, K, M>);

/// An element in a window, or an output.
pub struct Piece<E, K, M, T> {
    pub(super) what: What<E, K, M>,
    /// When the element came.
    pub(super) own: T,
    pub(super) start: T,
    pub(super) end: Option<T>,
    pub(super) port: u8,
    pub(super) reason: Option<Reason>,
    pub(super) members: u32,
    /// How much of the capacity it takes while it waits.
    pub(super) weight: u64,
}
copies!([E: Copy, K: Copy, M: Copy, T: Copy] Piece<E, K, M, T>);

/// An output.
pub struct Given<E, K, M, T> {
    /// What it is.
    pub what: What<E, K, M>,
    /// When it begins.
    pub start: T,
    /// When it ends; what is in no window has no end.
    pub end: Option<T>,
    /// Where it comes out.
    pub port: u8,
    /// Why; what is in no window has no reason.
    pub reason: Option<Reason>,
    pub(super) members: u32,
}
copies!([E: Copy, K: Copy, M: Copy, T: Copy] Given<E, K, M, T>);
