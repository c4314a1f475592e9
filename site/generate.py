# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//
"""The documentation site: generate.py [--root FOLDER] [--facts FOLDER] --output FOLDER

Reads docs/, the pages of site/pages, DocC's articles and what gather.py has left in the folder of facts; site/contents.toml says in which group
each page stands. Fails, with page and line, on a link or an anchor that leads nowhere, a page in no group or in two, a title that two pages of a
part have, and an image that is missing. Two runs over the same files write the same bytes.
"""

import argparse
import dataclasses
import fnmatch
import html
import json
import pathlib
import posixpath
import re
import shutil
import string
import sys
import tempfile
import tomllib

import library
import reference
import search
import usage
from prose import Prose, SiteError, as_link, as_source

OWN = pathlib.Path(__file__).resolve().parent
ASSETS = ("icon.svg", "site.css", "site.js")
ICON = '<svg aria-hidden="true" viewBox="0 0 24 24"><path d="M4 6h16M4 12h16M4 18h16"/></svg>'


@dataclasses.dataclass
class Page:
    source: str
    output: str
    prose: Prose
    parent: str | None = None
    members: list | None = None
    group: str = ""
    part: str = ""

    @property
    def place(self):
        return " › ".join(filter(None, (self.group, self.part)))

    @property
    def searched(self):
        """Of recorded exchanges the titles are found; their bodies would be found for every word of a payment."""
        return not self.output.startswith("exchanges/")

    def to(self, output):
        """The address of another file of the site, seen from this page."""
        return posixpath.relpath(output, posixpath.dirname(self.output) or ".")


# Reading


def output_of(source):
    """Where a page is written: docs/X.md to docs/X.html, site/pages/X.md to X.html, a library's article to library/. Other files keep their names."""
    path = source.removeprefix("site/pages/")
    if not path.endswith(".md"):
        return path
    if ".docc/" in path:
        path = "library/" + posixpath.basename(path).lower()
    folder, name = posixpath.split(path)
    name = "index.md" if name == "README.md" else name.lower()
    return posixpath.join(folder, name).removesuffix(".md") + ".html"


def read_pages(root, facts, listed):
    """Every page: those of the folders, those that contents.toml names by their path, and those that are made."""
    found = [*root.glob("docs/**/*.md"), *root.glob("site/pages/**/*.md"), *root.glob("Sources/*/*.docc/*.md")]
    sources = {path.relative_to(root).as_posix() for path in found}
    sources |= {pattern for pattern in listed if "*" not in pattern and (root / pattern).is_file()}
    pages = [Page(source, output_of(source), Prose(source, (root / source).read_text(encoding="utf-8"))) for source in sorted(sources)]
    for made in [*reference.all_pages(root, facts), *library.pages(root, facts)]:
        pages.append(Page(made.source, output_of(made.source), Prose(made.source, made.text), made.parent, made.members))
    return pages


# Contents


def place(pages, contents, problems):
    """Gives each page its group and part, and returns [(group, [(part, [page])])] in the order of contents.toml."""
    by_source = {page.source: page for page in pages if not page.parent}
    placed = []
    for group in contents["group"]:
        parts = []
        for part in [group, *group.get("part", [])]:
            name = "" if part is group else part["name"]
            members = []
            for pattern in part.get("pages", []):
                matching = sorted((by_source[s] for s in fnmatch.filter(by_source, pattern)), key=lambda page: page.prose.title or "")
                if not matching:
                    problems.append(SiteError("site/contents.toml", 1, f"{pattern} names no page"))
                for page in matching:
                    if page.group:
                        here = f"{group['name']} › {name}"
                        problems.append(SiteError("site/contents.toml", 1, f"{page.source} is in two groups: {page.place}, and {here}"))
                    page.group, page.part = group["name"], name
                    members.append(page)
            if members:
                parts.append((name, members))
        placed.append((group["name"], parts))
    for page in pages:
        if page.parent:
            above = by_source.get(page.parent)
            page.group, page.part = (above.group, above.part) if above else ("", "")
        if not page.group:
            problems.append(SiteError(page.source, 1, "is in no group of site/contents.toml"))
    return placed


def check_titles(pages, problems):
    titles, outputs = {}, {}
    for page in pages:
        if not page.prose.title:
            problems.append(SiteError(page.source, 1, "does not begin with a title (# …)"))
        elif other := titles.setdefault((page.place, page.parent, page.prose.title), page.source):
            if other != page.source:
                problems.append(SiteError(page.source, 1, f"has the title of {other}: {page.prose.title}"))
        if outputs.setdefault(page.output, page.source) != page.source:
            problems.append(SiteError(page.source, 1, f"is written where {outputs[page.output]} is: {page.output}"))


