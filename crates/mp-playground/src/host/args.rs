//! The arguments of a call as its body sees them: checked for null, strings copied. A pointer is taken
//! over with one unsafe promise, at the call; what is done with it after is safe.

use std::ffi::c_void;
use std::mem::size_of;

use sdk_bindings::{
    OpenracCameras, OpenracCardSave, OpenracHit, OpenracHooks, OpenracMoby, OpenracMobyPose,
    OpenracPageDef, OpenracPiece, OpenracPose, OpenracProgress, OpenracPromptDone, OpenracScene,
    OpenracShot, OpenracStr, OpenracVec3,
};

use super::faults::FaultKind;

/// An argument as the table passes it.
pub(super) trait Arg {
    /// What the body gets.
    type Taken;

    /// # Safety
    ///
    /// The value is the argument of a call that is still running, as the header describes it: a pointer
    /// that is not null points to what it says it does, for as long as the call runs.
    unsafe fn take(self) -> Self::Taken;
}

macro_rules! as_it_is {
    ($($type:ty),*) => {
        $(impl Arg for $type {
            type Taken = Self;
            unsafe fn take(self) -> Self {
                self
            }
        })*
    };
}
as_it_is!(u8, u32, i16, i32, f32, usize, OpenracVec3, OpenracPromptDone, *mut c_void);

/// A string that was given.
pub(super) struct Text(Result<String, FaultKind>);

impl Text {
    pub(super) fn get(self) -> Result<String, FaultKind> {
        self.0
    }
}

impl Arg for OpenracStr {
    type Taken = Text;

    unsafe fn take(self) -> Text {
        if self.ptr.is_null() {
            return Text(if self.len == 0 { Ok(String::new()) } else { Err(FaultKind::Null) });
        }
        // SAFETY: not null, and the caller promises that the string is as the header says.
        let bytes = unsafe { std::slice::from_raw_parts(self.ptr.cast::<u8>(), self.len) };
        Text(std::str::from_utf8(bytes).map(str::to_owned).map_err(|_| FaultKind::NotUtf8))
    }
}

/// Where the mod keeps one value for the game to read.
pub(super) struct In<T>(*const T);

/// Where the mod wants one value written.
pub(super) struct Out<T>(*mut T);

macro_rules! by_pointer {
    ($($type:ty),*) => {
        $(impl Arg for *const $type {
            type Taken = In<$type>;
            unsafe fn take(self) -> In<$type> {
                In(self)
            }
        }
        impl Arg for *mut $type {
            type Taken = Out<$type>;
            unsafe fn take(self) -> Out<$type> {
                Out(self)
            }
        })*
    };
}
by_pointer!(
    u8,
    OpenracCameras,
    OpenracCardSave,
    OpenracHit,
    OpenracHooks,
    OpenracMoby,
    OpenracMobyPose,
    OpenracPageDef,
    OpenracPiece,
    OpenracPose,
    OpenracProgress,
    OpenracScene,
    OpenracShot,
    OpenracVec3
);

impl<T> In<T> {
    pub(super) const fn is_null(&self) -> bool {
        self.0.is_null()
    }
}

impl<T: Copy> In<T> {
    /// The value.
    pub(super) fn get(&self) -> Result<T, FaultKind> {
        if self.0.is_null() {
            return Err(FaultKind::Null);
        }
        // SAFETY: not null, so `take`'s caller promised a value there.
        Ok(unsafe { self.0.read() })
    }

    /// The values, `most` at most.
    ///
    /// # Safety
    ///
    /// `count` is the count that came with the pointer.
    pub(super) unsafe fn many(&self, count: u32, most: usize) -> Result<Vec<T>, FaultKind> {
        let length = usize::try_from(count).ok().filter(|&length| length <= most);
        let length = length.ok_or(FaultKind::TooMany(count))?;
        if length == 0 {
            return Ok(Vec::new());
        }
        if self.0.is_null() {
            return Err(FaultKind::Null);
        }
        // SAFETY: not null, and the caller promises that `count` values are there.
        Ok(unsafe { std::slice::from_raw_parts(self.0, length) }.to_vec())
    }
}

