//! The systems that a package can hold a library for, by the names that the manifest uses.

use std::env::consts;
use std::str::FromStr;

use object::{Architecture, BinaryFormat};

/// A system and a processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Platform {
    /// Linux with glibc, x86-64.
    LinuxX86_64,
    /// Windows 10 or newer, x86-64.
    WindowsX86_64,
    /// macOS on Apple's own processors.
    MacosAarch64,
}

/// There is no such platform.
#[derive(Debug, thiserror::Error)]
#[error("no platform {0:?}: there are linux-x86_64, windows-x86_64 and macos-aarch64")]
pub struct NoPlatform(String);

impl Platform {
    const ALL: [Self; 3] = [Self::LinuxX86_64, Self::WindowsX86_64, Self::MacosAarch64];

    /// The one that this program was built for.
    ///
    /// # Errors
    /// No package is made for it.
    pub fn this() -> Result<Self, NoPlatform> {
        format!("{}-{}", consts::OS, consts::ARCH).parse()
    }

    /// Its name in the manifest and in the package: `<system>-<processor>`, in Rust's words.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::LinuxX86_64 => "linux-x86_64",
            Self::WindowsX86_64 => "windows-x86_64",
            Self::MacosAarch64 => "macos-aarch64",
        }
    }

    /// The name of the mod's library there.
    #[must_use]
    pub const fn library_name(self) -> &'static str {
        match self {
            Self::LinuxX86_64 => "libopenrac_multiplayer.so",
            Self::WindowsX86_64 => "openrac_multiplayer.dll",
            Self::MacosAarch64 => "libopenrac_multiplayer.dylib",
        }
    }

    /// What rustc calls it.
    pub(crate) const fn triple(self) -> &'static str {
        match self {
            Self::LinuxX86_64 => "x86_64-unknown-linux-gnu",
            // As it is built here; what of others is in it does not hang on the C compiler.
            Self::WindowsX86_64 => "x86_64-pc-windows-gnu",
            Self::MacosAarch64 => "aarch64-apple-darwin",
        }
    }

    /// What a library for it is.
    pub(crate) const fn format(self) -> (BinaryFormat, Architecture) {
        match self {
            Self::LinuxX86_64 => (BinaryFormat::Elf, Architecture::X86_64),
            Self::WindowsX86_64 => (BinaryFormat::Pe, Architecture::X86_64),
            Self::MacosAarch64 => (BinaryFormat::MachO, Architecture::Aarch64),
        }
    }

    /// Whether that library is there wherever the system is: its C library and what comes with that.
    pub(crate) fn has(self, library: &str) -> bool {
        let always: &[&str] = match self {
            Self::LinuxX86_64 => {
                &["libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2", "libgcc_s.so.1"]
            }
            Self::WindowsX86_64 => &[
                "kernel32.dll",
                "ntdll.dll",
                "ws2_32.dll",
                "userenv.dll",
                "bcryptprimitives.dll",
                "iphlpapi.dll",
                "advapi32.dll",
                "msvcrt.dll",
            ],
            Self::MacosAarch64 => &["/usr/lib/libSystem.B.dylib"],
        };
        // Windows does not tell its libraries' names apart by case, and calls parts of its own API so.
        let windows = self == Self::WindowsX86_64;
        let name = if windows { library.to_ascii_lowercase() } else { library.to_owned() };
        always.contains(&name.as_str()) || (windows && name.starts_with("api-ms-win-"))
    }
}

impl FromStr for Platform {
    type Err = NoPlatform;

    fn from_str(name: &str) -> Result<Self, NoPlatform> {
        let found = Self::ALL.into_iter().find(|platform| platform.name() == name);
        found.ok_or_else(|| NoPlatform(name.to_owned()))
    }
}
