use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{End, IN_FLIGHT, Workers};
use crate::Stop;

fn workers(threads: usize) -> Workers {
    Workers::new(NonZeroUsize::new(threads), Stop::new())
}

/// Uneven work, so that results are ready out of order.
fn square(n: u64) -> u64 {
    let spin = if n.is_multiple_of(7) { 20_000 } else { 10 };
    (0..spin).fold(n, |acc, i| std::hint::black_box(acc ^ i ^ i)) * n
}

#[test]
fn results_come_in_the_order_of_the_input() {
    let expected: Vec<u64> = (0..1000).map(|n| n * n).collect();
    for threads in [1, 2, 3, 8] {
        let mut got = Vec::new();
        let end = workers(threads).run(0..1000, square, |r| {
            got.push(r);
            ControlFlow::<()>::Continue(())
        });
        assert_eq!((end, &got), (End::Done, &expected), "{threads} threads");
    }
}

#[test]
fn empty_input_finishes() {
    let end = workers(4).run(std::iter::empty::<u64>(), square, |_| {
        ControlFlow::<()>::Continue(())
    });
    assert_eq!(end, End::Done);
}

#[test]
fn a_single_item_needs_no_thread() {
    let here = std::thread::current().id();
    let mut ids = Vec::new();
    let end = workers(4).run(
        0..1,
        |_| std::thread::current().id(),
        |id| {
            ids.push(id);
            ControlFlow::<()>::Continue(())
        },
    );
    assert_eq!((end, ids), (End::Done, vec![here]));
}

#[test]
fn the_collector_can_break_off() {
    for threads in [1, 4] {
        let end = workers(threads).run(0.., square, |r| {
            if r > 100 {
                ControlFlow::Break(r)
            } else {
                ControlFlow::Continue(())
            }
        });
        assert_eq!(end, End::Broken(121), "{threads} threads");
    }
}

#[test]
fn a_stop_ends_an_endless_input_and_keeps_started_items() {
    for threads in [1, 4] {
        let workers = workers(threads);
        let mut got = Vec::new();
        let end = workers.run(0.., square, |r| {
            got.push(r);
            if got.len() == 50 {
                workers.stop.raise();
            }
            ControlFlow::<()>::Continue(())
        });
        assert_eq!(end, End::Stopped);
        assert!(got.len() >= 50);
        assert_eq!(
            got,
            (0..got.len() as u64).map(|n| n * n).collect::<Vec<_>>()
        );
    }
}

#[test]
fn few_items_are_in_flight_at_once() {
    let threads = 4;
    let begun = AtomicUsize::new(0);
    let mut collected = 0;
    workers(threads).run(
        (0..500).inspect(|_| _ = begun.fetch_add(1, Ordering::SeqCst)),
        square,
        |_| {
            collected += 1;
            let ahead = begun.load(Ordering::SeqCst) - collected;
            assert!(
                ahead <= threads * IN_FLIGHT + 2,
                "{ahead} items ahead of the collector"
            );
            ControlFlow::<()>::Continue(())
        },
    );
    assert_eq!(collected, 500);
}

#[test]
#[should_panic(expected = "a scoped thread panicked")]
fn a_panic_of_a_worker_is_passed_on() {
    workers(3).run(
        0..100,
        |n| assert!(n < 50),
        |()| ControlFlow::<()>::Continue(()),
    );
}

#[test]
#[should_panic(expected = "a scoped thread panicked")]
fn a_panic_of_the_source_is_passed_on() {
    let items = (0..100).inspect(|n| assert!(*n < 50));
    workers(3).run(items, square, |_| ControlFlow::<()>::Continue(()));
}

#[test]
#[should_panic(expected = "the collector")]
fn a_panic_of_the_collector_is_passed_on() {
    workers(3).run(0.., square, |r| {
        assert!(r < 100, "the collector");
        ControlFlow::<()>::Continue(())
    });
}

#[test]
fn after_a_stop_nothing_is_begun_and_what_was_begun_is_collected() {
    for threads in [2, 4] {
        let workers = workers(threads);
        let (begun, late) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let mut collected = 0;
        let work = |n: u64| {
            begun.fetch_add(1, Ordering::Relaxed);
            late.fetch_add(workers.stop.is_raised().into(), Ordering::Relaxed);
            if n == 50 {
                workers.stop.raise();
            }
            square(n)
        };
        let end = workers.run(0.., work, |r| {
            assert_eq!(r, collected * collected, "in order");
            collected += 1;
            ControlFlow::<()>::Continue(())
        });
        assert_eq!(end, End::Stopped);
        assert_eq!(collected, begun.into_inner() as u64, "{threads} threads");
        // Each worker may have taken an item just before.
        assert!(late.into_inner() <= threads, "{threads} threads");
    }
}
