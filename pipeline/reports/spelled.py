"""Numbers as words and as ordinals ("First", "1.º", "5è"), for automatic numbers in English, Spanish and Catalan."""

_CARDINALS = {
    "en": "One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve Thirteen Fourteen Fifteen Sixteen Seventeen "
    "Eighteen Nineteen Twenty",
    "es": "Uno Dos Tres Cuatro Cinco Seis Siete Ocho Nueve Diez Once Doce Trece Catorce Quince Dieciséis Diecisiete "
    "Dieciocho Diecinueve Veinte",
    "ca": "U Dos Tres Quatre Cinc Sis Set Vuit Nou Deu Onze Dotze Tretze Catorze Quinze Setze Disset Divuit Dinou Vint",
}
_ORDINALS = {
    "en": "First Second Third Fourth Fifth Sixth Seventh Eighth Ninth Tenth Eleventh Twelfth Thirteenth Fourteenth "
    "Fifteenth Sixteenth Seventeenth Eighteenth Nineteenth Twentieth",
    "es": "Primero Segundo Tercero Cuarto Quinto Sexto Séptimo Octavo Noveno Décimo Undécimo Duodécimo Decimotercero "
    "Decimocuarto Decimoquinto Decimosexto Decimoséptimo Decimoctavo Decimonoveno Vigésimo",
    "ca": "Primer Segon Tercer Quart Cinquè Sisè Setè Vuitè Novè Desè Onzè Dotzè Tretzè Catorzè Quinzè Setzè Dissetè "
    "Divuitè Dinovè Vintè",
}
_CATALAN_ENDINGS = {1: "r", 2: "n", 3: "r", 4: "t"}
_ENGLISH_ENDINGS = {1: "st", 2: "nd", 3: "rd"}


def in_words(number: int, language: str, *, ordinal: bool = False) -> str:
    """The number in words, from 1 to 20 in "en", "es" or "ca"; any other in digits."""
    words = (_ORDINALS if ordinal else _CARDINALS).get(language, "").split()
    return words[number - 1] if 1 <= number <= len(words) else str(number)


def ordinal(number: int, language: str) -> str:
    """ "1st" in "en", "1.º" in "es", "1r" in "ca"; plain digits in other languages."""
    if language == "es":
        return f"{number}.º"
    if language == "ca":
        return f"{number}{_CATALAN_ENDINGS.get(number, 'è')}"
    if language == "en":
        return f"{number}{'th' if number % 100 in (11, 12, 13) else _ENGLISH_ENDINGS.get(number % 10, 'th')}"
    return str(number)
