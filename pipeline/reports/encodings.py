"""Bytes of a text file as text."""


def decoded(data: bytes) -> str:
    """Text of a file: UTF-8, UTF-16 if it says so, else Windows' Western encoding."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
