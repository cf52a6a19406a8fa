"""Counting in a base's own tokens: parts sum up to the whole, whatever the characters."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.bases.tokens import Tokens, tokens_of
from pipeline.errors import UserError
from tests.qwen3_tokenizer import write_qwen3_tokenizer
from tests.tiny_llama import write_tokenizer

texts = st.one_of(
    st.text(max_size=40),
    st.text(alphabet="aé\u0301\u0323ñ·€😀👍🏽漢 \n\t\u2028\x00<|>", max_size=40),
)


@pytest.fixture(scope="session", params=["tiny", "qwen3"])
def tokens(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Tokens:
    folder = tmp_path_factory.mktemp(request.param)
    (write_tokenizer if request.param == "tiny" else write_qwen3_tokenizer)(folder)
    return Tokens(folder)


@given(text=texts, places=st.lists(st.floats(0, 1), max_size=6))
def test_parts_sum_up_to_the_whole(tokens: Tokens, text: str, places: list[float]) -> None:
    cuts = [0, *sorted(round(place * len(text)) for place in places), len(text)]
    counts = tokens.count_between(text, cuts)
    assert len(counts) == len(cuts) - 1 and all(count >= 0 for count in counts)
    assert sum(counts) == tokens.count(text)


@pytest.mark.parametrize(
    ("text", "cuts"),
    [
        ("Un any. Dos anys.", [0, 7, 17]),
        ("Àngel 😀 ñandú. Fi.", [0, 14, 18]),
        ("漢字かな交じり文。\nDesprés.", [0, 10, 18]),
        ("a\n\nb", [0, 3, 4]),
    ],
)
def test_a_part_counts_as_its_own_text_where_words_are_not_cut(tokens: Tokens, text: str, cuts: list[int]) -> None:
    counts = tokens.count_between(text, cuts)
    alone = [tokens.count(text[a:b].strip()) for a, b in zip(cuts, cuts[1:], strict=False)]
    for count, own in zip(counts, alone, strict=True):
        assert own <= count <= own + 2  # the white space between them


def test_a_character_of_several_tokens_belongs_to_one_part(tmp_path: Path) -> None:
    write_tokenizer(tmp_path)
    tokens = Tokens(tmp_path)
    bytes_of = {"a": 1, "漢": 3, "😀": 4}  # none of them was learned whole
    for text, length in bytes_of.items():
        assert tokens.count(text) == length
    assert tokens.count_between("漢😀a", [0, 1, 2, 3]) == [3, 4, 1]
    assert tokens.count_between("😀漢", [0, 0, 1, 2, 2]) == [0, 4, 3, 0]


def test_nothing_has_no_tokens(tokens: Tokens) -> None:
    assert tokens.count("") == 0 and tokens.count_between("", [0, 0]) == [0]
    assert tokens.count_between("", [0]) == []


def test_truncation_padding_and_special_tokens_of_the_file_do_not_count(tmp_path: Path) -> None:
    from tokenizers import Tokenizer
    from tokenizers.processors import TemplateProcessing

    write_tokenizer(tmp_path)
    text = "L'activitat va acabar. " * 20
    count = Tokens(tmp_path).count(text)
    file = str(tmp_path / "tokenizer.json")
    spoilt = Tokenizer.from_file(file)
    spoilt.enable_truncation(5)
    spoilt.enable_padding(length=300, pad_id=0, pad_token="<|im_end|>")
    spoilt.post_processor = TemplateProcessing(single="<|im_end|> $A", special_tokens=[("<|im_end|>", 0)])
    spoilt.save(file)
    tokens = Tokens(tmp_path)
    assert tokens.count(text) == count and sum(tokens.count_between(text, [0, 9, len(text)])) == count


def test_equal_files_have_one_name_and_a_folder_is_read_once(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_tokenizer(tmp_path / name)
    assert tokens_of(tmp_path / "a").name == tokens_of(tmp_path / "b").name
    assert tokens_of(tmp_path / "a") is tokens_of(tmp_path / "a")


def test_a_folder_without_a_tokenizer_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"no tokenizer\.json\. Choose a model folder"):
        Tokens(tmp_path)
