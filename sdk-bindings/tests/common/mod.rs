//! The C and C++ compilers of this machine, found as the cc crate finds them.
//!
//! Each test program uses its own part of this.
#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the header lies.
pub fn include_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("include")
}

/// The target these tests were built for, as the cc crate wants it named.
fn target() -> String {
    let rest = match std::env::consts::OS {
        "linux" => "unknown-linux-gnu",
        "macos" => "apple-darwin",
        "windows" if cfg!(target_env = "gnu") => "pc-windows-gnu",
        "windows" => "pc-windows-msvc",
        other => panic!("no compiler is known for {other}"),
    };
    format!("{}-{rest}", std::env::consts::ARCH)
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Language {
    C,
    Cpp,
}

/// A compiler, ready to be told what to compile. `None`: the machine has none.
fn compiler(language: Language) -> Option<(Command, bool)> {
    let tool = cc::Build::new()
        .cpp(language == Language::Cpp)
        .target(&target())
        .host(&target())
        .opt_level(0)
        .cargo_metadata(false)
        .try_get_compiler()
        .ok()?;
    let mut command = tool.to_command();
    let msvc = tool.is_like_msvc();
    if msvc {
        command.args(["/nologo", "/W3", "/WX"]);
    } else {
        command.args(["-Wall", "-Wextra", "-Werror", "-pedantic"]);
        command.arg(if language == Language::C { "-std=c99" } else { "-std=c++11" });
    }
    command.arg(format!("-I{}", include_dir().display()));
    Some((command, msvc))
}

/// Whether a compiler that is not there may be passed over: C's never on Linux, where it is part of
/// what the workspace is built with.
fn may_be_absent(language: Language) -> bool {
    language == Language::Cpp || !cfg!(target_os = "linux")
}

/// Compiles a source text into a program, or with `shared` a library, in `folder`. `None`: there is no
/// such compiler, and there need not be.
pub fn compile(
    language: Language,
    folder: &Path,
    name: &str,
    source: &str,
    shared: bool,
) -> Option<PathBuf> {
    let Some((mut command, msvc)) = compiler(language) else {
        assert!(may_be_absent(language), "there is no C compiler to check the header with");
        return None;
    };
    std::fs::create_dir_all(folder).expect("the folder can be made");
    let extension = if language == Language::C { "c" } else { "cpp" };
    let file = folder.join(format!("{name}.{extension}"));
    std::fs::write(&file, source).expect("the source can be written");
    let out = if shared {
        folder.join(format!("{name}{}", std::env::consts::DLL_SUFFIX))
    } else {
        folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
    };
    command.current_dir(folder).arg(&file);
    match (msvc, shared) {
        (true, false) => _ = command.arg(format!("/Fe{}", out.display())),
        (true, true) => _ = command.arg("/LD").arg(format!("/Fe{}", out.display())),
        (false, false) => _ = command.arg("-o").arg(&out),
        (false, true) => _ = command.args(["-shared", "-fPIC", "-o"]).arg(&out),
    }
    let output = match command.output() {
        Ok(output) => output,
        Err(error) => {
            assert!(may_be_absent(language), "the C compiler does not start: {error}");
            return None;
        }
    };
    assert!(
        output.status.success(),
        "{} does not compile:\n{}{}",
        file.display(),
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    Some(out)
}

/// A folder of a test's own.
pub fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}
