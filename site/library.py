# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//
"""The libraries' reference: a page for each public type, from the symbol graphs that the compiler writes, beside DocC's articles.

DocC's own pages need a server and JavaScript to be read at all; these are read from a folder, and are searched with everything else.
"""

import json
import re

from reference import Made, cell

DECLARATION_WIDTH = 80


def modules(facts):
    """(module, symbols) of each symbol graph. What the compiler adds by itself (`!=` of every Equatable) is left out."""
    for file in sorted(facts.glob("*.symbols.json")) if facts else []:
        graph = json.loads(file.read_text(encoding="utf-8"))
        symbols = [symbol for symbol in graph["symbols"] if "::SYNTHESIZED::" not in symbol["identifier"]["precise"]]
        yield graph["module"]["name"], sorted(symbols, key=_place)


def _place(symbol):
    """Symbols in the order in which they are declared: files, then lines."""
    location = symbol.get("location", {"uri": "", "position": {"line": 0}})
    return symbol["pathComponents"][0], location["uri"], location["position"]["line"], symbol["pathComponents"]


def pages(root, facts):
    """An overview for each library, and a page for each type of it."""
    for module, symbols in modules(facts):
        article = f"Sources/{module}/{module}.docc/{module}.md"
        overview = f"library/{module.lower()}"
        by_type = {}
        for symbol in symbols:
            by_type.setdefault(symbol["pathComponents"][0], []).append(symbol)
        # The overview is DocC's where there is one: its topics are the list.
        parent = article if (root / article).exists() else f"site/pages/{overview}.md"
        if parent != article:
            yield Made(overview, _overview(module, by_type))
        for name, members in by_type.items():
            yield _page(module, overview, name, members, parent)


def _overview(module, by_type):
    lines = [f"# {module}\n", "The public types of the library, each with what its sources say of it.\n", "| type | what it is |", "|---|---|"]
    for name, members in by_type.items():
        own = next((symbol for symbol in members if len(symbol["pathComponents"]) == 1), None)
        first = _comment(own).split("\n\n")[0] if own else ""
        lines.append(f"| [`{name}`]({module.lower()}/{name.lower()}.md) | {cell(first)} |")
    return "\n".join(lines) + "\n"


def _page(module, overview, name, members, parent):
    lines = [f"# {name}\n"]
    paths = []
    own = [symbol for symbol in members if len(symbol["pathComponents"]) == 1]
    for symbol in [*own, *(symbol for symbol in members if len(symbol["pathComponents"]) > 1)]:
        path = symbol["pathComponents"]
        if len(path) > 1:
            lines.append(f"## `{'.'.join(path[1:])}`\n")
        paths.append("/".join(path))
        lines += ["```swift", _declaration(symbol), "```\n", _comment(symbol) + "\n"]
    return Made(f"{overview}/{name.lower()}", "\n".join(lines), parent=parent, members=paths)


def _declaration(symbol):
    """As the compiler has it; a long one with a line for each parameter."""
    text = "".join(part["spelling"] for part in symbol.get("declarationFragments", []))
    if len(text) <= DECLARATION_WIDTH or "(" not in text:
        return text
    start, depth, lines = text.index("("), 0, []
    last = start + 1
    for at in range(start, len(text)):
        depth += (text[at] in "([<") - (text[at] in ")]" or text[at] == ">" and text[at - 1] != "-")
        if depth == 1 and text[at] == "," or depth == 0:
            lines.append("    " + text[last:at].strip())
            last = at + 1
        if depth == 0:
            break
    return text[:start + 1] + "\n" + ",\n".join(lines) + "\n" + text[last - 1:]


def _comment(symbol):
    lines = [line["text"] for line in symbol.get("docComment", {}).get("lines", [])]
    # Headings inside a comment are one level below the symbol's.
    return re.sub(r"(?m)^(#+) ", r"##\1 ", "\n".join(lines))


def places(site_pages):
    """Where each symbol stands: its path, such as TokenVerifier/verify(_:at:expecting:), to (page, anchor)."""
    found = {}
    for page in site_pages:
        if not page.members:
            continue
        headings = [heading for heading in page.prose.headings if heading.level == 2]
        own = [path for path in page.members if "/" in path]
        for path in page.members:
            if "/" not in path:
                found[path] = (page, "")
        for path, heading in zip(own, headings, strict=True):
            found.setdefault(path, (page, heading.id))
    return found


def symbol(found, page, name):
    """The place of a symbol that a comment or an article names: of the page's own type first."""
    types = [path for path in page.members or [] if "/" not in path]
    inner = {path.rsplit("/", 1)[0] for path in page.members or [] if "/" in path}
    for above in [*types, *sorted(inner)]:
        if f"{above}/{name}" in found:
            return found[f"{above}/{name}"]
    return found.get(name)
