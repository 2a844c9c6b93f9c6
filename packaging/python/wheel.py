"""Packs the programs as a wheel: `python3 wheel.py VERSION TRIPLE PROGRAMS OUT LEVEL`.

The name `askuser` belongs to somebody else there. A static program runs beside either C library, and its wheel says so:
pip takes one that names the C library of its own Python only.
"""

import base64
import hashlib
import os
import sys
import time
import zipfile
from pathlib import Path

NAME = "askuser-desk"
SUMMARY = "Makes any AI agent's question durable, answerable anywhere, and honest about who answered"
LICENSES = ["LICENSE-APACHE", "LICENSE-MIT"]


def tag(triple: str) -> str:
    """Where it runs, in pip's words; one that needs this machine's C library is not for PyPI."""
    cpu, _, system = triple.split("-", 2)
    return {
        "linux-musl": f"manylinux_2_17_{cpu}.manylinux2014_{cpu}.musllinux_1_1_{cpu}",
        "linux-gnu": f"linux_{cpu}",
        "darwin": "macosx_11_0_arm64" if cpu == "aarch64" else "macosx_10_12_x86_64",
    }[system]


def main(version: str, triple: str, programs: str, out: str, level: str) -> None:
    stem = f"{NAME.replace('-', '_')}-{version}"
    about = f"{stem}.dist-info"
    platforms = tag(triple)
    wheel = ["Wheel-Version: 1.0", "Generator: askuser", "Root-Is-Purelib: false"]
    wheel += [f"Tag: py3-none-{one}" for one in platforms.split(".")]
    said = ["Metadata-Version: 2.4", f"Name: {NAME}", f"Version: {version}", f"Summary: {SUMMARY}"]
    said += ["Requires-Python: >=3.8", "License-Expression: MIT OR Apache-2.0"]
    said += [f"License-File: {name}" for name in LICENSES] + ["Description-Content-Type: text/markdown", ""]
    files = {f"{stem}.data/scripts/{path.name}": path.read_bytes() for path in sorted(Path(programs).iterdir())}
    # The MCP registry looks for its own entry's name in what PyPI shows.
    owned = f"<!-- mcp-name: io.github.{os.environ.get('ASKUSER_OWNER', 'askuser')}/askuser -->\n"
    files[f"{about}/METADATA"] = "\n".join([*said, Path("README.md").read_text(), owned]).encode()
    files[f"{about}/WHEEL"] = "\n".join([*wheel, ""]).encode()
    files |= {f"{about}/licenses/{name}": Path(name).read_bytes() for name in LICENSES}
    rows = [f"{name},sha256={digest(content)},{len(content)}" for name, content in files.items()]
    files[f"{about}/RECORD"] = "\n".join([*rows, f"{about}/RECORD,,", ""]).encode()
    moment = time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))[:6]
    with zipfile.ZipFile(Path(out, f"{stem}-py3-none-{platforms}.whl"), "w") as packed:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, moment)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if "/scripts/" in name else 0o100644) << 16
            packed.writestr(entry, content, compresslevel=int(level))


def digest(content: bytes) -> str:
    """As RECORD wants it."""
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


main(*sys.argv[1:])
