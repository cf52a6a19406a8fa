"""The tree of the house as the README shows it: every file with the first line of what it says of itself."""

import ast
from pathlib import Path

ROOT = Path(__file__).parent.parent
ROOMS = ("pipeline", "copilot", "flows", "data")
BEGIN, END = "<!-- tree -->", "<!-- /tree -->"


def tree() -> str:
    """The tree between the README's two marks, as it ought to be."""
    lines = [line for room in ROOMS for line in _folder(ROOT / room, 0)]
    width = max(len(name) for name, _ in lines)
    body = "\n".join(f"{name:<{width}}  {says}".rstrip() for name, says in lines)
    return f"{BEGIN}\n```\n{body}\n```\n{END}"


def _folder(folder: Path, depth: int) -> list[tuple[str, str]]:
    indent = "  " * depth
    lines = [(f"{indent}{folder.name}/", _says(folder / "__init__.py"))]
    for path in sorted(folder.iterdir(), key=lambda p: (p.is_dir(), p.name)):
        if path.is_dir() and any(path.rglob("*.py")):
            lines += _folder(path, depth + 1)
        elif path.suffix == ".py" and path.name not in ("__init__.py", "__main__.py"):
            lines.append((f"{indent}  {path.name}", _says(path)))
    return lines


def _says(file: Path) -> str:
    """The first line of a module's docstring, up to its first full stop."""
    if not file.exists():
        return ""
    first = (ast.get_docstring(ast.parse(file.read_text("utf-8"))) or "").split("\n\n")[0].replace("\n", " ")
    return first.split(". ")[0].rstrip(".")
