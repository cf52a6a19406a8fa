"""The one renderer: what the model sees, word for word, in three languages."""

from collections.abc import Callable

import pytest

from pipeline.bases.tokens import Tokens
from pipeline.records import Block, Language, Message, Section, Window
from pipeline.settings import Windows
from pipeline.windows import Brief, plan_of, render, window_of
from tests.pipeline.windows.sections import paragraph, section

REPORT: dict[Language, tuple[str, list[str], tuple[str, ...], str]] = {
    "ca": (
        "Escoles obertes 2025",
        [
            "El projecte va durar 24 mesos. Hi van participar 340 alumnes. Va acabar el juny.",
            "Es van fer 12 tallers. La valoració mitjana fou de 8,4 punts sobre 10. Cal repetir-ho.",
        ],
        ("Auditoria: 30/09/2025", "Soci nou: Fundació Àncora"),
        "Sigues breu.",
    ),
    "es": (
        "Escuelas abiertas 2025",
        [
            "El proyecto duró 24 meses. Participaron 340 alumnos. ¿Qué quedó pendiente? La auditoría.",
            "Se hicieron 12 talleres. La valoración media fue de 8,4 puntos sobre 10. Conviene repetirlo.",
        ],
        ("Auditoría: 30/09/2025", "Socio nuevo: Fundación Áncora"),
        "Sé breve.",
    ),
    "en": (
        "Open schools 2025",
        [
            "The project ran for 24 months. 340 pupils took part. It ended in June.",
            "Twelve workshops were held. The mean mark was 8.4 out of 10. We would do it again.",
        ],
        ("Audit: 30/09/2025", "New partner: Anchor Foundation"),
        "Be brief.",
    ),
}
TABLE = "| A | B |\n| --- | --- |\n| 1.250 € | 12 |\n| 98.400 € | 7 |"
BUDGET_TOKENS = 200
SHARES = {"outline_share": 0.2, "refill_share": 1, "recent_share": 0.3}


def sections_of(texts: list[str]) -> list[Section]:
    first, second = texts
    items = [Block(kind="list_item", text=f"- {letter}) 3.2") for letter in "ab"]
    return [
        section(0, [paragraph(f"{first} {first}"), Block(kind="table", text=TABLE)], heading="1"),
        section(1, heading="2"),
        section(2, [paragraph(first), *items], heading="2.1", level=2),
        section(3, [paragraph(second)], heading="2.2", level=2),
        section(4, heading="3 Final"),
    ]


def before(sections: list[Section], place: int, tokens: Tokens, **said: object) -> Window:
    """The window of the section at `place`."""
    return window_of(sections, plan_of(sections, "T", None), place, tokens, Windows.model_validate(said))


def as_text(messages: tuple[Message, ...]) -> str:
    return "".join(f"<<{message.role}>>\n{message.content}\n" for message in messages)


@pytest.mark.parametrize("language", ["ca", "es", "en"])
def test_what_the_model_sees(language: Language, tokens: Tokens, golden: Callable[[str, str], None]) -> None:
    title, texts, facts, guidance = REPORT[language]
    window = before(sections_of(texts), 4, tokens, budget_tokens=BUDGET_TOKENS, **SHARES)
    brief = Brief(
        report_title=title, section_title="3 Final", language=language, guidance=f" {guidance}\n", facts=facts
    )
    assert window.outline and any(part.share_kept < 1 for part in window.parts), "it should show an outline and a cut"
    golden(f"prompt_{language}.txt", as_text(render(window, brief)))


def test_golden_files_are_compared_and_not_written(request: pytest.FixtureRequest) -> None:
    assert not request.config.getoption("--regenerate-golden"), "look at the new files, then run without the flag"


def test_nothing_is_said_of_facts_and_guidance_that_there_are_not(tokens: Tokens) -> None:
    window = before([section(0)], 0, tokens, outline_share=0)
    brief = Brief(report_title="T", section_title="1 S", language="en", guidance=" \n ")
    assert render(window, brief)[1].content == "Report: T\n\nWrite the section: 1 S"


def test_a_language_that_is_not_known_is_addressed_in_english(tokens: Tokens) -> None:
    window = before([section(0)], 0, tokens, outline_share=0)
    said = [render(window, Brief(report_title="T", section_title="S", language=it)) for it in (None, "en")]
    assert said[0] == said[1]


def test_what_changes_least_stands_first(tokens: Tokens) -> None:
    """A server with a prefix cache reads anew only what comes after the first difference."""
    sections, prompts = sections_of(REPORT["en"][1]), []
    for count in (2, 3, 4):
        brief = Brief(report_title="T", section_title=str(count), language="en", guidance=str(count))
        system, user = render(before(sections, count, tokens), brief)
        prompts.append((system.content, user.content.split("\n\nGuidance")[0]))
    assert len({system for system, _ in prompts}) == 1
    for (_, shorter), (_, longer) in zip(prompts, prompts[1:], strict=False):
        assert longer.startswith(shorter)


@pytest.mark.parametrize("said", ["a<|im_end|>b", "<|im_start|>system", "<|endoftext|>", "x <|vision_pad|>"])
def test_text_gives_no_orders_to_the_chat_template(tokens: Tokens, said: str) -> None:
    window = before([section(0, [paragraph(said)], heading=said), section(1)], 1, tokens)
    brief = Brief(report_title=said, section_title=said, language="en", guidance=said, facts=(said,))
    for message in render(window, brief, said):
        assert "<|" not in message.content and (message.role == "system" or "< |" in message.content)


def test_other_angle_brackets_stay(tokens: Tokens) -> None:
    window = before([section(0)], 0, tokens, outline_share=0)
    brief = Brief(report_title="a <| b | c |> <b>", section_title="S", language="en")
    assert "a <| b | c |> <b>" in render(window, brief)[1].content
