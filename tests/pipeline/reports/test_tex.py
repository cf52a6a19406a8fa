"""LaTeX: what would be printed, in its place, and an account that shows what is lost."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import UserError
from pipeline.records import Report
from pipeline.reports import read_report
from pipeline.reports.tex import walker
from pipeline.reports.tex.numbers import items_of
from tests.pipeline.reports.told import outline, text


@pytest.fixture
def read(tmp_path: Path):
    def read(body: str, preamble: str = "", kind: str = "article") -> Report:
        path = tmp_path / "a.tex"
        path.write_text(
            f"\\documentclass[12pt]{{{kind}}}\n{preamble}\n\\begin{{document}}{body}\\end{{document}}\nrest"
        )
        report = read_report(path)
        assert report.characters.unaccounted == 0, report.characters
        assert report.characters.left_out["after the document"] == 4
        return report

    return read


def test_headings_and_their_numbers(read) -> None:
    body = r"""
\section{Aims}\label{sec:aims}
\subsection[Short]{North \& south\footnote{Near.}}
\subsection*{None}
\subsubsection{Deep}
\paragraph{Run in.} Said.
\setcounter{section}{6}
\section{Ends}
\appendix
\section{Tables}
\subsection{One}"""
    report = read(body)
    assert outline(report) == [
        (1, "1 Aims"),
        (2, "1.1 North & south"),
        (2, "None"),
        (3, "1.1.1 Deep"),
        (4, "Run in."),
        (1, "7 Ends"),
        (1, "A Tables"),
        (2, "A.1 One"),
    ]
    assert report.sections[1].text == "[^1]: Near." and report.sections[4].text == "Said."
    assert report.characters.left_out["table of contents"] == 5
    shallow = read(body, r"\setcounter{secnumdepth}{1}")
    assert [s.number for s in shallow.sections] == ["1", None, None, None, None, "7", "A", None]


def test_chapters_and_parts(read) -> None:
    report = read(
        r"\part{P}\chapter{A}\section{B}\subsection{C}\subsubsection{D}\part{Q}\chapter{E}\section{F}\appendix\chapter{G}",
        kind="report",
    )
    assert outline(report) == [
        (1, "I P"),
        (2, "1 A"),
        (3, "1.1 B"),
        (4, "1.1.1 C"),
        (5, "D"),
        (1, "II Q"),
        (2, "2 E"),
        (3, "2.1 F"),
        (2, "A G"),
    ]


def test_title_and_abstract(read) -> None:
    preamble = r"""
% \title{A joke}
\usepackage[english,catalan]{babel}
\title[Pont]{El pont\\ de pedra\thanks{Amb ajut.}}
\author{Anna Puig \and Pere Vila}
\date{2024}"""
    report = read(r"\maketitle\begin{abstract}Res.\end{abstract}\section{U}Dos", preamble)
    assert report.title == "El pont de pedra"
    assert report.sections[0].text == "Anna Puig\nPere Vila\n\n2024\n\n[^1]: Amb ajut."
    assert outline(report)[1:] == [(1, "Resum"), (1, "1 U")]
    silent = read("x", preamble)
    assert (silent.title, text(silent)) == ("El pont de pedra", "x\n\n[^1]: Amb ajut.")
    inside = read(r"\title{One}\title{Two}\author{Me}\maketitle x \date{late}")
    assert (inside.title, text(inside)) == ("Two", "Me\n\nx")


def test_text(read) -> None:
    report = read(r"""
