//! What playback makes of links from good to bad, as a table to read and to keep.
//!
//! After a change that is meant: `INSTA_UPDATE=always cargo test -p mp-netcode --test table`.

#[allow(dead_code, reason = "each user of the module takes a part of it")]
mod support;

use std::fmt::Write;

use support::{HEADER, Link, Row, play};

/// B5.3
#[test]
fn playback_over_links_from_good_to_bad() {
    let mut links = Vec::new();
    for latency_ms in [0, 50, 200] {
        for jitter_ms in [0, 20, 60] {
            for loss_percent in [0, 5, 20] {
                let link = Link { latency_ms, jitter_ms, loss_percent, ..Link::default() };
                links.push(link);
                links.push(Link { duplicate_percent: 10, reorder_percent: 10, ..link });
            }
        }
    }
    // Past what the largest delay can hide.
    let lossy = Link { loss_percent: 60, ..Link::default() };
    let late = Link { latency_ms: 100, jitter_ms: 300, loss_percent: 10, ..Link::default() };
    links.extend([late, lossy]);
    let mut table = format!("{HEADER}\n");
    for link in links {
        writeln!(table, "{}", Row(link, &play(link, 60))).expect("a String takes all");
    }
    insta::assert_snapshot!(table);
}
