//! Mods written in C, compiled with the interface's header.

use std::path::{Path, PathBuf};

/// Compiles a mod of this folder into a library.
pub fn compile(source: &str) -> PathBuf {
    compile_file(&here().join(source))
}

fn here() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// Compiles a mod in that file into a library.
pub fn compile_file(source: &Path) -> PathBuf {
    let target = target();
    let tool = cc::Build::new()
        .target(&target)
        .host(&target)
        .opt_level(0)
        .cargo_metadata(false)
        .get_compiler();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let name = source.file_name().expect("a file");
    let out = folder.join(name).with_extension(std::env::consts::DLL_EXTENSION);
    let mut command = tool.to_command();
    command.current_dir(folder).arg(source);
    for folder in [here().join("support"), here().join("../../../sdk-bindings/include")] {
        command.arg(format!("-I{}", folder.display()));
    }
    if tool.is_like_msvc() {
        command.arg("/LD").arg(format!("/Fe{}", out.display()));
    } else {
        command.args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]);
        command.args(["-pthread", "-o"]).arg(&out);
    }
    let output = command.output().expect("the C compiler runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    out
}

fn target() -> String {
    let rest = match std::env::consts::OS {
        "macos" => "apple-darwin",
        "windows" if cfg!(target_env = "gnu") => "pc-windows-gnu",
        "windows" => "pc-windows-msvc",
        _ => "unknown-linux-gnu",
    };
    format!("{}-{rest}", std::env::consts::ARCH)
}