Vam fer l\'us d'una \emph{nova \textbf{via}}---com ``abans'': 10\,\% \& m\'es, \c{c}a va. % not this
I \textsc{aix\'o} tamb\'e~ho \verb|\x % y| diu\ldots{} \today
seguit.

\noindent\vspace{2cm}{\large Another} \unknown{kept} \Lost, \textcolor{red}{red} \enquote{said} \alpha.\\ New line
\iffalse never \fi
\begin{center}Middle\end{center}""")
    assert text(report).split("\n\n") == [
        "Vam fer lús d'una nova via—com “abans”: 10 % & més, ça va. I aixó també ho \\x % y diu… \\today seguit.",
        "Another kept \\Lost , red “said” α.\nNew line",
        "Middle",
    ]
    assert report.characters.left_out["source comment"] == 12


def test_bold_lines_head_sections_where_no_heading_is(read) -> None:
    report = read("\\textbf{Aims}\n\nOne.\n\nTwo.\n\n{\\bfseries Means}\n\nThree.\n\nFour \\textbf{five}.")
    assert [s.heading for s in report.sections] == ["Aims", "Means"]


def test_lists(read) -> None:
    report = read(r"""\begin{itemize}\item wood
\begin{enumerate}\item oak\item pine

more of it\begin{enumerate}\item deep\end{enumerate}\end{enumerate}
\item[--] iron\end{itemize}
\begin{description}\item[Term] what it means\end{description}
\begin{enumerate}[label=\alph*), start=3]\item c\item[x.] own\end{enumerate}""")
    assert text(report) == (
        "- wood\n  1. oak\n  2. pine\n    more of it\n    (a) deep\n- iron\n- Term what it means\nc) c\nx. own"
    )


@pytest.mark.parametrize(
    ("options", "labels"),
    [
        ("", ["1.", "2."]),
        ("label=(\\roman*)", ["(i)", "(ii)"]),
        ("leftmargin=1cm,label={\\textbf{\\Alph*}.},start=2", ["B.", "C."]),
        ("a)", ["a)", "b)"]),
        ("leftmargin=*", ["1.", "2."]),
    ],
)
def test_labels(options: str, labels: list[str]) -> None:
    items = items_of("enumerate", options, 0)
    assert [items.next_label(), items.next_label()] == labels


def test_tables(read) -> None:
    report = read(r"""\begin{table}[ht]\centering\caption[Brief]{What it cost}\label{t}
\begin{tabularx}{\textwidth}{l|X|>{\bfseries}r}\toprule
Year & \multicolumn{2}{c}{Sum} \\ \cmidrule(lr){2-3}
\multirow{2}{*}{2023} & a $|$ b & \begin{tabular}{ll}1&2\\3&4\end{tabular}\footnote{Rounded.}\\[2pt]
 & \begin{itemize}\item x\end{itemize} & \\ \hline
\end{tabularx}\end{table}
\begin{longtable}{ll}\caption{Long}\\ A&B\\ \endfirsthead A again&B\\ \endhead \emph{go on}&\\ \endfoot
1&2\\ 3&4\end{longtable}
\begin{tabular}{|p{5cm}|}\hline In a frame\\\hline\end{tabular}""")
    assert [(b.kind, b.text) for b in report.sections[0].blocks] == [
        ("caption", "What it cost"),
        (
            "table",
            "| Year | Sum |  |\n| --- | --- | --- |\n| 2023 | a $\\|$ b | 1; 2<br>3; 4<br>[^1] |\n|  | - x |  |",
        ),
        ("note", "[^1]: Rounded."),
        ("caption", "Long"),
        ("table", "| A | B |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |\n| go on |  |"),
        ("paragraph", "In a frame"),
    ]
    assert report.characters.left_out["header or footer"] == 7


def test_formulas_stay_as_they_are(read) -> None:
    report = read(r"""By $a_1^2$ and \(b\): \[ c \quad d \] with
\begin{align*} x &= 1 \\ y &= \half{2} \end{align*}
\begin{equation}\label{e} E=mc^2\end{equation}""")
    assert text(report) == (
        "By $a_1^2$ and $b$:\n$$c \\quad d$$\nwith\n"
        "$$\\begin{align*} x &= 1 \\\\ y &= \\half{2} \\end{align*}$$\n$$\\label{e} E=mc^2$$"
    )


def test_code_drawings_and_other_files(read) -> None:
    report = read(r"""\begin{verbatim}
a % b
  \c{d}
\end{verbatim}
\begin{lstlisting}[language=C]
int x;
\end{lstlisting}
\begin{comment}
gone }
\end{comment}
\begin{tikzpicture}[x=1cm]\node at (0,0) {Start};\end{tikzpicture}
\includegraphics[width=3cm]{river.png}\input{chapters/one} \include{two}""")
    assert text(report) == "```\na % b\n  \\c{d}\n```\n\n```\nint x;\n```"
    assert report.characters.left_out["source comment"] == 5
    assert report.characters.left_out["drawing code"] > 10
    assert report.warnings == (
        "a file that the text draws in was not read: chapters/one",
        "a file that the text draws in was not read: two",
    )


def test_references_and_links(read) -> None:
    report = read(r"""See \ref{sec:a}, \cite[see][p.~3]{k1,k2} and \citep{k3}.
