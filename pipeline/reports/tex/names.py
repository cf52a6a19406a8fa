"""What the commands of LaTeX are for, as far as a reader of the page can tell: by name, with their arguments.

Arguments are given as the parser wants them: `*` a star, `[` an optional one, `{` one that must be there.
"""


def _words(text: str) -> list[str]:
    return text.split()


# Levels as LaTeX counts them (`secnumdepth`): the first is -1 in books, where it stands above chapters.
SECTIONS = {
    "part": -1,
    "chapter": 0,
    "section": 1,
    "subsection": 2,
    "subsubsection": 3,
    "paragraph": 4,
    "subparagraph": 5,
}
SYMBOLS = {
    "%": "%", "#": "#", "&": "&", "_": "_", "$": "$", "{": "{", "}": "}",
    "S": "§", "P": "¶", "pounds": "£", "euro": "€", "copyright": "©", "textgreater": ">", "textless": "<",
    "textbar": "|", "textasciitilde": "~", "textasciicircum": "^", "slash": "/", "textcelsius": "°C", "degree": "°",
    "og": "« ", "fg": " »", "lq": "‘", "rq": "’", "newline": "\n", "linebreak": "\n", "\\": "\n",
    "tabularnewline": "\n", "and": "\n", "checkmark": "✓", "textbullet": "•", "textsection": "§",
    "textparagraph": "¶", "textquotesingle": "'",
    "guillemetleft": "«", "guillemetright": "»", "textperthousand": "‰", "textordfeminine": "ª", "-": "", "/": "",
    "textordmasculine": "º", "textnumero": "№", "textonehalf": "½", "xspace": "", "@": "", "ldots": "…", "dots": "…",
    "quad": " ", "qquad": " ", "enspace": " ", "thinspace": " ", " ": " ", ",": " ", ";": " ", ":": " ", "!": "",
}  # fmt: skip
SPECIALS = {"~": " ", "``": "“", "''": "”", "--": "–", "---": "—", "!`": "¡", "?`": "¿", "&": "&"}
ACCENTS = frozenset(("'", "`", '"', "^", "~", "=", ".", "u", "v", "H", "c", "d", "b", "r", "k", "t"))

