# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//
"""Whether the commands that pages show are commands of the program: each `pomona …` in code is held against its help.

Written text goes stale where a command or an option is renamed. This finds it in every page, without running anything.
"""

import re

# Where a line of shell begins something else: a pipe, a comment, another command, a file.
ENDS = re.compile(r"\s(?:[|&;>#<]|\d?>|→|—)|[;)`]|\$\(|…$|\s\\$")
# `pomona` in the place of a command: at the beginning, after sudo or a variable, in a substitution.
CALL = re.compile(r"(?:^|[|&;(]|\bsudo -u pomona|\bman|then|do)\s*(?:[A-Z_]+=\S+ )*pomona (?=[a-z-])(?=(.*))")


# What begins so and is a text: the line that the simulated Apple signs.
TEXTS = {"pomona merchant session v1"}


def joined(text, first):
    """(number, line) of shell, where a line that ends with a backslash goes on."""
    start, whole = first, ""
    for number, line in enumerate(text.splitlines(), start=first):
        start = start if whole else number
        whole += " " + line.rstrip("\\") if line.endswith("\\") else " " + line
        if not line.endswith("\\"):
            yield start, whole
            whole = ""


class Usage:
    """The commands and options of the program's help."""

    def __init__(self, help_of):
        self.root = help_of["command"]

    def problems(self, prose):
        """(line, text) of everything in a page's code that is no command, or an option that its command has not."""
        for token in prose.tokens:
            line = token.map[0] + 1 if token.map else 1
            if token.type == "fence":
                for number, text in joined(token.content, line + 1):
                    yield from ((number, wrong) for wrong in self._line(text))
            elif token.type == "inline":
                for child in token.children:
                    line += child.type == "softbreak"
                    if child.type == "code_inline" and child.content.startswith("pomona ") and child.content not in TEXTS:
                        yield from ((line, wrong) for wrong in self._line(child.content))

    def _line(self, line):
        for match in CALL.finditer(line.strip()):
            words = ENDS.split(" " + match[1], maxsplit=1)[0].split()
            if wrong := self._call(words):
                yield wrong

    def _call(self, words):
        command, path = self.root, ["pomona"]
        while words and (subcommands := {sub["commandName"]: sub for sub in command.get("subcommands", [])}):
            # Several at once: certificate import|activate, or a name that the reader puts in.
            names = re.split(r"[|/,]", words[0].rstrip(",.")) if re.match(r"[a-z]", words[0]) else []
            if not names:
                break
            if unknown := [name for name in names if name and name not in subcommands]:
                return f"there is no command {' '.join([*path, unknown[0]])}"
            command, words = subcommands[names[0]], words[1:]
            path.append(command["commandName"])
        if command.get("subcommands"):
            return None
        known = {"--" + name["name"] for argument in command.get("arguments", []) for name in argument.get("names", [])} | {"--help", "--version"}
        for option in re.findall(r"(?:^|[\s\[|(])(--[a-z][a-z-]*)", " ".join(words)):
            if option not in known:
                return f"{' '.join(path)} has no option {option}"
        return None
