"""Pages for the browser that are one file: they refer to nothing outside themselves, and run nothing."""

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def one_file_page(title: str, style: str, body: str, language: str = "en") -> str:
    """A page as HTML.

    Args:
        title: with what HTML means by a character escaped, as in `body`.
        style: CSS.
        language: of the page, ISO 639; empty if it is not known.
    """
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8"><meta name="viewport" '
        f'content="width=device-width"><meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f"<title>{title}</title><style>{style}</style></head><body>{body}</body></html>"
    )
