"""The private folder: locked while its server lives, swept once it does not."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

from quire.server.folder import PrivateFolder, sweep


def test_it_is_ours_alone_and_gone_when_removed(tmp_path: Path):
    private = PrivateFolder(str(tmp_path))
    assert stat.S_IMODE(os.stat(private.path).st_mode) == 0o700
    private.remove()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_whose_server_was_killed_is_swept_by_the_next(tmp_path: Path):
    made = f"PrivateFolder({str(tmp_path)!r})"
    script = f"from quire.server.folder import PrivateFolder; import os; {made}; os._exit(9)"
    subprocess.run([sys.executable, "-c", script], check=False)
    assert len(list(tmp_path.iterdir())) == 1
    private = PrivateFolder(str(tmp_path))
    assert [str(p) for p in tmp_path.iterdir()] == [private.path]
    private.remove()


def test_a_folder_in_use_and_what_is_not_ours_are_left_alone(tmp_path: Path):
    private = PrivateFolder(str(tmp_path))
    (tmp_path / "quire-notes").mkdir()
    (tmp_path / "quire-file").write_text("mine")
    assert sweep(str(tmp_path)) == []
    assert len(list(tmp_path.iterdir())) == 3
    private.remove()
