//! The config file: TOML, every key optional, unknown ones refused. An error names the file, the line and
//! the key.

use std::fmt::Display;
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use mp_party::{Limits, Shard};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::args;
use crate::seconds;
use crate::settings::{Settings, default_limits};

/// The shortest time-out that may be set, in seconds.
const LEAST_TIMEOUT: f64 = 0.1;

/// Why a config file was not taken.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// It cannot be read.
    #[error("{}: {why}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        why: std::io::Error,
    },
    /// It does not say what a config file may say; the words name the line and the key.
    #[error("{}: {why}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// Where and what.
        why: Box<toml::de::Error>,
    },
}

/// The file's keys.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct File {
    #[serde(deserialize_with = "address")]
    listen: SocketAddr,
    #[serde(deserialize_with = "some_address")]
    metrics: Option<SocketAddr>,
    #[serde(deserialize_with = "threads")]
    threads: Option<u32>,
    #[serde(rename = "drain_seconds", deserialize_with = "any_time")]
    drain: Duration,
    #[serde(deserialize_with = "limits")]
    limits: Limits,
}

impl Default for File {
    fn default() -> Self {
        let Settings { listen, metrics, threads, drain, limits } = Settings::default();
        Self { listen, metrics, threads, drain, limits }
    }
}

/// The keys under `[limits]`: one for each of [`Limits`].
#[derive(Deserialize)]
#[serde(remote = "Limits", deny_unknown_fields, default = "default_limits")]
struct Keys {
    #[serde(deserialize_with = "count")]
    connections_per_address: usize,
    #[serde(deserialize_with = "count")]
    connections: usize,
    #[serde(deserialize_with = "count")]
    frames_per_second: u32,
    #[serde(deserialize_with = "count")]
    frame_bytes_per_second: u32,
    #[serde(deserialize_with = "count")]
    host_frame_rate_factor: u32,
    #[serde(deserialize_with = "count")]
    datagrams_per_second: u32,
    #[serde(deserialize_with = "count")]
    host_datagrams_per_second: u32,
    #[serde(deserialize_with = "count")]
    chats_per_second: u32,
    #[serde(deserialize_with = "count")]
    lobby_requests_per_second: u32,
    #[serde(deserialize_with = "count")]
    strikes: usize,
    #[serde(rename = "strike_window_seconds", deserialize_with = "timeout")]
    strike_window: Duration,
    #[serde(rename = "hello_timeout_seconds", deserialize_with = "timeout")]
    hello_timeout: Duration,
    #[serde(rename = "frame_timeout_seconds", deserialize_with = "timeout")]
    frame_timeout: Duration,
    #[serde(rename = "silence_timeout_seconds", deserialize_with = "timeout")]
    silence_timeout: Duration,
    #[serde(deserialize_with = "count")]
    queue_bytes: usize,
    #[serde(deserialize_with = "count")]
    host_queue_bytes: usize,
    #[serde(deserialize_with = "count")]
    all_queues_bytes: usize,
    #[serde(rename = "flush_timeout_seconds", deserialize_with = "timeout")]
    flush_timeout: Duration,
}

impl Settings {
    /// The settings a config file gives; what it does not name is as by default.
    ///
    /// # Errors
    /// It cannot be read, or says what it may not.
    pub fn from_file(path: &Path) -> Result<Self, ConfigError> {
        let text = fs::read_to_string(path)
            .map_err(|why| ConfigError::Unreadable { path: path.into(), why })?;
        Self::from_text(path, &text)
    }

    /// The same of a file's text.
    ///
    /// # Errors
    /// It says what it may not.
    pub fn from_text(path: &Path, text: &str) -> Result<Self, ConfigError> {
        let File { listen, metrics, threads, drain, limits } = toml::from_str(text)
            .map_err(|why| ConfigError::Invalid { path: path.into(), why: Box::new(why) })?;
        Ok(Self { listen, metrics, threads, drain, limits })
    }
}

/// An address, which the command line takes too.
fn address<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SocketAddr, D::Error> {
    let value = toml::Value::deserialize(deserializer)?;
    args::address(value.as_str().unwrap_or_default()).map_err(D::Error::custom)
}

fn some_address<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<SocketAddr>, D::Error> {
    address(deserializer).map(Some)
}

/// Limits that go together.
fn limits<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Limits, D::Error> {
    let limits = Keys::deserialize(deserializer)?;
    if limits.host_queue_bytes >= limits.queue_bytes {
        return Err(D::Error::custom("host_queue_bytes must be less than queue_bytes"));
    }
    if limits.queue_bytes > limits.all_queues_bytes {
        return Err(D::Error::custom("queue_bytes must be all_queues_bytes or less"));
    }
    Ok(limits)
}

