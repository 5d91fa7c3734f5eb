//! Arranges the program so that it starts fast, if the linker is the one that comes with Rust.
//!
//! A short command takes 2 ms, most of which is the start: the system maps each page of the file that is touched,
//! and changes each page that contains an address. This halves it.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The functions that short commands call, in the order in which they are placed. Written by
/// `tools/order.py`; names that the program does not have are ignored.
const ORDER: &str = "order.txt";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed={ORDER}");
    if is_released_for_linux() && is_linked_by_rust_lld() {
        order_functions();
        fix_addresses();
        if let Some(folder) = static_unwinder() {
            link(&format!("-L{}", folder.display()));
        }
    }
}

fn is_released_for_linux() -> bool {
    variable("TARGET") == "x86_64-unknown-linux-gnu"
        && variable("HOST") == variable("TARGET")
        && variable("PROFILE") == "release"
}

/// True unless the toolchain comes without it, as some packages of Linux do, or the user chose
/// another.
fn is_linked_by_rust_lld() -> bool {
    let flags = variable("CARGO_ENCODED_RUSTFLAGS");
    let is_chosen = ["linker", "fuse-ld"]
        .iter()
        .any(|&word| flags.contains(word));
    let rustc = Command::new(variable("RUSTC"))
        .args(["--print", "sysroot"])
        .output();
    let sysroot = rustc.map(|output| PathBuf::from(line(output.stdout)));
    let linker = "lib/rustlib/x86_64-unknown-linux-gnu/bin/gcc-ld/ld.lld";
    !is_chosen && sysroot.is_ok_and(|sysroot| sysroot.join(linker).is_file())
}

/// What short commands call lies together: 1 MB of 12. Written in one go instead of page by page,
/// the file is also kept in memory in larger pieces.
fn order_functions() {
    let order = Path::new(&variable("CARGO_MANIFEST_DIR")).join(ORDER);
    link(&format!("-Wl,--symbol-ordering-file={}", order.display()));
    link("-Wl,--no-warn-symbol-ordering");
    link("-Wl,--no-mmap-output-file");
}

/// Loaded at a fixed address, the program contains its 22,000 addresses of texts and functions;
/// otherwise each start writes them. Stack, heap and libraries are still at random addresses.
fn fix_addresses() {
    link("-no-pie");
}

/// A folder in which the linker finds the unwinder as a part of the program. Only backtraces use
/// it, but as a library it would be opened and initialised at each start.
fn static_unwinder() -> Option<PathBuf> {
    let parts = ["libgcc_eh.a", "libgcc.a"].map(archive_of_gcc);
    let [Some(unwinder), Some(helpers)] = parts else {
        return None;
    };
    let folder = PathBuf::from(variable("OUT_DIR"));
    let script = format!("GROUP(\"{unwinder}\" \"{helpers}\")\n");
    fs::write(folder.join("libgcc_s.so"), script).ok()?;
    Some(folder)
}

/// Where the C compiler keeps one of its archives.
fn archive_of_gcc(name: &str) -> Option<String> {
    let compiler = Command::new("cc")
        .arg(format!("-print-file-name={name}"))
        .output();
    let path = line(compiler.ok()?.stdout);
    Path::new(&path).is_absolute().then_some(path)
}

fn link(argument: &str) {
    println!("cargo:rustc-link-arg-bins={argument}");
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_default()
}

fn line(output: Vec<u8>) -> String {
    String::from_utf8_lossy(&output).trim_end().to_owned()
}
