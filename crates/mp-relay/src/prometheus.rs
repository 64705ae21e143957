//! A relay's figures as Prometheus text (exposition format 0.0.4). OPERATOR.md says what each means.

use std::fmt::{self, Display, Write};

use mp_party::{DropReason, Strike};

use crate::histogram::Histogram;
use crate::stats::{ShardStats, Stats};

/// What the text is sent as.
pub(crate) const CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// All figures as text.
pub(crate) fn text(stats: &Stats) -> String {
    let mut text = String::new();
    write(&mut text, stats).expect("a String takes all");
    text
}

fn write(out: &mut String, stats: &Stats) -> fmt::Result {
    let total = stats.total();
    gauges(out, stats, &total)?;
    traffic(out, &total)?;
    dropped(out, stats, &total)?;
    threads(out, stats, &total)?;
    latency(out, &total.latency)
}

fn gauges(out: &mut String, stats: &Stats, total: &ShardStats) -> fmt::Result {
    let mut gauge = |name, help, value: u64| {
        head(out, name, help, "gauge")?;
        sample(out, name, "", value)
    };
    gauge("connections", "Open connections", total.connections)?;
    gauge("parties", "Parties", stats.parties)?;
    gauge("queued_bytes", "Bytes in outgoing queues", total.queued_bytes)?;
    gauge("longest_queue_bytes", "Bytes in the longest outgoing queue", total.longest_queue_bytes)?;
    gauge("draining", "1 while no new parties are taken", u64::from(stats.draining))
}

fn traffic(out: &mut String, total: &ShardStats) -> fmt::Result {
    let counters = &total.counters;
    let mut counter = |name, help, value: u64| {
        head(out, name, help, "counter")?;
        sample(out, name, "", value)
    };
    counter("connections_total", "Connections accepted", counters.connections)?;
    counter("connections_refused_total", "Connections over a limit", counters.refused)?;
    counter("sessions_total", "Sessions begun", counters.sessions)?;
    counter("parties_total", "Parties begun", counters.parties)?;
    for (name, help, received, sent) in [
        ("frames_total", "Frames by TCP", counters.frames_in, counters.frames_out),
        ("frame_bytes_total", "Bytes by TCP", counters.bytes_in, counters.bytes_out),
        ("datagrams_total", "Datagrams", counters.datagrams_in, counters.datagrams_out),
        (
            "datagram_bytes_total",
            "Bytes of datagrams",
            counters.datagram_bytes_in,
            counters.datagram_bytes_out,
        ),
    ] {
        head(out, name, help, "counter")?;
        sample(out, name, "direction=\"in\"", received)?;
        sample(out, name, "direction=\"out\"", sent)?;
    }
    Ok(())
}

fn dropped(out: &mut String, stats: &Stats, total: &ShardStats) -> fmt::Result {
    let name = "dropped_total";
    head(out, name, "What was dropped without a strike, by reason", "counter")?;
    for reason in DropReason::ALL {
        sample(out, name, &label("reason", reason), total.counters.drops(reason))?;
    }
    sample(out, name, &label("reason", "datagram lost between threads"), total.strays_lost)?;
    let name = "strikes_total";
    head(out, name, "What was over a limit and dropped, by limit", "counter")?;
    for limit in Strike::ALL {
        sample(out, name, &label("limit", limit), total.counters.strikes(limit))?;
    }
    let name = "closed_total";
    head(out, name, "Connections that are over, by why", "counter")?;
    for (reason, count) in total.closes.by_reason() {
        sample(out, name, &label("reason", reason), count)?;
    }
    let name = "log_lines_lost_total";
    head(out, name, "Log lines left out because too many came", "counter")?;
    sample(out, name, "", stats.log_lines_lost)
}

fn threads(out: &mut String, stats: &Stats, total: &ShardStats) -> fmt::Result {
    let name = "wakes_total";
    head(out, name, "Times a thread woke up", "counter")?;
    for (index, shard) in stats.shards.iter().enumerate() {
        sample(out, name, &label("thread", index), shard.wakes)?;
    }
    let name = "moved_total";
    head(out, name, "What went from the thread that got it to the one that serves it", "counter")?;
    sample(out, name, &label("what", "connection"), total.arrivals)?;
    sample(out, name, &label("what", "datagram"), total.strays)
}

fn latency(out: &mut String, latency: &Histogram) -> fmt::Result {
    let name = "forward_seconds";
    head(out, name, "From the wake-up that read a message to its hand-over", "histogram")?;
    for (end, count) in latency.cumulative() {
        let step = label("le", end.as_secs_f64());
        sample(out, "forward_seconds_bucket", &step, count)?;
    }
    let count = latency.count();
    sample(out, "forward_seconds_bucket", "le=\"+Inf\"", count)?;
    sample(out, "forward_seconds_sum", "", latency.sum().as_secs_f64())?;
    sample(out, "forward_seconds_count", "", count)
}

fn head(out: &mut String, name: &str, help: &str, kind: &str) -> fmt::Result {
    writeln!(out, "# HELP openrac_relay_{name} {help}.\n# TYPE openrac_relay_{name} {kind}")
}

fn sample(out: &mut String, name: &str, labels: &str, value: impl Display) -> fmt::Result {
    if labels.is_empty() {
        writeln!(out, "openrac_relay_{name} {value}")
    } else {
        writeln!(out, "openrac_relay_{name}{{{labels}}} {value}")
    }
}

/// Our labels hold no character that would have to be escaped.
fn label(name: &str, value: impl Display) -> String {
    format!("{name}=\"{value}\"")
}
