"""What the page says, in its three languages. The browser's choice decides; English where it has another."""

from collections.abc import Mapping
from typing import get_args

from pipeline.records import WrittenLanguage

_WORDS: dict[str, tuple[str, str, str]] = {
    # name: (English, Spanish, Catalan)
    "thousands": (",", ".", "."),
    "project": ("Report", "Memoria", "Memòria"),
    "new_project": ("New report", "Nueva memoria", "Memòria nova"),
    "planner": ("GPU planner", "Planificador de GPU", "Planificador de GPU"),
    "export": ("Export", "Exportar", "Exporta"),
    "export_word": ("Word (.docx)", "Word (.docx)", "Word (.docx)"),
    "export_markdown": ("Markdown (.md)", "Markdown (.md)", "Markdown (.md)"),
    "export_whole": (
        "All {total} sections are accepted.",
        "Los {total} apartados están aceptados.",
        "Els {total} apartats estan acceptats.",
    ),
    "export_missing": (
        "{count} of {total} sections are not accepted: they go out as empty headings.",
        "{count} de {total} apartados no están aceptados: salen como títulos vacíos.",
        "{count} de {total} apartats no estan acceptats: surten com a títols buits.",
    ),
    "export_changed": (
        "{count} changed since you accepted them: the accepted text goes out.",
        "{count} con cambios posteriores a la aceptación: sale el texto aceptado.",
        "{count} amb canvis posteriors a l'acceptació: surt el text acceptat.",
    ),
    "outline": ("Outline", "Índice", "Índex"),
    "accepted_of": (
        "{done} of {total} accepted",
        "{done} de {total} aceptados",
        "{done} de {total} acceptats",
    ),
    "state_empty": ("Not started", "Sin empezar", "Sense començar"),
    "state_draft": ("Draft", "Borrador", "Esborrany"),
    "state_accepted": ("Accepted", "Aceptado", "Acceptat"),
    "state_changed": ("Changed since accepted", "Cambiado tras aceptarlo", "Canviat després d'acceptar-lo"),
    "state_writing": ("Being written", "Escribiéndose", "S'està escrivint"),
    "words": ("{count} words", "{count} palabras", "{count} paraules"),
    "guidance": (
        "What should this section say?",
        "¿Qué debe decir este apartado?",
        "Què ha de dir aquest apartat?",
    ),
    "guidance_hint": (
        "Optional: what to mention, its tone, its length. The model reads it.",
        "Opcional: qué mencionar, tono, extensión. El modelo lo lee.",
        "Opcional: què cal esmentar, to, extensió. El model ho llegeix.",
    ),
    "instruction": ("What should change?", "¿Qué debe cambiar?", "Què ha de canviar?"),
    "instruction_hint": (
        "What should change? E.g. shorter",
        "¿Qué debe cambiar? P. ej. más breve",
        "Què ha de canviar? P. ex. més breu",
    ),
    "generate": ("Generate", "Generar", "Genera"),
    "regenerate": ("Regenerate", "Regenerar", "Regenera"),
    "stop": ("Stop", "Detener", "Atura"),
    "go_on": ("Continue", "Continuar", "Continua"),
    "accept": ("Accept & next", "Aceptar y seguir", "Accepta i segueix"),
    "before": ("Previous version", "Versión anterior", "Versió anterior"),
    "edit": ("Edit", "Editar", "Edita"),
    "preview": ("Preview", "Vista previa", "Vista prèvia"),
    "text": ("Text of the section", "Texto del apartado", "Text de l'apartat"),
    "text_hint": (
        "Write here, or let the model begin.",
        "Escriba aquí, o deje que el modelo empiece.",
        "Escriviu aquí, o deixeu que el model comenci.",
    ),
    "nothing_yet": ("Nothing written yet.", "Aún no hay texto.", "Encara no hi ha text."),
    "reading": ("The model is reading", "El modelo está leyendo", "El model està llegint"),
    "writing": ("Writing", "Escribiendo", "Escrivint"),
    "first_word": (
        "first word after {seconds} s",
        "primera palabra en {seconds} s",
        "primera paraula en {seconds} s",
    ),
    "clipped": (
        "The text reached its length limit and breaks off.",
        "El texto ha llegado al límite de extensión y queda cortado.",
        "El text ha arribat al límit d'extensió i queda tallat.",
    ),
    "stopped": ("Stopped before its end.", "Detenido antes del final.", "Aturat abans del final."),
    "failed": (
        "The model broke off; what it wrote is kept.",
        "El modelo se ha interrumpido; se conserva lo escrito.",
        "El model s'ha interromput; es conserva el que ha escrit.",
    ),
    "written_by": ("written by {model}", "escrito por {model}", "escrit per {model}"),
    "window": ("What the model sees", "Lo que ve el modelo", "El que veu el model"),
    "window_tokens": ("of {budget} tokens", "de {budget} tokens", "de {budget} tokens"),
    "window_empty": (
        "This is the first section: there is no earlier text to look back at.",
        "Es el primer apartado: no hay texto anterior que mirar.",
        "És el primer apartat: no hi ha text anterior per mirar.",
    ),
    "no_text": ("no text yet", "sin texto", "sense text"),
    "reason_beginning": ("beginning", "principio", "començament"),
    "reason_facts": ("facts", "datos", "dades"),
    "reason_topic": ("topic", "tema", "tema"),
    "reason_recent": ("recent", "reciente", "recent"),
    "reason_since_the_choice": ("new since the choice", "nuevo desde la selección", "nou des de la tria"),
    "reason_all_of_it_fits": ("all of it fits", "cabe todo", "hi cap tot"),
    "check": ("Checked against your sources", "Comprobado con sus fuentes", "Comprovat amb les vostres fonts"),
    "check_again": ("Check again", "Comprobar de nuevo", "Torna-ho a comprovar"),
    "check_stale": (
        "The text has changed since.",
        "El texto ha cambiado desde entonces.",
        "El text ha canviat des d'aleshores.",
    ),
    "check_one": (
        "1 thing is not in your sources:",
        "1 dato no está en sus fuentes:",
        "1 dada no és a les vostres fonts:",
    ),
    "check_many": (
        "{count} things are not in your sources:",
        "{count} datos no están en sus fuentes:",
        "{count} dades no són a les vostres fonts:",
    ),
    "check_advice": (
        "They may still be right: add them to your facts, or correct the text.",
        "Pueden ser correctos: añádalos a los datos del proyecto o corrija el texto.",
        "Poden ser correctes: afegiu-les a les dades del projecte o corregiu el text.",
    ),
    "check_all": (
        "Every figure, date and name ({count}) is in your sources.",
        "Todas las cifras, fechas y nombres ({count}) están en sus fuentes.",
        "Totes les xifres, dates i noms ({count}) són a les vostres fonts.",
    ),
    "check_none": (
        "There is no figure, date or name to check.",
        "No hay cifras, fechas ni nombres que comprobar.",
        "No hi ha xifres, dates ni noms per comprovar.",
    ),
    "check_unused": (
        "Of what you gave for this section, it does not mention:",
        "De lo que dio para este apartado, no menciona:",
        "Del que heu donat per a aquest apartat, no esmenta:",
    ),
    "check_where": (
        "What was found, and where ({count})",
        "Lo que se ha encontrado, y dónde ({count})",
        "El que s'ha trobat, i on ({count})",
    ),
    "check_more": ("and {count} more", "y {count} más", "i {count} més"),
    "check_too_long": (
        "This section is too long to be checked.",
        "Este apartado es demasiado largo para comprobarlo.",
        "Aquest apartat és massa llarg per comprovar-lo.",
    ),
    "check_failed": (
        "This text could not be checked.",
        "No se ha podido comprobar este texto.",
        "No s'ha pogut comprovar aquest text.",
    ),
    "source_facts": ("your facts", "sus datos", "les vostres dades"),
    "source_guidance": ("your guidance", "sus indicaciones", "les vostres indicacions"),
    "source_outline": ("the headings", "los títulos", "els títols"),
    "source_text": ("this text", "este texto", "aquest text"),
    "how_within": ("within", "dentro de", "dins de"),
    "how_rounded": ("rounded from", "redondeo de", "arrodoniment de"),
    "how_sum": ("sum of", "suma de", "suma de"),
    "how_difference": ("difference in", "diferencia en", "diferència a"),
    "how_share": ("share of", "proporción de", "proporció de"),
    "how_spelt_out": ("short for", "siglas de", "sigles de"),
    "facts": ("Facts of the project", "Datos del proyecto", "Dades del projecte"),
    "facts_hint": (
        "One fact a line: amounts, dates, partners, indicators. The model reads them for every section.",
        "Un dato por línea: importes, fechas, socios, indicadores. El modelo los lee en cada apartado.",
        "Una dada per línia: imports, dates, socis, indicadors. El model les llegeix a cada apartat.",
    ),
    "model_starting": ("The model is starting…", "El modelo se está iniciando…", "El model s'està iniciant…"),
    "model_ready": ("Ready", "Listo", "A punt"),
    "model_failed": (
        "The model is not available",
        "El modelo no está disponible",
        "El model no està disponible",
    ),
    "model_off": (
        "No model: writing by hand",
        "Sin modelo: escritura a mano",
        "Sense model: escriptura a mà",
    ),
    "saved": ("Saved", "Guardado", "Desat"),
    "saving": ("Saving…", "Guardando…", "Desant…"),
    "unsaved": (
        "Not saved yet: kept in this browser",
        "Sin guardar: se conserva en este navegador",
        "Sense desar: es conserva en aquest navegador",
    ),
    "conflict": (
        "This section was changed elsewhere while you were writing. Both texts stay in its history.",
        "Este apartado se ha cambiado en otro lugar mientras escribía. Ambos textos quedan en el historial.",
        "Algú ha canviat aquest apartat mentre escrivíeu. Tots dos textos queden a l'historial.",
    ),
    "keep_mine": ("Keep my text", "Conservar mi texto", "Conserva el meu text"),
    "keep_theirs": ("Take the other", "Tomar el otro", "Agafa l'altre"),
    "welcome": ("Begin your report", "Empiece su memoria", "Comenceu la memòria"),
    "welcome_line": (
        "Take the outline of a past report, or write your own. Then draft it section by section.",
        "Tome el índice de una memoria anterior o escriba el suyo. Después, redáctela apartado por apartado.",
        "Agafeu l'índex d'una memòria anterior o escriviu-ne un. Després, redacteu-la apartat per apartat.",
    ),
    "title": ("Title", "Título", "Títol"),
    "title_hint": (
        "Final report: Rural Health Access 2025",
        "Memoria final: Salud rural 2025",
        "Memòria final: Salut rural 2025",
    ),
    "language": ("WrittenLanguage of the report", "Lengua de la memoria", "Llengua de la memòria"),
    "source": ("Outline from", "Índice tomado de", "Índex pres de"),
    "blank": ("A blank page", "Una página en blanco", "Una pàgina en blanc"),
    "headings": ("Headings", "Títulos", "Títols"),
    "headings_hint": (
        "One heading a line; indent the subsections.",
        "Un título por línea; sangre los subapartados.",
        "Un títol per línia; sagneu els subapartats.",
    ),
    "create": ("Create report", "Crear memoria", "Crea la memòria"),
    "cancel": ("Cancel", "Cancelar", "Cancel·la"),
}

_COLUMN: dict[WrittenLanguage, int] = {"en": 0, "es": 1, "ca": 2}
Words = dict[str, str]


def words_of(language: WrittenLanguage) -> Words:
    """All that the page says in one language, by name."""
    return in_language(_WORDS, language)


def in_language(table: Mapping[str, tuple[str, str, str]], language: WrittenLanguage) -> Words:
    """One column of a table of words: (English, Spanish, Catalan) by name."""
    return {name: said[_COLUMN[language]] for name, said in table.items()}


def language_of(accepted: str | None) -> WrittenLanguage:
    """The page's language for an Accept-WrittenLanguage header: the first wish that we speak, else English."""
    wishes = []
    for place, wish in enumerate((accepted or "").split(",")):
        tag, _, quality = wish.partition(";q=")
        try:
            wishes.append((-float(quality or 1), place, tag.strip().lower()[:2]))
        except ValueError:
            continue
    spoken: dict[str, WrittenLanguage] = {language: language for language in get_args(WrittenLanguage)}
    return next((spoken[tag] for _, _, tag in sorted(wishes) if tag in spoken), "en")


LANGUAGE_NAMES: dict[WrittenLanguage, str] = {"ca": "Català", "es": "Español", "en": "English"}
