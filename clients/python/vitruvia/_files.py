"""Answers that are files, such as bodies as GLB."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class File:
    """A file that answers a call."""

    content: bytes
    content_type: str
    """Its media type, such as `model/gltf-binary`."""
    etag: str | None
    """Hash of the request and of the data that it was made from."""
    worst_mm: float | None
    """Of one body: largest difference of asked and achieved, mm."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the file."""
        Path(path).write_bytes(self.content)