def check_commands(pages, facts, problems):
    """The commands of written pages are the program's. What the changelog shows was so once."""
    if facts and (facts / "help.json").exists():
        known = usage.Usage(json.loads((facts / "help.json").read_text(encoding="utf-8")))
        for page in pages:
            if page.source != "CHANGELOG.md" and not page.source.startswith("site/pages/commands/"):
                problems += [SiteError(page.source, line, text) for line, text in known.problems(page.prose)]


# Links


class Links:
    """Resolves what pages link to."""

    def __init__(self, root, pages, problems):
        self.root, self.problems = root, problems
        self.by_source = {page.source: page for page in pages}
        self.symbols = library.places(pages)
        self.assets = set()
        self.outside = 0

    def resolve(self, page):
        for link in page.prose.links:
            if wrong := self._symbol(page, link) if link.kind == "symbol" else self._target(page, link):
                self.problems.append(SiteError(page.source, link.line, wrong))

    def _symbol(self, page, link):
        # Elsewhere two backticks are but a way to write one; and an article's title is its module's name.
        if not page.output.startswith("library/") or link.target == page.prose.title:
            return None
        found = library.symbol(self.symbols, page, link.target)
        if found:
            as_link(link, page.to(found[0].output) + (f"#{found[1]}" if found[1] else ""))
        # A comment may name what is not public; an article may not.
        return None if found or ".docc/" not in page.source or not self.symbols else f"names a symbol that the library has not: {link.target}"

    def _target(self, page, link):
        if link.target.startswith("doc:"):
            return self._article(page, link)
        # A made page is no file: written pages name it so, that nobody looks for one.
        if link.target.startswith("made:"):
            name, _, anchor = link.target.removeprefix("made:").partition("#")
            other = self.by_source.get(f"site/pages/{name}.md")
            return self._page(page, link, other, anchor) if other else f"links to a page that is not made: {name}"
        if re.match(r"[a-z][a-z0-9+.-]*:", link.target):
            self.outside += 1
            return None if link.kind == "link" else f"shows an image from elsewhere: {link.target}"
        path, _, anchor = link.target.partition("#")
        target = posixpath.normpath(posixpath.join(posixpath.dirname(page.source), path)) if path else page.source
        other = self.by_source.get(target) or self.by_source.get(posixpath.join(target, "README.md"))
        if other:
            return self._page(page, link, other, anchor)
        if target.startswith("..") or not (self.root / target).exists():
            return f"{'shows' if link.kind == 'image' else 'links to'} what is not there: {link.target}"
        if link.kind == "image" or target.startswith(("docs/", "site/pages/")) and (self.root / target).is_file():
            self.assets.add(target)
            as_link(link, page.to(output_of(target)))
        else:
            as_source(link, target)
        return None

    def _page(self, page, link, other, anchor):
        if anchor and anchor not in other.prose.anchors:
            return f"links to a heading that is not there: {link.target}"
        as_link(link, (page.to(other.output) if other is not page else "") + (f"#{anchor}" if anchor else "") or page.to(page.output))
        return None

    def _article(self, page, link):
        name = link.target.removeprefix("doc:")
        other = self.by_source.get(posixpath.join(posixpath.dirname(page.source), name + ".md"))
        if not other:
            return f"names an article that is not there: {name}"
        as_link(link, page.to(other.output))
        link.tokens[1].content = other.prose.title
        return None


# Writing


def escaped(text):
    return html.escape(text, quote=False)


def navigation(page, placed):
    lines = []
    for group, parts in placed:
        current = " open" if group == page.group else ""
        lines.append(f'<details{current}><summary>{escaped(group)}</summary>')
        for part, members in parts:
            opened = " open" if part == page.part and group == page.group else ""
            lines.append(f'<details class="part"{opened}><summary>{escaped(part)}</summary><ul>' if part else "<ul>")
            lines += [_entry(page, member) for member in members]
            lines.append("</ul></details>" if part else "</ul>")
        lines.append("</details>")
    return "\n".join(lines)


def _entry(page, member):
    here = ' aria-current="page"' if member is page else ' aria-current="true"' if member.source == page.parent else ""
    return f'<li><a href="{page.to(member.output)}"{here}>{escaped(member.prose.title)}</a></li>'


def on_this_page(page):
    headings = [heading for heading in page.prose.headings if heading.level == 2]
    if len(headings) < 2:
        return ""
    entries = "".join(f'<li><a href="#{heading.id}">{escaped(heading.text)}</a></li>' for heading in headings)
    return f'<nav class="toc" aria-label="On this page"><details><summary>On this page</summary><ul>{entries}</ul></details></nav>'


