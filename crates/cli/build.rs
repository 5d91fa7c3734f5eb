//! Arranges the program so that it starts fast, if the linker is the one that comes with Rust.
//!
//! Most of the time of a short command is the start: the system loads libraries, maps each page of the file that
//! is touched, and changes each page that contains an address. This halves it.

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
        write_in_one_go();
        fix_addresses();
        if let Some(archives) = Archives::find() {
            include_libraries(&archives);
        }
    }
}

fn is_released_for_linux() -> bool {
    variable("TARGET") == "x86_64-unknown-linux-gnu"
        && variable("HOST") == variable("TARGET")
        && variable("PROFILE") == "release"
}

/// True unless the toolchain comes without it, as some packages of Linux do, or the user chose how
/// to link.
fn is_linked_by_rust_lld() -> bool {
    let flags = variable("CARGO_ENCODED_RUSTFLAGS");
    let is_chosen = ["linker", "fuse-ld", "crt-static"]
        .iter()
        .any(|&word| flags.contains(word))
        || env::var_os("RUSTC_LINKER").is_some();
    let rustc = Command::new(variable("RUSTC"))
        .args(["--print", "sysroot"])
        .output();
    let sysroot = rustc.map(|output| PathBuf::from(line(output.stdout)));
    let linker = "lib/rustlib/x86_64-unknown-linux-gnu/bin/gcc-ld/ld.lld";
    !is_chosen && sysroot.is_ok_and(|sysroot| sysroot.join(linker).is_file())
}

/// What short commands call lies together: 1 MB of 12.
fn order_functions() {
    let order = Path::new(&variable("CARGO_MANIFEST_DIR")).join(ORDER);
    link_with(&format!("--symbol-ordering-file={}", order.display()));
    link_with("--no-warn-symbol-ordering");
}

/// The system keeps a file that was written in one go in larger pieces than one that was written
/// page by page, so fewer pages have to be mapped one by one. In the linker of LLVM 22 this option
/// does the opposite of what its name says.
fn write_in_one_go() {
    link_with("--mmap-output-file");
}

/// Loaded at a fixed address, the program contains its 22,000 addresses of texts and functions;
/// otherwise each start writes them. Stack and heap are still at random addresses.
fn fix_addresses() {
    link("-no-pie");
}

/// Makes the C library and the unwinder parts of the program: as libraries of the system they would
/// be opened, linked and initialised at each start. Rust's own option for this, `crt-static`, is
/// for all programs of a build, also those that the compiler loads. So the linker gets scripts of
/// these names that lead it to the archives.
fn include_libraries(archives: &Archives) {
    let Archives { c, math, helpers } = archives;
    let folder = PathBuf::from(variable("OUT_DIR"));
    let scripts = [
        ("libc.so", format!("GROUP({c} {helpers})")),
        ("libm.so", format!("GROUP({math} {c} {helpers})")),
        ("libgcc_s.so", format!("GROUP({helpers} {c})")),
    ];
    for (name, script) in scripts {
        fs::write(folder.join(name), script).expect("a file in the folder of the build");
    }
    link(&format!("-L{}", folder.display()));
    link("-static");
}

/// Where the C compiler keeps its archives.
struct Archives {
    c: String,
    math: String,
    /// The unwinder, and arithmetic that processors lack.
    helpers: String,
}

impl Archives {
    /// None if one is missing, or if threads are not yet a part of the C library (before 2.34).
    fn find() -> Option<Archives> {
        let threads = fs::metadata(archive("libpthread.a")?).ok()?;
        let has_threads = threads.len() < 100;
        let unwinder = archive("libgcc_eh.a")?;
        let arithmetic = archive("libgcc.a")?;
        has_threads.then_some(Archives {
            c: archive("libc.a")?,
            math: archive("libm.a")?,
            helpers: format!("{unwinder} {arithmetic}"),
        })
    }
}

/// The path of an archive; none with blanks, which would end it in a script.
fn archive(name: &str) -> Option<String> {
    let compiler = Command::new("cc")
        .arg(format!("-print-file-name={name}"))
        .output();
    let path = line(compiler.ok()?.stdout);
    let is_found = Path::new(&path).is_absolute() && !path.contains(char::is_whitespace);
    is_found.then_some(path)
}

/// Passes an option to the linker, also one with commas.
fn link_with(option: &str) {
    link("-Xlinker");
    link(option);
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
