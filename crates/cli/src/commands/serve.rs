//! `gametree serve FILE…`: browse and edit games in a browser on this machine; browse an archive.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use desk::archive::Archive;
use desk::session::Session;
use kit::input::is_marked_folder;
use page::{HAS_PAGE, Options, Server};

use super::explore::sources;
use super::sample;
use crate::explore::report_unsaved;
use crate::failure::{Exit, Failure};
use crate::sessions::session_failure;
use crate::shell::Shell;

/// Browse and edit games in a browser, on this machine only
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Prints the address of the page, which contains a secret key, and opens it in the browser.
Anyone with the address can do what you can, so keep it to yourself. The page works without a network.

Changes are recorded at once, as in `gametree explore`: after a crash the page offers to resume
them. Nothing is written to FILE until you save. Ctrl-C ends the server.

Examples:
  gametree serve repertoire.pgn
  gametree serve white.pgn black.pgn games.pgn --port 8080
  gametree serve base                         browse and search an archive
  gametree serve --read-only games.pgn        look, but change nothing
  gametree serve repertoire.pgn --no-open     print the address only")]
pub struct Args {
    /// Files or folders, or one archive; a FILE.pgn that does not exist is begun [default: a sample
    /// repertoire]
    #[arg(value_name = "FILE")]
    files: Vec<OsString>,
    /// Show opening statistics of this archive (repeatable)
    #[arg(long, value_name = "NAME")]
    archive: Vec<PathBuf>,
    /// Port to listen on [default: a free one]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    port: u16,
    /// Address to listen on; any other than this machine's lets others try the key
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    host: String,
    /// Only print the address
    #[arg(long, overrides_with = "no_open")]
    no_open: bool,
    /// Change nothing
    #[arg(long)]
    read_only: bool,
}

/// Serves until a signal arrives.
pub fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    if !HAS_PAGE {
        return Err(Failure::with_fix(
            "this program was built without the page",
            "install Node.js 20 or later, which includes npm, and build gametree again",
        ));
    }
    let mut session = open(&args.files)?;
    for path in &args.archive {
        session.add_archive(Archive::open(path)?);
    }
    let options = Options {
        host: args.host.clone(),
        port: args.port,
        read_only: args.read_only,
    };
    let address = format!("{}:{}", args.host, args.port);
    let server = Server::bind(session, &options)
        .map_err(|error| Failure::new(format_args!("cannot listen on {address}: {error}")))?;
    let address = server.address();
    writeln!(shell.out, "{address}")?;
    shell.out.flush()?;
    if !args.no_open && !open_browser(&address) {
        shell.note("cannot open a browser: open the address above");
    }
    let stop = shell.stop();
    // The last answers and the journals are written before the end.
    shell.allow_saving();
    let ended = server.run(&stop).map_err(Failure::new)?;
    Ok(ended.map_or(Exit::Fine, |session| report_unsaved(&session, shell)))
}

fn open(files: &[OsString]) -> Result<Session, Failure> {
    if files.is_empty() {
        return sample::session();
    }
    let archive = files
        .iter()
        .map(Path::new)
        .find(|path| is_marked_folder(path));
    if let Some(path) = archive {
        if files.len() > 1 {
            return Err(Failure::with_fix(
                format_args!("{}: an archive is opened alone", path.display()),
                "to see its statistics beside files, use --archive NAME",
            ));
        }
        return Session::of_archive(Archive::open(path)?).map_err(session_failure);
    }
    let sources = sources(files)?;
    Session::open_or_begin(&sources).map_err(session_failure)
}

/// Opens an address with the program of the system for it. Returns whether there is one.
fn open_browser(address: &str) -> bool {
    let mut command = if cfg!(windows) {
        let mut command = Command::new("cmd");
        command.args(["/C", "start", ""]);
        command
    } else if cfg!(target_os = "macos") {
        Command::new("open")
    } else {
        Command::new("xdg-open")
    };
    command.arg(address);
    let quiet = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    quiet.spawn().is_ok()
}
