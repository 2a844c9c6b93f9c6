//! A real PostgreSQL of the tests' own: in a temporary folder, on a socket in it, gone with the tests.
//!
//! It refuses to run as root, so it runs as another user where we are that. Also used by the store's
//! own tests and by the benches, each of which uses a part of it.

#![expect(dead_code, reason = "each of the programs that share this uses a part of it")]

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How long it may take to start or to stop.
const STARTS_IN: Duration = Duration::from_mins(1);

/// A running PostgreSQL. It ends with this, or with the process that started it.
pub(crate) struct Server {
    folder: PathBuf,
    programs: PathBuf,
    /// Who it runs as, where that is not who we are.
    user: Option<u32>,
    settings: Vec<String>,
    /// Ends what is left of it when we are gone.
    keeper: Child,
    n_databases: AtomicUsize,
    /// Its port, where that is not the usual one.
    port: Option<u16>,
}

impl Server {
    /// Makes one and starts it. Without flushing it is quicker, and loses what a real one keeps.
    pub(crate) fn start(flushes: bool) -> Self {
        let server = Self::made(flushes);
        server.resume();
        server
    }

    /// Makes one that listens on loopback as well, with more files in its data folder and more settings;
    /// returns its port.
    pub(crate) fn start_on_loopback(files: &[(&Path, &str)], settings: &[&str]) -> (Self, u16) {
        let mut server = Self::made(false);
        for (from, name) in files {
            let to = server.folder.join("data").join(name);
            fs::copy(from, &to).unwrap();
            fs::set_permissions(&to, fs::Permissions::from_mode(0o600)).unwrap();
            chown(&to, server.user, None).unwrap();
        }
        // It cannot take a free port by itself: one that was free a moment ago.
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        // The last word counts.
        server.settings.extend(["listen_addresses=127.0.0.1".to_owned(), format!("port={port}")]);
        server.settings.extend(settings.iter().map(|setting| (*setting).to_owned()));
        server.port = Some(port);
        server.resume();
        (server, port)
    }

