//! libFuzzer on the law `cql`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| laws::cql(data));
