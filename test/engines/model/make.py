"""Makes the folder of the model of the tests of real engines: make.py FOLDER."""

import sys
from pathlib import Path

import checkpoint
import gguf_file
from model import vocabulary


def main(folder: Path) -> None:
    folder.mkdir()
    known = vocabulary()
    template = (Path(__file__).parent / "chat.jinja").read_text()
    gguf_file.write(folder / "model.gguf", known, template)
    checkpoint.write(folder, known, template)


main(Path(sys.argv[1]))