    fn made(flushes: bool) -> Self {
        let programs = programs();
        let folder = tempfile::Builder::new().prefix("askuser-pg-").tempdir().unwrap().keep();
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
        let user = (fs::metadata(&folder).unwrap().uid() == 0).then(unprivileged);
        if let Some(user) = user {
            chown(&folder, Some(user), None).unwrap();
        }
        // Whatever becomes of us, it is stopped and its folder removed: our end of the pipe is gone then.
        let mut keeper = Command::new("sh");
        keeper.args([
            "-c",
            "read -r _; pid=$(head -n 1 \"$0/data/postmaster.pid\" 2>/dev/null) && kill -QUIT \"$pid\"
             while [ -n \"$pid\" ] && kill -0 \"$pid\" 2>/dev/null; do sleep 0.1; done; rm -rf \"$0\"",
        ]);
        keeper.arg(&folder).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let keeper = keeper.spawn().unwrap();
        let mut settings = vec!["listen_addresses=", "max_connections=300", "shared_buffers=32MB"];
        if !flushes {
            settings.extend(["fsync=off", "full_page_writes=off", "synchronous_commit=off"]);
        }
        let settings = settings.into_iter().map(str::to_owned).collect();
        let n_databases = AtomicUsize::new(0);
        let server = Self { folder, programs, user, settings, keeper, n_databases, port: None };
        let made = server
            .program("initdb")
            .args(["--auth=trust", "--username=postgres", "--no-sync", "--encoding=UTF8", "--no-locale"])
            .arg("--pgdata")
            .arg(server.folder.join("data"))
            .output()
            .unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        server
    }

    /// Starts it again after a stop.
    pub(crate) fn resume(&self) {
        let log = fs::File::options().create(true).append(true).open(self.log()).unwrap();
        let mut postgres = self.program("postgres");
        postgres.arg("-D").arg(self.folder.join("data"));
        postgres.arg("-c").arg(format!("unix_socket_directories={}", self.folder.display()));
        for setting in &self.settings {
            postgres.args(["-c", setting]);
        }
        let mut child = postgres.stdout(Stdio::null()).stderr(log).spawn().unwrap();
        // Reaped when it ends, so that its number is free.
        thread::spawn(move || child.wait());
        let begun = Instant::now();
        while self.run("template1", "SELECT 1").is_err() {
            let log = || fs::read_to_string(self.log()).unwrap_or_default();
            assert!(begun.elapsed() < STARTS_IN, "PostgreSQL does not start:\n{}", log());
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Stops it as a crash would, or an impatient administrator.
    pub(crate) fn stop_at_once(&self) {
        let pid_file = self.folder.join("data/postmaster.pid");
        let pid = fs::read_to_string(&pid_file).unwrap();
        let pid = pid.lines().next().unwrap().to_owned();
        assert!(Command::new("kill").args(["-QUIT", &pid]).status().unwrap().success());
        let begun = Instant::now();
        while Path::new("/proc").join(&pid).exists() {
            assert!(begun.elapsed() < STARTS_IN, "PostgreSQL does not stop");
            thread::sleep(Duration::from_millis(10));
        }
        // What it left behind says that it runs.
        let _gone = fs::remove_file(pid_file);
    }

    /// Makes an empty database and returns its address.
    pub(crate) fn database(&self) -> String {
        let name = format!("desk{}", self.n_databases.fetch_add(1, Ordering::SeqCst));
        self.run("template1", &format!("CREATE DATABASE {name} TEMPLATE template0")).unwrap();
        self.address(&name)
    }

    /// Makes a part of one database that is as good as an empty one, in a fraction of the time.
    pub(crate) fn corner(&self) -> String {
        let name = format!("corner{}", self.n_databases.fetch_add(1, Ordering::SeqCst));
        self.run("postgres", &format!("CREATE SCHEMA {name}")).unwrap();
        format!("{}&options=-csearch_path%3D{name}", self.address("postgres"))
    }

    /// Returns the address of a database.
    pub(crate) fn address(&self, name: &str) -> String {
        format!("postgres://postgres@/{name}?host={}", self.folder.display())
    }

    /// Runs SQL in a database and returns what it prints.
    pub(crate) fn run(&self, database: &str, sql: &str) -> Result<String, String> {
        let done = self
            .program("psql")
            .args(["--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1"])
            .args(["--username=postgres", "--dbname", database, "--command", sql, "--host"])
            .arg(&self.folder)
            .args(self.port.map(|port| format!("--port={port}")))
            .stdin(Stdio::null())
            .output()
            .unwrap();
        if done.status.success() {
            Ok(String::from_utf8_lossy(&done.stdout).trim().to_owned())
        } else {
            Err(String::from_utf8_lossy(&done.stderr).into_owned())
        }
    }

    /// One of its programs, as the user that it runs as, with nothing of ours around it.
    pub(crate) fn program(&self, name: &str) -> Command {
        let mut command = Command::new(self.programs.join(name));
        command.env_clear().env("PATH", "/usr/bin:/bin").env("LC_ALL", "C").current_dir(&self.folder);
        if let Some(user) = self.user {
            command.uid(user).gid(user);
        }
        command
    }

    /// The folder of its socket.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    fn log(&self) -> PathBuf {
        self.folder.join("log")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(mut pipe) = self.keeper.stdin.take() {
            let _told = pipe.write_all(b"\n");
        }
        let _waited = self.keeper.wait();
    }
}

/// Where its programs are: Debian keeps them in a folder of their version.
fn programs() -> PathBuf {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut folders: Vec<(u32, PathBuf)> = versions
        .filter_map(|entry| Some((entry.file_name().to_str()?.parse().ok()?, entry.path().join("bin"))))
        .filter(|(_, folder)| folder.join("postgres").exists())
        .collect();
    folders.sort();
    let elsewhere = ["/usr/local/bin", "/usr/bin", "/opt/homebrew/bin"].map(PathBuf::from);
    let found = folders.pop().map(|(_, folder)| folder);
    let found = found.or_else(|| elsewhere.into_iter().find(|folder| folder.join("postgres").exists()));
    found.unwrap_or_else(|| panic!("PostgreSQL is not installed: scripts/test.sh installs it"))
}

/// A user who may nothing: `postgres` where there is one, else `nobody`.
fn unprivileged() -> u32 {
    let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let postgres =
        users.lines().find_map(|line| line.strip_prefix("postgres:")?.split(':').nth(1)?.parse().ok());
    postgres.unwrap_or(65_534)
}
