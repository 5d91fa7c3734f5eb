//! Bundles the page in `web`, where npm is installed, into one Rust file of constants.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is bundled anew if it changes.
const SOURCES: [&str; 4] = ["src", "public", "package.json", "package-lock.json"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=GAMETREE_PAGE");
    let web = PathBuf::from(variable("CARGO_MANIFEST_DIR")).join("web");
    let out = PathBuf::from(variable("OUT_DIR"));
    for source in SOURCES {
        println!("cargo::rerun-if-changed={}", web.join(source).display());
    }
    let made = match bundle(&web, &out) {
        Ok(made) => made,
        Err(reason) => {
            println!("cargo::warning=without the page of `gametree serve`: {reason}");
            Vec::new()
        }
    };
    let has_page = !made.is_empty();
    let text = constants(&made, has_page);
    if let Err(error) = fs::write(out.join("assets.rs"), text) {
        println!("cargo::error={error}");
    }
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_default()
}

/// The files of the page with their paths in the address.
type Assets = Vec<(String, PathBuf)>;

/// Runs npm on a copy: the source folder stays as it is.
fn bundle(web: &Path, out: &Path) -> Result<Assets, String> {
    if variable("GAMETREE_PAGE") == "0" {
        return Err("GAMETREE_PAGE=0".to_owned());
    }
    let (work, dist) = (out.join("web"), out.join("dist"));
    fs::remove_dir_all(&dist).ok();
    for source in SOURCES.iter().chain(&["tsconfig.json", "build.mjs"]) {
        let (from, to) = (web.join(source), work.join(source));
        if to.is_dir() {
            fs::remove_dir_all(&to).ok();
        }
        if from.exists() {
            copy(&from, &to).map_err(|error| format!("{}: {error}", from.display()))?;
        }
    }
    if needs_install(&work) {
        let install = [
            "ci",
            "--omit=dev",
            "--ignore-scripts",
            "--no-audit",
            "--no-fund",
        ];
        npm(&work, &install)?;
        let lock = fs::copy(work.join("package-lock.json"), work.join("installed.json"));
        lock.map_err(|error| error.to_string())?;
    }
    let dist_name = dist.to_string_lossy().into_owned();
    npm(&work, &["run", "--silent", "bundle", "--", &dist_name])?;
    let mut assets = Vec::new();
    list(&dist, "", &mut assets).map_err(|error| error.to_string())?;
    if assets.iter().any(|(path, _)| path == "index.html") {
        Ok(assets)
    } else {
        Err("the bundle has no index.html".to_owned())
    }
}

/// The packages are installed once for each lock file.
fn needs_install(work: &Path) -> bool {
    let read = |name: &str| fs::read(work.join(name)).ok();
    read("installed.json") != read("package-lock.json") || !work.join("node_modules").is_dir()
}

fn npm(work: &Path, words: &[&str]) -> Result<(), String> {
    let name = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let run = Command::new(name).args(words).current_dir(work).output();
    let done = run.map_err(|_| "npm is missing; install Node.js 20 or later".to_owned())?;
    if done.status.success() {
        return Ok(());
    }
    let text = [done.stdout, done.stderr].concat();
    let text = String::from_utf8_lossy(&text).replace('\n', " | ");
    Err(format!("npm {} failed: {text}", words.join(" ")))
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    if !from.is_dir() {
        fs::create_dir_all(to.parent().unwrap_or(to))?;
        return fs::copy(from, to).map(drop);
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        copy(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

fn list(folder: &Path, prefix: &str, assets: &mut Assets) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            list(&entry.path(), &format!("{name}/"), assets)?;
        } else {
            assets.push((name, entry.path()));
        }
    }
    assets.sort();
    Ok(())
}

fn constants(assets: &Assets, has_page: bool) -> String {
    let mut text = String::new();
    for (path, file) in assets {
        let file = file.to_string_lossy();
        writeln!(
            text,
            "    Asset {{ path: {path:?}, bytes: include_bytes!({file:?}) }},"
        )
        .ok();
    }
    format!(
        "/// Whether the page was bundled when the program was built.\n\
         pub const HAS_PAGE: bool = {has_page};\n\n\
         static ASSETS: &[Asset] = &[\n{text}];\n"
    )
}
