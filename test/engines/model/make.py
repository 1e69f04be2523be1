"""Makes the folder of the models of the tests of real engines: make.py FOLDER."""

import sys
from pathlib import Path

import checkpoint
import follower
import gguf_file
from model import vocabulary

SOURCES = Path(__file__).parent


def main(folder: Path) -> None:
    folder.mkdir()
    conversation = (SOURCES / "conversation.jinja").read_text()
    template = conversation + (SOURCES / "chat.jinja").read_text()
    known = vocabulary()
    gguf_file.write(folder / "model.gguf", known, template)
    checkpoint.write(folder, known, template)
    told = (SOURCES / "follower.jinja").read_text()
    distance = f"{{%- set DISTANCE = {follower.DISTANCE} %}}\n"
    follower.write(folder / "follower.gguf", distance + conversation + told)


main(Path(sys.argv[1]))
