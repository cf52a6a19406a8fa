"""Headers, footers, a watermark, and the building blocks of a template: all left out."""

from tests.pipeline.reports.report_files import Craft
from tests.pipeline.reports.torture.manifest import BUILDING_BLOCK, FURNITURE, UNSEEN, Left, Mark, Part, part, xml_part

p, run = Craft.p, Craft.run
HEADERS = ("header1", "header2", "header3", "footer1", "footer2", "footer3")
KINDS = ("first", "even", "default")


def references() -> str:
    """The properties of the last section, which call for them."""
    called = "".join(
        f'<w:{name[:-1]}Reference w:type="{kind}" r:id="{name}"/>'
        for name, kind in zip(HEADERS, KINDS * 2, strict=True)
    )
    return f"<w:sectPr>{called}<w:titlePg/></w:sectPr>"


def furniture() -> Part:
    """The marks of headers and footers, and of parts that no page shows."""
    words = [f"mk{name[:-1]}{kind}" for name, kind in zip(HEADERS, KINDS * 2, strict=True)]
    return part(
        "",
        *(Mark(word, "header" if "header" in word else "footer", FURNITURE) for word in words),
        Mark("mkheadercell", "table in a header", FURNITURE),
        Mark("mkglossary", "building block of the template", BUILDING_BLOCK),
        Mark("mkproperty", "property of the file", UNSEEN),
        Left((FURNITURE,), " ".join(words) + " mkheadercell Pàgina 1"),
        Left((BUILDING_BLOCK,), "mkglossary"),
    )


def furniture_parts() -> dict[str, str]:
    """Headers and footers, the glossary, the properties."""
    watermark = '<w:r><w:pict><v:shape type="#_x0000_t136"><v:textpath string="ESBORRANY"/></v:shape></w:pict></w:r>'
    page = f'<w:fldSimple w:instr=" PAGE ">{run("1")}</w:fldSimple>'
    more = {
        "header3": p(raw=watermark) + Craft.table(Craft.cell(p("mkheadercell"))) + p(),
        "footer3": p("Pàgina ", raw=page),
    }
    parts = {
        f"word/{name}.xml": xml_part(
            "hdr" if name.startswith("header") else "ftr", p(f"mk{name[:-1]}{kind}", "Header") + more.get(name, "")
        )
        for name, kind in zip(HEADERS, KINDS * 2, strict=True)
    }
    parts["word/glossary/document.xml"] = xml_part(
        "glossaryDocument",
        f"<w:docParts><w:docPart><w:docPartBody>{p('mkglossary')}</w:docPartBody></w:docPart></w:docParts>",
    )
    parts["docProps/app.xml"] = (
        '<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties">'
        "<Company>mkproperty</Company></Properties>"
    )
    return parts