\href{http://a.org/c%20d#e}{there} \url{http://b.org/x_1%} \href{http://c.org}{c.org}
\begin{thebibliography}{9}\bibitem{k1} A. Book. \bibitem[Vila 2020]{k2} B.\end{thebibliography}""")
    assert report.sections[0].text == (
        "See [sec:a], [see k1,k2, p. 3] and [k3]. [there](http://a.org/c%20d#e) http://b.org/x_1% c.org"
    )
    assert outline(report)[1] == (1, "References")
    assert report.sections[1].text == "- [k1] A. Book.\n- [Vila 2020] B."


def test_own_commands(read, monkeypatch: pytest.MonkeyPatch) -> None:
    preamble = r"""\newcommand{\name}{\textsc{Pont}}\newcommand*{\pair}[2][x]{(#1, \emph{#2}; #2)}
\renewcommand{\double}[1]{\pair[#1]{#1}} \def\short{Brief}\newcommand{\drop}[1]{}\newcommand{\sq}[1]{$#1^2$}"""
    report = read(r"\name{} and \pair{one} \pair[a]{b} \double{\name 2} \short \drop{unseen} \sq{c}", preamble)
    assert text(report) == "Pont and (x, one; one) (a, b; b) (Pont2, Pont2; Pont2) Brief $c^2$"
    assert report.characters.read == len("andoneab2c")
    monkeypatch.setattr(walker, "MOST_EXPANSIONS", 50)
    bomb = "".join(rf"\newcommand{{\{b}}}{{\{a}\{a}}}" for a, b in zip("uvwxy", "vwxyz", strict=True))
    assert len(text(read(r"\z\newcommand{\loop}{\loop}\loop", r"\newcommand{\u}{ha}" + bomb))) < 400


def test_a_title_by_an_own_command(read) -> None:
    report = read(r"\cover{The bridge}{Me} x", r"\newcommand{\cover}[2]{\title{#1}\author{#2}}")
    assert (report.title, text(report)) == ("The bridge", "Me x")


def test_a_piece_without_a_preamble(tmp_path: Path) -> None:
    path = tmp_path / "chapter.tex"
    path.write_bytes("\\chapter{Resultats}\nLa cooperació ha estat bona.\n\\section{Més}\nSí.".encode("cp1252"))
    report = read_report(path)
    assert [(s.level, s.heading) for s in report.sections] == [(1, "Resultats"), (2, "Més")]
    assert report.sections[0].text == "La cooperació ha estat bona." and report.characters.unaccounted == 0


@pytest.mark.parametrize(
    "bad", ["{ a", "a } b", "$a", r"\begin{itemize}\item a", r"\end{x} a", r"\verb|a", "\\section a"]
)
def test_unsound_source_is_read_all_the_same(tmp_path: Path, bad: str) -> None:
    path = tmp_path / "a.tex"
    path.write_text("before " + bad)
    report = read_report(path)
    assert "a" in text(report) + report.sections[-1].heading and report.characters.unaccounted == 0


def test_nested_without_end(tmp_path: Path) -> None:
    path = tmp_path / "a.tex"
    path.write_text("{" * 5000 + "x")
    with pytest.raises(UserError, match="nested too deeply"):
        read_report(path)


WORDS = st.sampled_from(["pont", "riu", "mà", "42", "x-y"])
WRAPPED = st.recursive(
    WORDS,
    lambda inner: st.one_of(
        st.tuples(st.sampled_from(["\\emph{%s}", "{\\bf %s}", "\\footnote{%s}", "\\foo{%s}", "\n\n%s\n\n"]), inner).map(
            lambda pair: pair[0].replace("%s", pair[1])
        ),
        st.tuples(
            st.sampled_from(["\\begin{center}%s\\end{center}", "\\section{%s}", "\\item %s", "\\textbf{%s} & "]), inner
        ).map(lambda pair: pair[0].replace("%s", pair[1])),
        st.lists(inner, min_size=1, max_size=4).map(" ".join),
        inner.map(lambda said: f"\\begin{{itemize}}\\item {said}\\end{{itemize}}"),
        inner.map(lambda said: f"\\begin{{tabular}}{{l}}{said} & b\\\\\\end{{tabular}}"),
    ),
    max_leaves=12,
)


@given(WRAPPED)
def test_no_word_is_lost(tmp_path_factory, body: str) -> None:
    path = tmp_path_factory.mktemp("tex") / "a.tex"
    path.write_text("start " + body)
    report = read_report(path)
    said = text(report) + " ".join(section.heading for section in report.sections)
    for word in ("pont", "riu", "mà", "42", "x-y"):
        assert said.count(word) == body.count(word)
    assert report.characters.unaccounted == 0
