//! Keeps the library mapped once it is loaded, on Windows; on Linux the linker does (build.rs), and macOS
//! never unmaps a library with thread-local state.

/// Pins the library.
#[cfg(windows)]
pub(super) fn pin() -> std::io::Result<()> {
    use std::ffi::c_void;

    const FLAG_PIN: u32 = 1;
    const FLAG_FROM_ADDRESS: u32 = 4;

    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn GetModuleHandleExW(flags: u32, address: *const c_void, module: *mut *mut c_void) -> i32;
    }

    let here = pin as fn() -> std::io::Result<()> as *const c_void;
    let mut module = std::ptr::null_mut();
    // SAFETY: the address is one of this library's, and the handle has a place to be written to.
    let pinned = unsafe { GetModuleHandleExW(FLAG_PIN | FLAG_FROM_ADDRESS, here, &raw mut module) };
    if pinned == 0 { Err(std::io::Error::last_os_error()) } else { Ok(()) }
}

/// Pins the library.
#[cfg(not(windows))]
#[expect(clippy::unnecessary_wraps, reason = "it can fail on Windows")]
pub(super) fn pin() -> std::io::Result<()> {
    Ok(())
}
