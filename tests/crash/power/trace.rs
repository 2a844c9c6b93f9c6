//! What programs asked of the system, as strace wrote it down.
//!
//! A call stands on one line, or on two where another thread's came between. Texts are hexadecimal, so
//! that no byte of them can be taken for what strace itself says.

use std::collections::HashMap;

/// The calls that strace is told to leave out: they read, wait, or concern memory alone. All others are written
/// down, so that one that nobody thought of is met, and not missed.
pub(crate) const LEFT_OUT: &str = "\
    access brk clock_nanosleep epoll_ctl epoll_pwait epoll_pwait2 epoll_wait fstat futex getpid getrandom \
    gettid madvise mprotect munmap nanosleep newfstatat poll ppoll pread64 preadv readlink readlinkat recvfrom \
    recvmsg rt_sigaction rt_sigprocmask rt_sigreturn sched_getaffinity sched_yield statx";

/// One call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Call {
    pub(crate) thread: u32,
    pub(crate) name: String,
    pub(crate) arguments: Vec<String>,
    /// What it returned; none where it never did.
    pub(crate) result: Option<i64>,
    line: String,
}

/// A call begins, or ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moment {
    Begin(usize),
    End(usize),
}

/// A whole recording, in the order of what happened.
#[derive(Debug, Default)]
pub(crate) struct Trace {
    pub(crate) calls: Vec<Call>,
    pub(crate) moments: Vec<Moment>,
}

impl Trace {
    /// Reads what strace wrote.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let mut trace = Self::default();
        // Calls that were interrupted in writing, by their threads, with what was written of them.
        let mut unfinished: HashMap<u32, (usize, &str)> = HashMap::new();
        for line in text.lines() {
            let wrong = || format!("strace wrote: {}", shortened(line));
            let (thread, said) = line.split_once(' ').ok_or_else(wrong)?;
            let (thread, said) = (thread.parse().map_err(|_| wrong())?, said.trim_start());
            if said.starts_with("+++") || said.starts_with("---") {
                continue;
            }
            if let Some(said) = said.strip_prefix("<... ") {
                let (name, rest) = said.split_once(" resumed>").ok_or_else(wrong)?;
                let (call, begun) = unfinished.remove(&thread).ok_or_else(wrong)?;
                let whole = format!("{begun}{rest}");
                trace.calls[call] = Call::read(thread, &whole).ok_or_else(wrong)?;
                if trace.calls[call].name != name {
                    return Err(wrong());
                }
                trace.moments.push(Moment::End(call));
                continue;
            }
            let call = trace.calls.len();
            trace.moments.push(Moment::Begin(call));
            if let Some(begun) = said.strip_suffix("<unfinished ...>") {
                // Where it never returns, what is there is all that is known.
                let begun = begun.trim_end();
                let call_so_far = Call::read(thread, &format!("{begun}) = ?")).ok_or_else(wrong)?;
                trace.calls.push(call_so_far);
                unfinished.insert(thread, (call, begun));
                continue;
            }
            trace.calls.push(Call::read(thread, said).ok_or_else(wrong)?);
            trace.moments.push(Moment::End(call));
        }
        Ok(trace)
    }
}

impl Call {
    fn read(thread: u32, said: &str) -> Option<Self> {
        let (call, result) = said.rsplit_once(" = ")?;
        let (name, arguments) = call.trim_end().strip_suffix(')')?.split_once('(')?;
        let (result, why) = result.split_once(' ').unwrap_or((result, ""));
        let result = match result.strip_prefix("0x") {
            Some(hex) => i64::try_from(u64::from_str_radix(hex, 16).ok()?).ok(),
            // It will be begun anew.
            None if result == "?" && why.starts_with("ERESTART") => Some(-1),
            None if result == "?" => None,
            None => Some(result.parse().ok()?),
        };
        let arguments = split(arguments).into_iter().map(str::to_owned).collect();
        Some(Self { thread, name: name.to_owned(), arguments, result, line: shortened(said) })
    }

    /// Whether it did what it was to do.
    pub(crate) fn is_done(&self) -> bool {
        self.result.is_some_and(|result| result >= 0)
    }

    /// What is said where it cannot be followed.
    pub(crate) fn wrong(&self, why: &str) -> String {
        format!("{why}: {}", self.line)
    }

    pub(crate) fn argument(&self, place: usize) -> Result<&str, String> {
        self.arguments.get(place).map(String::as_str).ok_or_else(|| self.wrong("an argument is missing"))
    }

    pub(crate) fn has(&self, place: usize, flag: &str) -> bool {
        self.arguments.get(place).is_some_and(|flags| flags.split(['|', '(', ')']).any(|one| one == flag))
    }

