//! The link conditioner, by a clock driven by hand. Every test's seeds are in it.

use std::time::Duration;

use mp_netcode::LocalTime;
use mp_netcode::conditioner::{Conditions, DatagramConditioner, HELD_BACK, StreamConditioner};

fn conditions(text: &str) -> Conditions {
    text.parse().expect(text)
}

fn at_ms(millis: u64) -> LocalTime {
    LocalTime::from_micros(millis * 1_000)
}

/// Pushes `count` numbers, one every `every_ms`, and answers what came out and when.
fn carry(link: &mut DatagramConditioner<u64>, count: u64, every_ms: u64) -> Vec<(LocalTime, u64)> {
    let mut out = Vec::new();
    let mut drain = |link: &mut DatagramConditioner<u64>, until: LocalTime| {
        while let Some(due) = link.poll_timeout().filter(|due| *due <= until) {
            let arrived = link.poll(due).expect("it is due");
            out.push((due, arrived));
        }
    };
    for number in 0..count {
        drain(link, at_ms(number * every_ms));
        link.push(at_ms(number * every_ms), number);
    }
    drain(link, LocalTime::from_micros(u64::MAX));
    assert_eq!(link.held(), 0);
    out
}

/// Whether a share of `count` draws is what `percent` gives, within five standard deviations.
fn is_about(happened: u64, count: u64, percent: f64) -> bool {
    let (count, share) = (count as f64, percent / 100.0);
    (happened as f64 - count * share).abs() <= 5.0 * (count * share * (1.0 - share)).sqrt()
}

#[test]
fn a_perfect_link_carries_all_at_once_in_order() {
    let mut link = DatagramConditioner::new(Conditions::default(), 1);
    link.push(at_ms(5), 1);
    link.push(at_ms(5), 2);
    assert_eq!(link.poll_timeout(), Some(at_ms(5)));
    assert_eq!([(); 3].map(|()| link.poll(at_ms(5))), [Some(1), Some(2), None]);
    assert_eq!(link.poll_timeout(), None);
}

#[test]
fn nothing_arrives_before_its_latency_nor_after_latency_and_jitter() {
    for seed in 0..20 {
        let mut link = DatagramConditioner::new(conditions("latency=60,jitter=20"), seed);
        let arrivals = carry(&mut link, 2_000, 1);
        let took = arrivals.iter().map(|(at, number)| at.since(at_ms(*number)));
        let took: Vec<Duration> = took.collect();
        let (least, most) = (took.iter().min().expect("some"), took.iter().max().expect("some"));
        assert!(*least >= Duration::from_millis(60), "seed {seed}: {least:?}");
        assert!(*most < Duration::from_millis(80), "seed {seed}: {most:?}");
        let mean = took.iter().sum::<Duration>() / 2_000;
        assert!(mean.abs_diff(Duration::from_millis(70)) < Duration::from_millis(1), "{mean:?}");
    }
}

#[test]
fn each_chance_comes_as_often_as_it_is_said_and_by_itself() {
    for seed in 0..10 {
        let text = "latency=10,loss=2,duplicate=1,reorder=5";
        let mut link = DatagramConditioner::new(conditions(text), seed);
        let count = 50_000;
        let arrived = carry(&mut link, count, 50).len() as u64;
        let counts = link.counts();
        assert_eq!(counts.pushed, count);
        assert!(is_about(counts.lost, count, 2.0), "seed {seed}: {counts:?}");
        assert!(is_about(counts.duplicated, count, 0.98), "seed {seed}: {counts:?}");
        assert!(is_about(counts.reordered, count, 4.9), "seed {seed}: {counts:?}");
        assert_eq!(arrived, count - counts.lost + counts.duplicated, "seed {seed}");
    }
}

#[test]
fn all_or_none_are_lost_at_the_ends_of_the_scale() {
    for (text, arrived) in [("loss=100", 0), ("loss=0", 1_000), ("duplicate=100", 2_000)] {
        let mut link = DatagramConditioner::new(conditions(text), 3);
        assert_eq!(carry(&mut link, 1_000, 1).len(), arrived, "{text}");
    }
}

