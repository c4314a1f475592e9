# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//
"""Markdown as HTML: headings with GitHub's ids, links as the site has them, code with colors, and the sections that are searched.

A page is parsed once; its links are resolved when all pages are parsed, since an anchor may be of any of them.
"""

import dataclasses
import html
import re

from markdown_it import MarkdownIt
from markdown_it.token import Token
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name

LEXERS = {"sh": "bash", "js": "javascript"}
FORMATTER = HtmlFormatter(nowrap=True)
# Code of so many characters stays on one line, but in tables on a phone.
UNBROKEN = 26
BREAK = r"\1<wbr>"
JOINT = re.compile(r"([/._,])(?=[A-Za-z{])")


class SiteError(Exception):
    """What is wrong with a page. Written as compilers write it, so that editors find the place."""

    def __init__(self, source, line, text):
        super().__init__(f"{source}:{line}: {text}")


@dataclasses.dataclass
class Heading:
    level: int
    id: str
    text: str
    line: int


@dataclasses.dataclass
class Section:
    """What stands between a heading and the next: what a search finds."""

    heading: Heading
    text: str = ""
    # What a row of a table is about: a code, a key, a metric.
    terms: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Link:
    """A link or an image of a page, and the tokens that change when it is resolved."""

    kind: str
    target: str
    line: int
    tokens: list


class Prose:
    """A parsed page."""

    def __init__(self, source, text):
        self.source = source
        self.tokens = MARKDOWN.parse(text)
        self.headings, self.sections, self.links = [], [], []
        self._ids = {}
        self._walk()

    @property
    def title(self):
        return self.headings[0].text if self.headings and self.headings[0].level == 1 else None

    @property
    def anchors(self):
        return {heading.id for heading in self.headings}

    def html(self):
        return MARKDOWN.renderer.render(self.tokens, MARKDOWN.options, {})

    def _walk(self):
        line = 1
        for index, token in enumerate(self.tokens):
            if token.map:
                line = token.map[0] + 1
            if token.type == "heading_open":
                self._heading(token, self.tokens[index + 1], line)
            elif token.type == "inline":
                self._links(token, line)
                before = [token.type for token in self.tokens[max(0, index - 2):index]]
                if before[-1:] != ["heading_open"]:
                    self._searched(plain(token))
                if before == ["tr_open", "td_open"] and self.sections:
                    self.sections[-1].terms += [child.content for child in token.children if child.type == "code_inline"]
            elif token.type in ("fence", "code_block"):
                self._searched(token.content)

    def _heading(self, opening, inline, line):
        text = plain(inline)
        own = slug(text)
        seen = self._ids.get(own, 0)
        self._ids[own] = seen + 1
        heading = Heading(int(opening.tag[1]), f"{own}-{seen}" if seen else own, text, line)
        opening.attrSet("id", heading.id)
        self.headings.append(heading)
        self.sections.append(Section(heading))

    def _searched(self, text):
        if self.sections:
            self.sections[-1].text += text + "\n"

    def _links(self, inline, line):
        opened = []
        for token in inline.children:
            if token.type in ("softbreak", "hardbreak"):
                line += 1
            elif token.type == "link_open":
                opened.append(Link("link", token.attrGet("href"), line, [token]))
            elif token.type == "link_close":
                opened[-1].tokens.append(token)
                self.links.append(opened.pop())
            elif token.type == "image":
                self.links.append(Link("image", token.attrGet("src"), line, [token]))
            elif token.type == "code_inline" and token.markup == "``":
                self.links.append(Link("symbol", token.content, line, [token]))
            if opened and token is not opened[-1].tokens[0]:
                opened[-1].tokens.append(token)


def plain(inline):
    """The text of a line without its marks."""
    return "".join(
        " " if token.type in ("softbreak", "hardbreak") else token.content for token in inline.children if token.type != "html_inline")


def slug(text):
    """A heading's id, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


def colored(code, language):
    if not language:
        return html.escape(code, quote=False)
    return highlight(code, get_lexer_by_name(LEXERS.get(language, language), stripnl=False), FORMATTER)


def _fence(_, tokens, index, _options, _env):
    token = tokens[index]
    language = token.info.split()[0] if token.info.strip() else ""
    name = f"Code, {language}" if language else "Code"
    return f'<pre class="code" role="group" aria-label="{html.escape(name)}"><code>{colored(token.content, language)}</code></pre>\n'


def _table_open(_, tokens, index, _options, _env):
    # The more columns, the wider: else each is a word wide on a phone.
    end = next(at for at in range(index, len(tokens)) if tokens[at].type == "thead_close")
    columns = sum(token.type == "th_open" for token in tokens[index:end])
    return f'<div class="scroll columns-{columns}" role="group" aria-label="Table"><table>\n'


def _table_close(*_):
    return "</table></div>\n"


def _heading_close(_, tokens, index, _options, _env):
    level, own = tokens[index].tag, tokens[index - 2].attrGet("id")
    mark = "" if level == "h1" else f' <a class="anchor" href="#{own}" aria-label="Link to this section">#</a>'
    return f"{mark}</{level}>\n"


def _code_inline(_, tokens, index, _options, _env):
    # Long names break where they have joints, so that they don't widen a phone's page.
    whole = ' class="whole"' if len(tokens[index].content) <= UNBROKEN else ""
    return f"<code{whole}>{JOINT.sub(BREAK, html.escape(tokens[index].content, quote=False))}</code>"


def _source(_, tokens, index, _options, _env):
    return f'<span class="source" title="In the repository: {html.escape(tokens[index].content)}">'


def _source_close(*_):
    return "</span>"


def _markdown():
    # HTML in pages is text: what the site shows is only what the generator wrote.
    markdown = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    for name, rule in {
        "fence": _fence, "code_block": _fence, "table_open": _table_open, "table_close": _table_close, "heading_close": _heading_close,
        "code_inline": _code_inline, "source_open": _source, "source_close": _source_close,
    }.items():
        markdown.add_render_rule(name, rule)
    return markdown


def as_source(link, path):
    """Makes a link to a file of the repository, which the site has no page for, a label."""
    link.tokens[0].type, link.tokens[0].content = "source_open", path
    link.tokens[-1].type = "source_close"


def as_link(link, href):
    """Makes a link's target what the site has. A symbol in code becomes a link."""
    token = link.tokens[0]
    if link.kind == "symbol":
        # One token takes the place of three: the code's own rendering, in a link.
        token.type = "symbol_link"
        token.attrSet("href", href)
    else:
        token.attrSet("src" if link.kind == "image" else "href", href)


def _symbol_link(_, tokens, index, _options, _env):
    token = tokens[index]
    return f'<a href="{html.escape(token.attrGet("href"))}"><code>{html.escape(token.content, quote=False)}</code></a>'


MARKDOWN = _markdown()
MARKDOWN.add_render_rule("symbol_link", _symbol_link)

__all__ = ["Heading", "Link", "Prose", "Section", "SiteError", "Token", "as_link", "as_source", "slug"]