# Commands whose arguments are read as if the command were not there. The name of one that is unknown is kept.
TRANSPARENT = {
    **dict.fromkeys(("textbf", "emph", "textit", "textsc", "texttt", "textsf", "textsl", "textrm", "textmd"), "{"),
    **dict.fromkeys(("textup", "textnormal", "underline", "uline", "text", "mbox", "hbox", "fbox", "framebox"), "{"),
    **dict.fromkeys(("MakeUppercase", "MakeLowercase", "uppercase", "lowercase", "centerline", "so", "hl"), "{"),
    **dict.fromkeys(("ensuremath", "protect", "textsuperscript", "textsubscript", "sout", "st", "marginpar"), "{"),
    "makebox": "[[{",
    "num": "[{",
}
# Those of whose arguments only the last is read.
LAST_READ = {
    "textcolor": "[{{",
    "colorbox": "[{{",
    "fcolorbox": "[{[{{",
    "parbox": "[[[{{",
    "raisebox": "{[[{",
    "resizebox": "*{{{",
    "scalebox": "{[{",
    "rotatebox": "[{{",
    "foreignlanguage": "[{{",
    "multicolumn": "{{{",
    "multirow": "[{[{[{",
    "texorpdfstring": "{{",
    "hyperref": "[{",
    "hyperlink": "{{",
    "hypertarget": "{{",
    "adjustbox": "{{",
}
# Layout, of which nobody reads the arguments.
LAYOUT = {
    **dict.fromkeys(
        _words(
            "noindent indent centering raggedright raggedleft newpage clearpage cleardoublepage pagebreak nopagebreak"
            " smallskip medskip bigskip vfill hfill hrulefill dotfill hline toprule midrule bottomrule tableofcontents"
            " listoffigures listoftables maketitle appendix frontmatter mainmatter backmatter tiny scriptsize"
            " footnotesize small normalsize large Large LARGE huge Huge normalfont rmfamily sffamily ttfamily mdseries"
            " upshape itshape slshape scshape it rm sl sc tt sf em relax par endhead endfirsthead endfoot endlastfoot"
            " singlespacing onehalfspacing doublespacing null strut ignorespaces unskip makeatletter makeatother"
            " allowbreak sloppy fussy samepage flushbottom raggedbottom onecolumn twocolumn landscape boldmath"
            " unboldmath printindex printbibliography leavevmode selectfont nobreak break bgroup egroup fi else"
            " begingroup endgroup footnotemark smallbreak medbreak bigbreak nocite nolinebreak nonumber notag"
        ),
        "",
    ),
    **dict.fromkeys(("vspace", "hspace"), "*{"),
    **dict.fromkeys(
        _words(
            "label pagestyle thispagestyle pagenumbering bibliographystyle cline nocite index glossary hypersetup"
            " graphicspath geometry usetikzlibrary captionsetup setstretch linespread vskip hskip phantom hphantom"
            " vphantom selectlanguage markright thisfloatpagestyle phantomsection allowdisplaybreaks sisetup color"
            " rule extracolsep arraystretch lstset doublespacing"
        ),
        "{",
    ),
    **dict.fromkeys(("phantomsection", "allowdisplaybreaks", "doublespacing", "arraystretch"), ""),
    **dict.fromkeys(("setlength", "addtolength", "markboth", "fontsize", "setcounter", "addtocounter"), "{{"),
    **dict.fromkeys(("usepackage", "includegraphics", "enlargethispage", "color", "selectlanguage"), "[{"),
    **dict.fromkeys(("linebreak", "pagebreak", "nopagebreak", "footnotemark", "tableofcontents"), "["),
    **dict.fromkeys(("newcommand", "renewcommand", "providecommand"), "*{[[{"),
    **dict.fromkeys(("newenvironment", "renewenvironment"), "*{[[{{"),
    "addcontentsline": "{{{",
    "DeclareMathOperator": "*{{",
    "newtheorem": "*{[{[",
    "definecolor": "[{{{",
    "cmidrule": "",
    "specialrule": "{{{",
    "addlinespace": "[",
    "rowcolor": "[{",
    "cellcolor": "[{",
    "rule": "[{{",
}
# References: to a place in the text, and to a source.
REFERENCES = {
    **dict.fromkeys(("ref", "autoref", "cref", "Cref", "eqref", "pageref", "nameref", "vref", "subref", "thref"), "*{"),
    **dict.fromkeys(
        _words(
            "cite citet citep citealt citealp citeauthor citeyear citeyearpar Citet Citep Citealt Citealp Citeauthor"
            " parencite textcite footcite autocite fullcite supercite"
        ),
        "*[[{",
    ),
}
# Files that a text draws in. They are named, and never opened.
OTHER_FILES = {
    **dict.fromkeys(("input", "include", "subfile", "bibliography", "addbibresource", "includepdf"), "[{"),
    **dict.fromkeys(("lstinputlisting", "verbatiminput", "inputminted"), "[{"),
    **dict.fromkeys(("import", "subimport"), "{{"),
}
FRONT = ("subtitle", "author", "institute", "date")
OTHERS = {
    **dict.fromkeys(SECTIONS, "*[{"),
    **dict.fromkeys(("title", *FRONT), "[{"),
    **dict.fromkeys(("footnote", "footnotetext", "endnote"), "[{"),
    "thanks": "{",
    "caption": "*[{",
    "captionof": "{[{",
    "bibitem": "[{",
    "item": "[",
    "enquote": "*{",
    "\\": "*[",
}
ENVIRONMENTS = {
    **dict.fromkeys(("figure", "figure*", "table", "table*", "sidewaystable", "sidewaysfigure", "longtable"), "["),
    **dict.fromkeys(("itemize", "enumerate", "description", "compactitem", "compactenum"), "["),
    **dict.fromkeys(("tabular", "longtable"), "[{"),
    **dict.fromkeys(("tabular*", "tabularx", "tabulary"), "{[{"),
    "xltabular": "[{{",
    "minipage": "[[[{",
    "wrapfigure": "[{[{",
    "wraptable": "[{[{",
    "multicols": "{[",
    "thebibliography": "{",
    "adjustbox": "{",
    "spacing": "{",
    "otherlanguage": "{",
    "subfigure": "[{",
    "tikzpicture": "[",
    "supertabular": "{",
}
TABLES = frozenset(("tabular", "tabular*", "tabularx", "tabulary", "longtable", "xltabular", "supertabular", "tabu"))
LISTS = frozenset(("itemize", "enumerate", "description", "compactitem", "compactenum"))
MATH = frozenset(
    name + star
    for name in ("equation", "align", "gather", "multline", "eqnarray", "flalign", "alignat", "displaymath", "math")
    for star in ("", "*")
)
VERBATIM = frozenset(("verbatim", "verbatim*", "Verbatim", "lstlisting", "minted", "alltt", "listing"))
NAMED = frozenset(
    _words("theorem lemma proposition corollary definition conjecture remark proof thm prop lem cor conj rem defn")
)
UNREAD = {"comment": "source comment", "tikzpicture": "drawing code", "filecontents": "markup"}

# Words that LaTeX prints by itself, in the language that the text is set in.
PRINTED = {
    "catalan": ("Resum", "Referències"),
    "spanish": ("Resumen", "Referencias"),
    "french": ("Résumé", "Références"),
    "portuguese": ("Resumo", "Referências"),
    "italian": ("Sommario", "Riferimenti bibliografici"),
    "german": ("Zusammenfassung", "Literatur"),
    "english": ("Abstract", "References"),
}
