# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//
"""The index of words that the site's search reads, as a script: a page read from a folder may load a script and may not fetch."""

import collections
import json
import re

WORD = re.compile(r"\w+(?:[.\-/]\w+)*")
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
# Words that stand nearly everywhere distinguish no section from another.
COMMON = frozenset("a an and are as at be by for from in is it its of on or that the this to was what which who with".split())
# What a word is worth where it stands, by its mark in the index: in the text, as what a row of a table is about, in a heading, in a page's title.
TEXT, TERM, HEADING, TITLE = "", "*", "'", '"'
SNIPPET = 140
# A longer word is a key or a digest.
LONGEST = 60


def words(text):
    """The words of a text: such as key_unknown and acquirer.deadlineSeconds whole, and their parts."""
    for match in WORD.findall(text.lower()):
        parts = re.split(r"[._\-/]", match)
        yield from {match, *parts} if len(parts) > 1 else {match}


def base36(number):
    text = ""
    while True:
        number, digit = divmod(number, 36)
        text = DIGITS[digit] + text
        if not number:
            return text


def index(pages):
    """The script. A word's line is the word and its sections: numbers in base 36, each as the distance from the one before, with its
    mark."""
    sections, postings, listed = [], collections.defaultdict(dict), []
    for number, page in enumerate(pages):
        listed.append([page.output, page.prose.title, page.place])
        for section in page.prose.sections:
            heading = section.heading
            kind = TITLE if heading.level == 1 else HEADING
            text = " ".join(section.text.split()) if page.searched else ""
            for word in words(text):
                postings[word].setdefault(len(sections), TEXT)
            for term in section.terms if page.searched else ():
                postings[term.lower()][len(sections)] = TERM
            for word in words(heading.text):
                postings[word][len(sections)] = kind
            sections.append([number, "" if kind == TITLE else heading.id, "" if kind == TITLE else heading.text, text[:SNIPPET]])
    kept = sorted(word for word in postings if word not in COMMON and WORD.fullmatch(word) and len(word) < LONGEST)
    lines = "\n".join(_line(word, postings[word]) for word in kept)
    data = {"pages": listed, "sections": sections, "common": sorted(COMMON), "words": lines}
    return "globalThis.siteIndex = " + json.dumps(data, ensure_ascii=False, separators=(",", ":")) + ";\n"


def _line(word, found):
    parts, last = [word], 0
    for section, kind in sorted(found.items()):
        parts.append(base36(section - last) + kind)
        last = section
    return " ".join(parts)
