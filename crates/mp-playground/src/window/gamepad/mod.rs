//! A gamepad in the person's hands.
//!
//! On Linux it is read from the kernel's event devices, which takes no library to build with. Elsewhere
//! there is none yet, and the window's first line says so.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod none;

#[cfg(target_os = "linux")]
pub(super) use linux::Gamepad;
#[cfg(not(target_os = "linux"))]
pub(super) use none::Gamepad;