    pub(crate) fn number(&self, place: usize) -> Result<u64, String> {
        let said = self.argument(place)?;
        let number = match said.strip_prefix("0x") {
            Some(hex) => u64::from_str_radix(hex, 16),
            None => said.parse(),
        };
        number.map_err(|_| self.wrong("not a number"))
    }

    /// A descriptor; none where the working folder is meant.
    pub(crate) fn descriptor(&self, place: usize) -> Result<Option<u64>, String> {
        if self.argument(place)? == "AT_FDCWD" { Ok(None) } else { self.number(place).map(Some) }
    }

    /// All the bytes of an argument, also of a list of pieces.
    pub(crate) fn bytes(&self, place: usize) -> Result<Vec<u8>, String> {
        let said = self.argument(place)?;
        // Every other part between quotation marks is text; nothing else that is written has any.
        let mut bytes = Vec::with_capacity(said.len() / 4);
        for (number, part) in said.split('"').enumerate() {
            if number % 2 == 1 {
                unhex(part, &mut bytes).ok_or_else(|| self.wrong("not hexadecimal"))?;
            } else if part.starts_with("...") {
                return Err(self.wrong("cut short"));
            }
        }
        Ok(bytes)
    }

    pub(crate) fn path(&self, place: usize) -> Result<String, String> {
        String::from_utf8(self.bytes(place)?).map_err(|_| self.wrong("no text"))
    }
}

fn unhex(text: &str, bytes: &mut Vec<u8>) -> Option<()> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    for four in text.as_bytes().chunks(4) {
        let [b'\\', b'x', high, low] = *four else { return None };
        bytes.push(digit(high)? << 4 | digit(low)?);
    }
    Some(())
}

/// Splits at the commas that are in no bracket and in no text.
fn split(arguments: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut begin, mut from) = (Vec::new(), 0, 0, 0);
    for (number, part) in arguments.split('"').enumerate() {
        // Texts are long, and nothing in them is looked for.
        for (at, byte) in if number % 2 == 0 { part } else { "" }.bytes().enumerate() {
            match byte {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth -= 1,
                b',' if depth == 0 => {
                    parts.push(arguments[begin..from + at].trim());
                    begin = from + at + 1;
                }
                _ => {}
            }
        }
        from += part.len() + 1;
    }
    parts.push(arguments[begin..].trim());
    parts
}

fn shortened(line: &str) -> String {
    line.chars().take(300).collect()
}

#[cfg(test)]
mod tests {
    use super::Moment::{Begin, End};
    use super::*;

    #[test]
    fn a_call_is_read_with_its_bytes_also_where_another_came_between() {
        let text = r#"7 openat(AT_FDCWD, "\x2f\x61", O_RDWR|O_CREAT|O_CLOEXEC, 0600) = 3
7 pwritev(3, [{iov_base="\x01\x02", iov_len=2}, {iov_base="\x03", iov_len=1}], 2, 4096 <unfinished ...>
8 accept4(5,  <unfinished ...>
7 <... pwritev resumed>)            = 3
8 <... accept4 resumed>{sa_family=AF_INET, sin_port=htons(99), sin_addr=inet_addr("\x31")}, [16], SOCK_CLOEXEC) = 9
8 fsync(3)                          = -1 EIO (Input/output error)
7 exit_group(0)                     = ?
7 +++ exited with 0 +++
"#;
        let trace = Trace::read(text).unwrap();
        let [open, write, accept, sync, exit] = &trace.calls[..] else { panic!("{trace:?}") };
        assert_eq!(
            (open.path(1).unwrap().as_str(), open.descriptor(0), open.result),
            ("/a", Ok(None), Some(3))
        );
        assert!(open.has(2, "O_CREAT") && !open.has(2, "O_TRUNC"));
        assert_eq!((write.bytes(1).unwrap(), write.number(3)), (vec![1, 2, 3], Ok(4096)));
        assert_eq!((accept.result, accept.has(3, "SOCK_CLOEXEC")), (Some(9), true));
        assert!(!sync.is_done() && sync.result == Some(-1) && exit.result.is_none());
        let order =
            [Begin(0), End(0), Begin(1), Begin(2), End(1), End(2), Begin(3), End(3), Begin(4), End(4)];
        assert_eq!(trace.moments, order);
    }

    #[test]
    fn what_was_cut_short_or_is_not_a_call_is_refused() {
        let trace = Trace::read("7 write(1, \"\\x61\"..., 5) = 5\n").unwrap();
        assert!(trace.calls[0].bytes(1).unwrap_err().starts_with("cut short"));
        assert!(Trace::read("7 something else\n").is_err());
        assert!(Trace::read("7 <... write resumed>) = 5\n").is_err());
    }
}
