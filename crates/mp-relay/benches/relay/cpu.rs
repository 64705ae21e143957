//! The processor time of this process's threads, as the scheduler counts it.

use std::fs;

/// Nanoseconds that the threads whose names begin with `prefix` have run.
pub fn thread_ns(prefix: &str) -> u64 {
    let tasks = fs::read_dir("/proc/self/task").unwrap();
    let paths = tasks.map(|task| task.unwrap().path());
    let ours = paths.filter(|path| {
        // A thread that has just ended has no name any more.
        fs::read_to_string(path.join("comm")).is_ok_and(|name| name.starts_with(prefix))
    });
    ours.map(|path| {
        let stat = fs::read_to_string(path.join("schedstat")).unwrap_or_default();
        stat.split(' ').next().and_then(|ns| ns.parse::<u64>().ok()).unwrap_or(0)
    })
    .sum()
}

/// Kilobytes that a process's own memory takes.
pub fn resident_kb(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}
