//! Strings as they cross.

use core::ffi::c_char;

interface_struct! {
    /// A string as it crosses: UTF-8 with a length. An argument is valid for that call only; a
    /// string that is returned, or placed in an out-struct, until its giver is next called.
    OpenracStr {
        /// UTF-8 without an end mark; may be null when `len` is 0.
        ptr: *const c_char;
        /// Bytes.
        len: usize;
    }
}

impl OpenracStr {
    /// This text, as long as it lives and stays unchanged: the pointer carries no lifetime.
    #[must_use]
    pub const fn new(text: &str) -> Self {
        Self { ptr: text.as_ptr().cast(), len: text.len() }
    }

    /// Copies the text. What is not UTF-8 becomes U+FFFD; a null pointer is the empty string.
    ///
    /// # Safety
    ///
    /// `ptr` is null or valid for reads of `len` bytes: the giver's string, not called since.
    #[must_use]
    pub unsafe fn to_string_lossy(self) -> String {
        if self.ptr.is_null() {
            return String::new();
        }
        // SAFETY: not null, and the caller promises that many bytes.
        let bytes = unsafe { core::slice::from_raw_parts(self.ptr.cast::<u8>(), self.len) };
        String::from_utf8_lossy(bytes).into_owned()
    }
}
