//! The command line (programs.md). A flag overrides what the config file says.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;
use clap::value_parser;

use crate::config::ConfigError;
use crate::seconds;
use crate::settings::Settings;

/// The party server of OpenRAC multiplayer: players' games connect to it, make and find parties, and play
/// through it.
///
/// It prints `listening on ADDR:PORT` as its first line on stdout and writes its log to stderr. SIGTERM or
/// Ctrl+C stops it: no new parties, an END to everyone, gone within 2 seconds (after --drain).
#[derive(Clone, Debug, Default, Parser)]
#[command(name = "openrac-relay", version)]
pub struct Args {
    /// Where to listen, on TCP and UDP; port 7770 of every address, IPv4 and IPv6, unless given. Port 0:
    /// any free one, told in the first line
    #[arg(long, value_name = "ADDR:PORT", value_parser = address)]
    pub listen: Option<SocketAddr>,
    /// Where to serve /metrics (Prometheus text) and /healthz over HTTP; off unless given
    #[arg(long, value_name = "ADDR:PORT", value_parser = address)]
    pub metrics: Option<SocketAddr>,
    /// A TOML file with settings and every limit; flags override it
    #[arg(long, value_name = "FILE.toml")]
    pub config: Option<PathBuf>,
    /// Connections one address may have (IPv6 by its first 64 bits) [default: 8]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..))]
    pub max_connections_per_address: Option<u32>,
    /// Let parties end by themselves for so long when told to stop [default: 0]
    #[arg(long, value_name = "SECONDS", value_parser = drain)]
    pub drain: Option<Duration>,
    /// Threads that serve players, 1 to 64 [default: one a core]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=64))]
    pub threads: Option<u32>,
}

impl Args {
    /// The settings they and the config file make.
    ///
    /// # Errors
    /// The config file cannot be read, or says what it may not.
    pub fn settings(&self) -> Result<Settings, ConfigError> {
        let mut settings = match &self.config {
            Some(path) => Settings::from_file(path)?,
            None => Settings::default(),
        };
        if let Some(listen) = self.listen {
            settings.listen = listen;
        }
        if let Some(most) = self.max_connections_per_address {
            settings.limits.connections_per_address = usize::try_from(most).unwrap_or(usize::MAX);
        }
        settings.metrics = self.metrics.or(settings.metrics);
        settings.drain = self.drain.unwrap_or(settings.drain);
        settings.threads = self.threads.or(settings.threads);
        Ok(settings)
    }
}

/// An address in numbers, with its port.
pub(crate) fn address(text: &str) -> Result<SocketAddr, &'static str> {
    text.parse().map_err(|_| "it takes ADDR:PORT in numbers, such as [::]:7770 or 127.0.0.1:7770")
}

fn drain(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    seconds::duration(seconds, 0.0).map_err(|why| why.to_string())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Args::command().debug_assert();
    }

    #[test]
    fn a_flag_overrides_the_default() {
        let line = ["openrac-relay", "--max-connections-per-address", "3", "--drain", "0.5"];
        let settings = Args::try_parse_from(line).unwrap().settings().unwrap();
        assert_eq!(settings.limits.connections_per_address, 3);
        assert_eq!(settings.drain, Duration::from_millis(500));
    }

    #[test]
    fn nonsense_is_refused() {
        for flag in [["--drain", "-1"], ["--threads", "0"], ["--listen", "here"]] {
            assert!(Args::try_parse_from(["openrac-relay", flag[0], flag[1]]).is_err(), "{flag:?}");
        }
    }

    #[test]
    fn an_address_that_is_none_is_answered_with_one_that_is() {
        for flag in ["--listen", "--metrics"] {
            for none in ["7770", ":7770", "[::]", "localhost:7770"] {
                let refused = Args::try_parse_from(["openrac-relay", flag, none]).unwrap_err();
                let words = refused.to_string();
                assert!(words.contains("ADDR:PORT in numbers, such as [::]:7770"), "{words}");
            }
            assert!(Args::try_parse_from(["openrac-relay", flag, "[::]:7770"]).is_ok());
        }
    }
}
