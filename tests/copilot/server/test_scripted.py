"""The scripted writer keeps the writer's promises."""

import threading

from copilot.server.scripted import ScriptedWriter
from copilot.server.writer import Piece, Writer
from pipeline.records import Message

ASK = (Message(role="user", content="Budget"),)


def test_words_in_order_and_a_whole_end():
    writer: Writer = ScriptedWriter("Un text  breu.\n\nFi")
    pieces = list(writer.stream(ASK, model="m", max_tokens=9, temperature=0))
    assert "".join(p.text for p in pieces) == "Un text  breu.\n\nFi"
    assert [p.finish for p in pieces] == [None, None, None, None, "stop"]


def test_cut_off_at_max_tokens():
    pieces = list(ScriptedWriter("a b c").stream(ASK, model="m", max_tokens=2, temperature=0))
    assert pieces == [Piece("a "), Piece("b "), Piece("", "length")]


def test_the_text_may_depend_on_what_is_asked():
    writer = ScriptedWriter(lambda messages: messages[-1].content.lower())
    assert next(writer.stream(ASK, model="m", max_tokens=2, temperature=0, seed=3)).text == "budget"
    assert writer.calls[0]["model"] == "m" and writer.calls[0]["seed"] == 3


def test_closing_wakes_one_who_waits():
    stream = ScriptedWriter("a b", delay_seconds=3600).stream(ASK, model="m", max_tokens=2, temperature=0)
    read: list[Piece] = []
    reader = threading.Thread(target=lambda: read.extend(stream), daemon=True)
    reader.start()
    stream.close()
    reader.join(5)
    assert not reader.is_alive() and read == []