/// A count of one or more.
fn count<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: TryFrom<u32>,
{
    let number = u32::deserialize(deserializer)?;
    let counted = T::try_from(number).ok().filter(|_| number > 0);
    counted.ok_or_else(|| D::Error::custom("a limit is 1 or more"))
}

/// A number of threads.
fn threads<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    let number = u32::deserialize(deserializer)?;
    let most = Shard::COUNT_MAX;
    if (1..=most).contains(&number) {
        Ok(Some(number))
    } else {
        Err(D::Error::custom(format_args!("threads are 1 to {most}")))
    }
}

/// A time of a tenth of a second or more.
fn timeout<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    time(deserializer, LEAST_TIMEOUT)
}

/// Any time.
fn any_time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    time(deserializer, 0.0)
}

fn time<'de, D: Deserializer<'de>>(deserializer: D, least: f64) -> Result<Duration, D::Error> {
    let words = |why: &dyn Display| D::Error::custom(why);
    seconds::duration(f64::deserialize(deserializer)?, least).map_err(|why| words(&why))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADDRESS: &str = "\nit takes ADDR:PORT in numbers, such as [::]:7770 or 127.0.0.1:7770\n";

    fn error(text: &str) -> String {
        Settings::from_text(Path::new("relay.toml"), text).unwrap_err().to_string()
    }

    #[test]
    fn an_empty_file_is_the_defaults() {
        let settings = Settings::from_text(Path::new("relay.toml"), "").unwrap();
        assert_eq!(settings, Settings::default());
    }

    #[test]
    fn the_example_names_every_setting_with_its_default() {
        let text = include_str!("../openrac-relay.toml");
        let settings = Settings::from_text(Path::new("openrac-relay.toml"), text).unwrap();
        assert_eq!(settings, Settings::default());
        for unknown in ["x = 1", "[limits]\nx = 1"] {
            // The refusal lists what is known.
            let error = error(unknown);
            let known = error.split('`').skip(3).step_by(2);
            let missing: Vec<_> = known.filter(|key| !text.contains(&format!("{key} ="))).collect();
            assert_eq!(missing, ["limits"].map(|_| "limits")[..usize::from(unknown == "x = 1")]);
        }
    }

    #[test]
    fn what_a_file_names_is_taken_and_the_rest_left() {
        let text = "listen = \"127.0.0.1:0\"\nmetrics = \"[::1]:9\"\ndrain_seconds = 1.5\nthreads = 3\n\
                    [limits]\nchats_per_second = 9\nhello_timeout_seconds = 2\n";
        let settings = Settings::from_text(Path::new("relay.toml"), text).unwrap();
        let limits = Limits {
            chats_per_second: 9,
            hello_timeout: Duration::from_secs(2),
            ..Settings::default().limits
        };
        let drain = Duration::from_millis(1_500);
        let listen = "127.0.0.1:0".parse().unwrap();
        let threads = Some(3);
        let metrics = Some("[::1]:9".parse().unwrap());
        assert_eq!(settings, Settings { listen, drain, threads, limits, metrics });
    }

    #[test]
    fn an_error_names_the_file_the_line_and_the_key() {
        for (text, names) in [
            ("\nlisten = \"nowhere\"", ["relay.toml", "line 2", "listen"]),
            ("listen = \":7770\"", ["line 1", "listen", ADDRESS]),
            ("\nlisten = 7770", ["line 2", "listen", ADDRESS]),
            ("metrics = \"localhost:9\"", ["line 1", "metrics", ADDRESS]),
            ("\n\nlimit = 3", ["relay.toml", "line 3", "limit"]),
            ("[limits]\nstrikes = 0", ["line 2", "strikes", "1 or more"]),
            ("[limits]\nstrikes = -1", ["line 2", "strikes", "u32"]),
            ("[limits]\nframes = 2", ["line 2", "frames", "frames_per_second"]),
            ("[limits]\nhello_timeout_seconds = 0.0", ["line 2", "hello_timeout", "0.1"]),
            ("drain_seconds = inf", ["line 1", "drain_seconds", "86400"]),
            ("threads = 65", ["line 1", "threads", "64"]),
            (
                "\n[limits]\nqueue_bytes = 1000",
                ["line 2", "limits", "host_queue_bytes must be less"],
            ),
            (
                "\n[limits]\nall_queues_bytes = 1048575",
                ["line 2", "limits", "queue_bytes must be all_queues_bytes or less"],
            ),
        ] {
            let error = error(text);
            for name in names {
                assert!(error.contains(name), "{name} is not in: {error}");
            }
        }
    }
}
