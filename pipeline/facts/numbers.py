"""Numbers in digits as Europeans and English speakers write them, into a Decimal and back into plain digits."""

from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal

SPACES = " \u00a0\u2009\u202f"  # what parts thousands, and a number from its unit
_DECIMAL_SIGN = {"ca": ",", "es": ",", "en": "."}
_EXACT = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)
_WITHOUT_SPACES = str.maketrans({**dict.fromkeys(SPACES), "’": "'"})

# What follows the first digit of a number. Thousands parted by spaces first: else "1 234" would be two numbers.
REST_OF_NUMBER = (
    rf"(?:[0-9]{{0,2}}(?:[{SPACES}][0-9]{{3}}(?![0-9]))+(?:[.,][0-9]+)?(?![0-9.,]*[0-9])|[0-9]*(?:[.,'’][0-9]+)*)"
)


def read_number(written: str, language: str | None, *, money: bool = False) -> Decimal | None:
    """The value of digits with separators: 1.234,56 = 1,234.56 = 1 234,56 = 1234.56. None where they make no number.

    One separator before exactly three digits is ambiguous: the language tells (in ca and es the comma is the decimal
    sign, in en the point; in other texts it is taken for thousands), but money is never written with three decimals.
    """
    digits = written.translate(_WITHOUT_SPACES)
    signs = [character for character in digits if not character.isdigit()]
    if not signs:
        return Decimal(digits)
    groups = digits.replace(",", ".").replace("'", ".").split(".")
    if len(set(signs)) == 2 and signs.count(signs[-1]) == 1:
        return _joined(groups[:-1], groups[-1]) if _are_thousands(groups[:-1]) else None
    if len(set(signs)) > 1:
        return None
    if len(signs) > 1:
        return _joined(groups) if _are_thousands(groups) else None
    has_spaces = len(digits) < len(written)
    if _are_thousands(groups) and not has_spaces and (money or _DECIMAL_SIGN.get(language or "") != signs[0]):
        return _joined(groups)
    return _joined(groups[:1], groups[1])


def scaled(value: Decimal, zeros: int) -> Decimal:
    """The value times ten to the `zeros`, exactly."""
    return value.scaleb(zeros, _EXACT)


def plain(value: Decimal) -> str:
    """Digits alone, without an exponent and without zeros that say nothing: 1234.5, -3, 0."""
    digits = f"{value:f}"
    if "." in digits:
        digits = digits.rstrip("0").rstrip(".")
    return "0" if digits == "-0" else digits


def _joined(whole: list[str], decimals: str = "0") -> Decimal:
    return Decimal(f"{''.join(whole)}.{decimals}")


def _are_thousands(groups: list[str]) -> bool:
    """1, 234, 567: the first of one to three digits, not a mere zero; all others of three."""
    return 1 <= len(groups[0]) <= 3 and groups[0][0] != "0" and all(len(group) == 3 for group in groups[1:])
