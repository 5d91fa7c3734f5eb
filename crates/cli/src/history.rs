//! A prompt with a history that is kept between sessions.

use std::env;
use std::fs;
use std::path::PathBuf;

use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{CompletionType, Config, Editor, Helper};

use crate::failure::Failure;

/// Lines of history to keep.
const LINES: usize = 1000;

/// A prompt with a history.
pub struct Prompt<H: Helper> {
    editor: Editor<H, FileHistory>,
    /// The history file; none if the system has no folder for it.
    file: Option<PathBuf>,
}

impl<H: Helper> Prompt<H> {
    /// The prompt of the command of this name.
    pub fn new(name: &str) -> Result<Prompt<H>, Failure> {
        let config = Config::builder()
            .auto_add_history(true)
            .completion_type(CompletionType::List)
            .max_history_size(LINES)
            .map_err(Failure::new)?
            .build();
        let history = FileHistory::with_config(&config);
        let mut editor = Editor::with_history(config, history).map_err(Failure::new)?;
        let file = state_folder().map(|folder| folder.join(format!("{name}-history")));
        if let Some(file) = &file {
            // The file does not exist at first.
            editor.load_history(file).ok();
        }
        Ok(Prompt { editor, file })
    }

    /// Sets the completion of words.
    pub fn set_helper(&mut self, helper: H) {
        self.editor.set_helper(Some(helper));
    }

    /// The next line. It is added to the history at once.
    pub fn read(&mut self, prompt: &str) -> Result<String, ReadlineError> {
        let line = self.editor.readline(prompt)?;
        if let Some(file) = &self.file {
            // The prompt also works without a history.
            file.parent().map(fs::create_dir_all);
            self.editor.append_history(file).ok();
        }
        Ok(line)
    }
}

/// The folder for state files, by the conventions of the system.
pub fn state_folder() -> Option<PathBuf> {
    let path = |name| env::var_os(name).map(PathBuf::from);
    let absolute = |path: PathBuf| path.is_absolute().then_some(path);
    let state = path("XDG_STATE_HOME").and_then(absolute);
    let home = || path("HOME").map(|home| home.join(".local/state"));
    let state = state.or_else(|| path("LOCALAPPDATA")).or_else(home);
    state.map(|state| state.join("gametree"))
}