def crumbs(page, by_source):
    names = [escaped(name) for name in (page.group, page.part) if name]
    if page.parent:
        above = by_source[page.parent]
        names.append(f'<a href="{page.to(above.output)}">{escaped(above.prose.title)}</a>')
    return " › ".join(names)


def neighbors(pages, placed):
    """Each page's neighbors: within its group, or within what it is a part of."""
    rows = [[page for _, members in parts for page in members] for _, parts in placed]
    by_parent = {}
    for page in pages:
        if page.parent:
            by_parent.setdefault(page.parent, []).append(page)
    found = {}
    for row in [*rows, *by_parent.values()]:
        for at, page in enumerate(row):
            found[page.source] = (row[at - 1] if at else None, row[at + 1] if at + 1 < len(row) else None)
    return found


def turned(page, before, after):
    parts = []
    for other, name, rel in ((before, "Before", "prev"), (after, "Next", "next")):
        if other:
            parts.append(f'<a rel="{rel}" href="{page.to(other.output)}"><span>{name}</span> {escaped(other.prose.title)}</a>')
    return f'<nav class="turn" aria-label="Pages beside this one">{"".join(parts)}</nav>' if parts else ""


def inner(page, pages):
    """For a library's article: the types that it is the overview of, which DocC would list by itself."""
    members = [other for other in pages if other.parent == page.source and other.members]
    if not members or not page.source.endswith(".md") or ".docc/" not in page.source:
        return ""
    entries = "".join(f'<li><a href="{page.to(other.output)}"><code>{escaped(other.prose.title)}</code></a></li>' for other in members)
    return f'<h2 id="all-types">All types</h2><ul class="columns">{entries}</ul>'


def write(root, folder, pages, placed, links):
    template = string.Template((OWN / "page.html").read_text(encoding="utf-8"))
    by_source = {page.source: page for page in pages}
    beside = neighbors(pages, placed)
    for page in pages:
        name = page.prose.title if page.output == "index.html" else f"{page.prose.title} · {page.part or page.group} · Pomona"
        text = template.substitute(
            name=escaped(name), root=page.to("."), home=page.to("index.html"), navigation=navigation(page, placed), icon=ICON,
            crumbs=crumbs(page, by_source), body=page.prose.html() + inner(page, pages), toc=on_this_page(page),
            turn=turned(page, *beside.get(page.source, (None, None))), kind="home" if page.output == "index.html" else "page",
            origin=escaped(page.source) if (root / page.source).exists() else "the program and its sources")
        target = folder / page.output
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    (folder / "search-index.js").write_text(search.index(pages), encoding="utf-8")
    for asset in ASSETS:
        shutil.copyfile(OWN / asset, folder / asset)
    for asset in sorted(links.assets):
        target = folder / output_of(asset)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / asset, target)


def generate(root, facts, output):
    """Writes the site, or returns what is wrong with it: a list of sentences."""
    problems = []
    contents = tomllib.loads((root / "site/contents.toml").read_text(encoding="utf-8"))
    listed = [pattern for group in contents["group"] for part in [group, *group.get("part", [])] for pattern in part.get("pages", [])]
    try:
        pages = read_pages(root, facts, listed)
    except SiteError as error:
        return [str(error)], None
    placed = place(pages, contents, problems)
    check_titles(pages, problems)
    links = Links(root, pages, problems)
    for page in pages:
        links.resolve(page)
    check_commands(pages, facts, problems)
    if problems:
        return sorted(str(problem) for problem in problems), None
    # Written beside the old site and put in its place, so that nothing of it is left over and nobody reads a half of the new one.
    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=output.parent) as beside:
        made = pathlib.Path(beside, "site")
        made.mkdir()
        write(root, made, pages, placed, links)
        if output.exists():
            shutil.rmtree(output)
        made.rename(output)
    return [], {"pages": len(pages), "links": sum(len(page.prose.links) for page in pages), "outside": links.outside}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", type=pathlib.Path, default=OWN.parent)
    parser.add_argument("--facts", type=pathlib.Path)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    problems, counts = generate(arguments.root.resolve(), arguments.facts, arguments.output.resolve())
    if problems:
        print("\n".join(problems), file=sys.stderr)
        sys.exit(f"script/site: {len(problems)} things are wrong; nothing was written.")
    print("{pages} pages, {links} links of which {outside} lead elsewhere, in {0}".format(arguments.output, **counts))


if __name__ == "__main__":
    main()
