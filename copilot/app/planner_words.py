"""What the memory planner's page says around the answer, in its three languages. The answer itself is in English."""

from copilot.app.words import Words, in_language, words_of
from pipeline.records import WrittenLanguage

_WORDS: dict[str, tuple[str, str, str]] = {
    # name: (English, Spanish, Catalan)
    "plan_model": ("Model", "Modelo", "Model"),
    "plan_model_hint": (
        "A name, or a folder on this machine",
        "Un nombre, o una carpeta de este equipo",
        "Un nom, o una carpeta d'aquest equip",
    ),
    "plan_card": ("Graphics card", "Tarjeta gráfica", "Targeta gràfica"),
    "plan_card_hint": (
        "A name, or its memory in GB: 16",
        "Un nombre, o su memoria en GB: 16",
        "Un nom, o la seva memòria en GB: 16",
    ),
    "plan_context": ("Tokens of the longest example", "Tokens del ejemplo más largo", "Tokens de l'exemple més llarg"),
    "plan_method": ("Method", "Método", "Mètode"),
    "plan_batch": ("Examples at once", "Ejemplos a la vez", "Exemples alhora"),
    "plan_rank": ("Rank of the adapter", "Rango del adaptador", "Rang de l'adaptador"),
    "plan_runs": ("Training runs", "Entrenamientos", "Entrenaments"),
    "plan_months": ("In months", "En meses", "En mesos"),
    "plan_title": ("Will it fit?", "¿Cabrá?", "Hi cabrà?"),
    "plan_drafting": ("Drafting", "Redacción", "Redacció"),
    "plan_in_english": (
        "",
        "La respuesta está en inglés.",
        "La resposta és en anglès.",
    ),
}


def planner_words(language: WrittenLanguage) -> Words:
    """All that the planner's page says in one language, by name, beside what the drafting page says."""
    return words_of(language) | in_language(_WORDS, language)
