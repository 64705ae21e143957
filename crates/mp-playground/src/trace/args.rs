//! `mp-playground trace`: its words on the command line, and what it prints.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::{Merged, TraceError, Wanted, words};
use crate::out;

/// Which traces, and what of them.
#[derive(Args, Clone, Debug)]
#[command(after_help = words::legend())]
pub(crate) struct TraceArgs {
    /// The traces. Each player is called as its trace says, or as the folder it lies in.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Only what names that moby: its key (17), its number on the wire (0x8003) or its handle.
    #[arg(long, value_name = "N", value_parser = moby)]
    moby: Option<String>,
    /// Only that player's lines.
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Only from so many seconds after the first line on.
    #[arg(long, value_name = "SECONDS")]
    from: Option<f64>,
    /// Only up to so many seconds after the first line.
    #[arg(long, value_name = "SECONDS")]
    to: Option<f64>,
    /// Draw a timeline there.
    #[arg(long, value_name = "FILE.png", value_parser = crate::cli::values::png)]
    picture: Option<PathBuf>,
}

/// A moby's number, as traces write it.
fn moby(text: &str) -> Result<String, String> {
    let digits = text.strip_prefix("0x");
    let is_one = digits.map_or_else(
        || text.parse::<u64>().is_ok_and(|number| number.to_string() == text),
        |digits| digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()),
    );
    if is_one {
        Ok(text.to_ascii_lowercase())
    } else {
        Err("no number such as 17 or 0x8003".to_owned())
    }
}

impl TraceArgs {
    /// That no moment is asked for, if none is.
    pub(crate) fn nothing_between(&self) -> Option<String> {
        let (from, to) = (self.from?, self.to?);
        (from > to).then(|| format!("--from {from} is after --to {to}: there is nothing between"))
    }

    /// Prints what is asked for; says what went wrong.
    pub(crate) fn run(self) -> ExitCode {
        match self.print() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("{error}");
                ExitCode::FAILURE
            }
        }
    }

    fn print(self) -> Result<(), TraceError> {
        let Self { files, moby, player, from, to, picture } = self;
        let wanted = Wanted { moby, player, from_s: from, to_s: to };
        let merged = Merged::read(&files)?.only(&wanted);
        out::print(&merged)?;
        // After the lines, which would push it out of sight.
        for doubt in &merged.doubts {
            eprintln!("warning: {doubt}");
        }
        let Some(file) = picture else { return Ok(()) };
        merged.draw(&file)?;
        Ok(out::print(&format_args!("picture: {}\n", file.display()))?)
    }
}
