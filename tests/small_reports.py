"""Reports of a few sections in three languages, for whatever stands above reading."""

from pipeline.records import Block, Characters, Language, Report, Section, digest

SENTENCES: dict[Language, str] = {
    "ca": "L'acció {n} va durar {m} mesos i va costar {n}.250 euros. Hi havia {m} alumnes de {title}.",
    "es": "La acción {n} duró {m} meses y costó {n}.250 euros. Participaron {m} alumnos de {title}.",
    "en": "Action {n} ran for {m} months and cost {n},250 euros. {m} pupils of {title} took part.",
}


def small_report(language: Language | None, number: int, sections: int = 3, words: str | None = None) -> Report:
    """A report whose sections tell of its own number and title; `words` replaces the text of the last one."""
    title = f"{language}-{number}"
    source = digest(title)

    def section(place: int) -> Section:
        text = SENTENCES[language or "en"].format(n=place + 1, m=10 * number + place, title=title)
        if words is not None and place == sections - 1:
            text = words
        heading = f"Part {place + 1}"
        block = Block(kind="paragraph", text=text)
        return Section(
            document=source,
            position=place,
            level=1,
            number=str(place + 1),
            heading=heading,
            path=(heading,),
            language=language,
            blocks=(block,),
        )

    return Report(
        file=f"{title}.docx",
        source_sha256=source,
        reader="by hand",
        title=title,
        language=language,
        sections=tuple(map(section, range(sections))),
        characters=Characters(visible=0, read=0),
    )


def small_reports(each: int = 2, sections: int = 3) -> list[Report]:
    """`each` reports in each of the three languages."""
    return [small_report(language, number, sections) for language in SENTENCES for number in range(1, each + 1)]
