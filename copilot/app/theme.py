"""How Gradio's own parts look here; the rest is static/page.css."""

import gradio as gr

HEAD = """
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="page/page.css">
<script src="page/page.js" defer></script>
"""
_SANS = ("Inter Variable", "system-ui", "sans-serif")
_MONO = ("ui-monospace", "monospace")


def theme() -> gr.themes.Base:
    """A quiet theme: small radii and spacing, fonts from this host."""
    return gr.themes.Base(
        primary_hue="teal",
        neutral_hue="slate",
        text_size="sm",
        spacing_size="sm",
        radius_size="sm",
        font=_SANS,
        font_mono=_MONO,
    )