#[test]
fn one_held_back_is_overtaken_by_the_next_pose() {
    let mut link = DatagramConditioner::new(conditions("reorder=10"), 4);
    let arrivals = carry(&mut link, 1_000, 50);
    let overtaken = arrivals.windows(2).filter(|two| two[0].1 > two[1].1).count() as u64;
    let took = |&(at, number): &(LocalTime, u64)| at.since(at_ms(number * 50));
    let late = arrivals.iter().filter(|arrival| took(arrival) == HELD_BACK).count() as u64;
    let reordered = link.counts().reordered;
    assert_eq!(late, reordered);
    // Two held back in a row stay in order between them.
    assert!(reordered > 50 && overtaken * 10 > reordered * 8, "{overtaken} of {reordered}");
}

#[test]
fn equal_seeds_give_equal_fates_and_others_do_not() {
    let fates = |seed| {
        let text = "latency=60,jitter=20,loss=10,duplicate=10,reorder=10";
        carry(&mut DatagramConditioner::new(conditions(text), seed), 500, 10)
    };
    assert_eq!(fates(7), fates(7));
    assert_ne!(fates(7), fates(8));
}

#[test]
fn loss_leaves_the_others_chances_as_they_were() {
    let counts = |text| {
        let mut link = DatagramConditioner::new(conditions(text), 9);
        let arrivals = carry(&mut link, 300, 100);
        arrivals.into_iter().filter(|(_, n)| n % 2 == 0).collect::<Vec<_>>()
    };
    let (whole, lossy) = (counts("latency=5,jitter=40"), counts("latency=5,jitter=40,loss=30"));
    assert!(lossy.len() < whole.len());
    assert!(lossy.iter().all(|arrival| whole.contains(arrival)));
}

#[test]
fn a_cut_link_loses_datagrams_until_it_is_mended() {
    let mut link = DatagramConditioner::new(conditions("latency=30"), 1);
    link.push(at_ms(0), "before");
    link.cut_until(at_ms(100));
    link.push(at_ms(10), "in it");
    link.push(at_ms(99), "in it");
    link.push(at_ms(100), "after");
    assert_eq!(link.poll(at_ms(30)), Some("before"));
    assert_eq!([(); 2].map(|()| link.poll(at_ms(1_000))), [Some("after"), None]);
    assert_eq!(link.counts().lost, 2);
}

#[test]
fn a_stream_is_late_but_whole_and_in_order() {
    for seed in 0..20 {
        let mut stream = StreamConditioner::new(conditions("latency=60,jitter=40,loss=50"), seed);
        let mut seen = Vec::new();
        for number in 0..1_000_u64 {
            let now = at_ms(number);
            stream.push(now, number.to_be_bytes());
            while let Some(piece) = stream.poll(now) {
                let number = u64::from_be_bytes(piece);
                assert!(now.since(at_ms(number)) >= Duration::from_millis(60), "seed {seed}");
                seen.push(number);
            }
        }
        assert!(seen.len() >= 900, "seed {seed}: within latency and jitter, {}", seen.len());
        assert_eq!(stream.held_bytes(), (1_000 - seen.len()) * 8);
        while let Some(due) = stream.poll_timeout() {
            assert!(due <= at_ms(999 + 100), "seed {seed}");
            seen.push(u64::from_be_bytes(stream.poll(due).expect("it is due")));
        }
        assert!(seen.into_iter().eq(0..1_000), "seed {seed}");
        assert_eq!(stream.held_bytes(), 0);
    }
}

#[test]
fn a_cut_stream_stands_still_and_loses_nothing() {
    let mut stream = StreamConditioner::new(conditions("latency=30"), 1);
    stream.push(at_ms(0), "a");
    stream.cut_until(at_ms(100));
    stream.push(at_ms(50), "b");
    stream.push(at_ms(90), "c");
    assert_eq!(stream.poll(at_ms(99)), None);
    assert_eq!(stream.poll_timeout(), Some(at_ms(100)));
    assert_eq!([(); 3].map(|()| stream.poll(at_ms(100))), [Some("a"), Some("b"), None]);
    stream.cut_until(LocalTime::from_micros(u64::MAX));
    assert_eq!(stream.poll(at_ms(200)), None);
    stream.cut_until(at_ms(110));
    assert_eq!(stream.poll(at_ms(120)), Some("c"));
}
