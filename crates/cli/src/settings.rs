//! What the explorer remembers from one session to the next.

use std::fs;
use std::path::PathBuf;

use kit::save::{Overwrite, Target, save_over};
use serde::{Deserialize, Serialize};

use crate::history::state_folder;

/// The settings of the explorer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Positions mode.
    pub positions: bool,
}

impl Settings {
    /// The remembered settings; the default ones if there are none.
    pub fn load() -> Settings {
        let text = file().and_then(|file| fs::read(file).ok());
        text.and_then(|text| serde_json::from_slice(&text).ok())
            .unwrap_or_default()
    }

    /// Remembers the settings. The explorer also works without.
    pub fn save(self) {
        let (Some(file), Ok(text)) = (file(), serde_json::to_vec(&self)) else {
            return;
        };
        file.parent().map(fs::create_dir_all);
        save_over(Target::File(file), &text, Overwrite::default()).ok();
    }
}

fn file() -> Option<PathBuf> {
    state_folder().map(|folder| folder.join("explore.json"))
}
