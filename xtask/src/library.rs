//! What a built library must be before it is shipped, read from its bytes: the linker's tools say it in
//! another way on every system.

use object::{File, Object, ObjectSymbol as _, read::NameOrOrdinal};

use crate::platform::Platform;

/// The one symbol that the game looks up (interface.md).
pub const ENTRY: &str = "openrac_mod_entry";
/// The most bytes of a library that is shipped.
pub const MAX_SIZE: usize = 3 << 20;

/// What a library says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Bytes of the file.
    pub size: usize,
    /// What it exports, by name and in order.
    pub exports: Vec<String>,
    /// The libraries that the system loads with it.
    pub needs: Vec<String>,
    /// It names its own functions and lines, for a debugger.
    pub has_symbols: bool,
}

/// Why a library is not shipped.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum Unfit {
    /// The file is something else.
    #[error("it is no library: {0}")]
    NotALibrary(String),
    /// It is one for another system or processor.
    #[error("it is no library for {}", .0.name())]
    OtherPlatform(Platform),
    /// See [`MAX_SIZE`].
    #[error("it has {0} bytes, and {MAX_SIZE} are the most")]
    TooLarge(usize),
    /// Anything but the entry would be an interface that nobody agreed on.
    #[error("it exports {0:?}, not {ENTRY} alone")]
    Exports(Vec<String>),
    /// A player may not have that library.
    #[error("it needs {0}, which not every player has")]
    Needs(String),
    /// They are half of the file and are of use only beside the source.
    #[error("it is not stripped")]
    NotStripped,
}

impl Facts {
    /// Reads a library for that platform.
    ///
    /// # Errors
    /// It is none.
    pub fn of(bytes: &[u8], platform: Platform) -> Result<Self, Unfit> {
        let no_library = |error: object::Error| Unfit::NotALibrary(error.to_string());
        let file = File::parse(bytes).map_err(no_library)?;
        if (file.format(), file.architecture()) != platform.format() {
            return Err(Unfit::OtherPlatform(platform));
        }
        let mut exports = Vec::new();
        for export in file.exports().map_err(no_library)? {
            exports.push(match export.map_err(no_library)?.name() {
                // Mach-O puts an underscore before a name of C.
                NameOrOrdinal::Name(name) => text(name).trim_start_matches('_').to_owned(),
                NameOrOrdinal::Ordinal(number) => format!("#{number}"),
            });
        }
        exports.sort();
        let mut needs = Vec::new();
        for library in file.import_libraries().map_err(no_library)? {
            needs.push(text(library.map_err(no_library)?.name()));
        }
        needs.sort();
        needs.dedup();
        // Mach-O keeps what is linked to by name in the same table.
        let own = |symbol: &object::Symbol<'_, '_>| symbol.is_definition() && !symbol.is_global();
        let has_symbols = file.has_debug_symbols() || file.symbols().any(|symbol| own(&symbol));
        Ok(Self { size: bytes.len(), exports, needs, has_symbols })
    }

    /// Whether it can be shipped for that platform.
    ///
    /// # Errors
    /// Why not.
    pub fn check(&self, platform: Platform) -> Result<(), Unfit> {
        if self.exports != [ENTRY] {
            return Err(Unfit::Exports(self.exports.clone()));
        }
        if let Some(library) = self.needs.iter().find(|&library| !platform.has(library)) {
            return Err(Unfit::Needs(library.clone()));
        }
        if self.has_symbols {
            return Err(Unfit::NotStripped);
        }
        if self.size > MAX_SIZE {
            return Err(Unfit::TooLarge(self.size));
        }
        Ok(())
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINUX: Platform = Platform::LinuxX86_64;

    fn fit() -> Facts {
        let needs = ["libc.so.6".to_owned()].into();
        Facts { size: MAX_SIZE, exports: [ENTRY.to_owned()].into(), needs, has_symbols: false }
    }

    #[test]
    fn a_library_is_shipped_only_if_players_can_load_it() {
        assert_eq!(fit().check(LINUX), Ok(()));
        let large = Facts { size: MAX_SIZE + 1, ..fit() };
        assert_eq!(large.check(LINUX), Err(Unfit::TooLarge(MAX_SIZE + 1)));
        let two = vec![ENTRY.to_owned(), "other".to_owned()];
        let more = Facts { exports: two.clone(), ..fit() };
        assert_eq!(more.check(LINUX), Err(Unfit::Exports(two)));
        let ssl = Facts { needs: ["libssl.so.3".to_owned()].into(), ..fit() };
        assert_eq!(ssl.check(LINUX), Err(Unfit::Needs("libssl.so.3".to_owned())));
        let named = Facts { has_symbols: true, ..fit() };
        assert_eq!(named.check(LINUX), Err(Unfit::NotStripped));
    }

    #[test]
    fn windows_own_libraries_are_known_in_any_case() {
        let windows = Platform::WindowsX86_64;
        assert!(windows.has("KERNEL32.dll") && windows.has("api-ms-win-core-synch-l1-2-0.dll"));
        assert!(!windows.has("libgcc_s_seh-1.dll") && !LINUX.has("LIBC.SO.6"));
    }

    #[test]
    fn what_is_no_library_is_refused() {
        let refused = Facts::of(b"#!/bin/sh\n", LINUX);
        assert!(matches!(refused, Err(Unfit::NotALibrary(_))), "{refused:?}");
    }
}
