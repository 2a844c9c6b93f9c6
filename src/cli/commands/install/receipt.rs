//! What a file was before we came: kept in the data folder, so that `uninstall` can put it back.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use askuser_core::hex::hex;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use askuser_client::home::{Home, write_private};
use askuser_system::disk;

/// What was changed, and from what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// The file's text without us; none where it was not there.
    pub before: Option<String>,
    /// What we made of it, as a digest.
    pub after: String,
    /// The folders that were made for it, the outermost first.
    pub folders: Vec<PathBuf>,
}

/// The receipts of a data folder.
#[derive(Debug, Clone)]
pub struct Receipts(PathBuf);

impl Receipts {
    /// Takes the data folder, which need not be there.
    pub fn of(home: &Home) -> Self {
        Self(home.folder().join("installed"))
    }

    /// Returns where the receipt of a file lies.
    pub fn place(&self, file: &Path) -> PathBuf {
        let digest = digest(&file.to_string_lossy());
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        self.0.join(format!("{}-{}.json", name.trim_start_matches('.'), digest.get(..12).unwrap_or_default()))
    }

    /// Reads the receipt of a file. One that cannot be read is none: what is ours can still be taken
    /// out piece by piece.
    pub fn read(&self, file: &Path) -> Option<Receipt> {
        let value: Value = serde_json::from_str(&fs::read_to_string(self.place(file)).ok()?).ok()?;
        let before = value.get("before")?;
        let folders = value.get("folders").and_then(Value::as_array).into_iter().flatten();
        Some(Receipt {
            before: before.as_str().map(str::to_owned),
            after: value.get("after")?.as_str()?.to_owned(),
            folders: folders.filter_map(Value::as_str).map(PathBuf::from).collect(),
        })
    }

    /// Keeps a receipt, readable by its owner only: settings may hold secrets.
    pub fn write(&self, file: &Path, receipt: &Receipt) -> io::Result<()> {
        disk::make_folder(&self.0, 0o700)?;
        let folders: Vec<_> = receipt.folders.iter().map(|folder| folder.to_string_lossy()).collect();
        let value = json!({
            "file": file.to_string_lossy(), "after": receipt.after, "before": receipt.before, "folders": folders,
        });
        write_private(&self.place(file), &format!("{value:#}\n"))
    }

    /// Throws a receipt away.
    pub fn remove(&self, file: &Path) {
        // One that stays is overwritten by the next.
        let _removed = fs::remove_file(self.place(file));
    }
}

/// Tells equal texts.
pub fn digest(text: &str) -> String {
    hex(&Sha256::digest(text))
}