/// A table of the mod's that begins with its size.
///
/// # Safety
///
/// From [`Table::HEAD`] on it holds calls and nothing else, and all zeros is one without any.
pub(super) unsafe trait Table: Copy {
    /// Where its first call is.
    const HEAD: usize;
    /// One without any.
    const EMPTY: Self;
}

// SAFETY: calls follow `title`, and null stands for none of each.
unsafe impl Table for OpenracPageDef {
    const HEAD: usize = std::mem::offset_of!(Self, title);
    const EMPTY: Self = Self::ZERO;
}

// SAFETY: calls follow `on_travel`, and null stands for none of each.
unsafe impl Table for OpenracHooks {
    const HEAD: usize = std::mem::offset_of!(Self, on_travel);
    const EMPTY: Self = Self::ZERO;
}

impl<T: Table> In<T> {
    /// The table as far as it goes; what lies past its size is not there.
    pub(super) fn sized(&self) -> Result<T, FaultKind> {
        if self.0.is_null() {
            return Err(FaultKind::Null);
        }
        // SAFETY: every table begins with its size in bytes.
        let size = unsafe { self.0.cast::<u32>().read() };
        let given = usize::try_from(size).ok().filter(|&given| given >= T::HEAD);
        let given = given.ok_or(FaultKind::ShortTable(size))?;
        let mut table = T::EMPTY;
        let from = self.0.cast::<u8>();
        // A call that is cut off by the size is absent, so only whole ones are copied.
        let whole = T::HEAD + (given.min(size_of::<T>()) - T::HEAD) / CALL * CALL;
        // SAFETY: the mod says that its table has that many bytes, and `table` is as long or longer; a
        // pointer that is copied whole is a value of its field.
        unsafe { std::ptr::copy_nonoverlapping(from, (&raw mut table).cast::<u8>(), whole) };
        Ok(table)
    }
}

/// How wide a call of a table is.
const CALL: usize = size_of::<usize>();

impl<T> Out<T> {
    /// Writes the value there.
    pub(super) fn set(&self, value: T) -> Result<(), FaultKind> {
        if self.0.is_null() {
            return Err(FaultKind::Null);
        }
        // SAFETY: not null, so `take`'s caller promised room for a value there.
        unsafe { self.0.write(value) };
        Ok(())
    }
}

impl Out<u8> {
    /// Copies the bytes there, if they fit; a buffer without room may be null.
    ///
    /// # Safety
    ///
    /// `capacity` is the capacity that came with the pointer.
    pub(super) unsafe fn fill(&self, capacity: usize, bytes: &[u8]) -> Result<(), FaultKind> {
        if capacity < bytes.len() {
            return Ok(());
        }
        if self.0.is_null() {
            return Err(FaultKind::Null);
        }
        // SAFETY: not null, the caller promises room for `capacity` bytes, and the mod's buffer is
        // none of the game's own.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.0, bytes.len()) };
        Ok(())
    }
}

impl<T> Out<T> {
    /// Writes values there one after the other, as many as there is room for, and answers how many
    /// there are. A buffer without room may be null.
    ///
    /// # Safety
    ///
    /// `capacity` is the capacity that came with the pointer.
    pub(super) unsafe fn list(
        &self,
        capacity: u32,
        values: impl Iterator<Item = T>,
    ) -> Result<u32, FaultKind> {
        if capacity > 0 && self.0.is_null() {
            return Err(FaultKind::Null);
        }
        let mut count = 0;
        for value in values {
            if count < capacity {
                // SAFETY: the caller promises room for `capacity` values, so this is inside it.
                let place = unsafe { self.0.add(count as usize) };
                // SAFETY: not null, and inside the mod's buffer.
                unsafe { place.write(value) };
            }
            count += 1;
        }
        Ok(count)
    }
}
