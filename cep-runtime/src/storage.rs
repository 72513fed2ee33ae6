//! Where a machine's rings live: the storage families.
//!
//! Kernels are generic over a [`Storage`]; the emitted struct names one, as the pattern's `storage` clause says. A family is chosen
//! per machine and not per value, so that no machine pays for the choice.
use core::ops::{Deref, DerefMut};

/// A way to hold `N` slots.
pub trait Storage {
    /// `N` slots of `T`.
    type Ring<T: 'static, const N: usize>: DerefMut<Target = [T; N]>;
}

/// Slots inside the machine: `const`-constructible, no allocation. The default.
#[derive(Clone, Copy)]
pub enum Inline {}

/// Slots in memory that the user gives, for instance a `static` of its own.
#[derive(Clone, Copy)]
pub struct Borrowed<'s>(core::marker::PhantomData<&'s mut ()>);

/// Slots on the heap, allocated once per ring when the machine is made.
#[cfg(feature = "alloc")]
#[derive(Clone, Copy)]
pub enum Boxed {}

/// An array that derefs to itself, so that it can stand where a box stands.
pub struct Slots<T, const N: usize>(pub(crate) [T; N]);
copies!([T: Copy, const N: usize] Slots<T, N>);

impl<T, const N: usize> Deref for Slots<T, N> {
    type Target = [T; N];
    #[inline(always)]
    fn deref(&self) -> &[T; N] {
        &self.0
    }
}
impl<T, const N: usize> DerefMut for Slots<T, N> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T; N] {
        &mut self.0
    }
}

impl Storage for Inline {
    type Ring<T: 'static, const N: usize> = Slots<T, N>;
}
impl<'s> Storage for Borrowed<'s> {
    type Ring<T: 'static, const N: usize> = &'s mut [T; N];
}
#[cfg(feature = "alloc")]
impl Storage for Boxed {
    type Ring<T: 'static, const N: usize> = alloc::boxed::Box<[T; N]>;
}

/// `N` copies of `fill` on the heap. `vec!` fills the allocation in place: an array made on the stack first would overflow it,
/// and `Box::new([fill; N])` does make one, in release builds too.
#[cfg(feature = "alloc")]
pub(crate) fn boxed<T: Copy, const N: usize>(fill: T) -> alloc::boxed::Box<[T; N]> {
    match alloc::vec![fill; N].into_boxed_slice().try_into() {
        Ok(slots) => slots,
        Err(_) => unreachable!("the vector was made with N elements"),
    }
}

/// A copy of `slots` that never stands on the stack.
#[cfg(feature = "alloc")]
pub(crate) fn boxed_copy<T: Copy, const N: usize>(slots: &[T; N]) -> alloc::boxed::Box<[T; N]> {
    match slots.to_vec().into_boxed_slice().try_into() {
        Ok(slots) => slots,
        Err(_) => unreachable!("the vector was copied from N elements"),
    }
}
