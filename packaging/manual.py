# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
"""Manual pages (man(7)) from what the commands say of themselves.

pomona --experimental-dump-help | manual.py VERSION DATE FOLDER
"""

import json
import pathlib
import re
import sys


def escaped(text):
    """A text as roff reads it: hyphens that can be copied, and no control lines by accident."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"(?m)^([.'])", r"\\&\1", text)


def name_of(name):
    return ("-" if name["kind"] == "short" else "--") + name["name"]


def shown(arguments, *kinds):
    return [a for a in arguments if a["kind"] in kinds and a.get("shouldDisplay", True)]


def synopsis(argument):
    if argument["kind"] == "positional":
        text = f"\\fI{escaped(argument['valueName'])}\\fR"
    else:
        text = f"\\fB{escaped(name_of(argument['preferredName']))}\\fR"
        if argument["kind"] == "option":
            text += f" \\fI{escaped(argument['valueName'])}\\fR"
    if argument.get("isRepeating"):
        text += " ..."
    return f"[{text}]" if argument.get("isOptional") else text


def described(argument):
    if argument["kind"] == "positional":
        head = f"\\fI{escaped(argument['valueName'])}\\fR"
    else:
        head = ", ".join(f"\\fB{escaped(name_of(name))}\\fR" for name in argument["names"])
        if argument["kind"] == "option":
            head += f" \\fI{escaped(argument['valueName'])}\\fR"
    lines = [".TP", head, escaped(argument.get("abstract", "")) or "\\&"]
    if argument.get("allValues"):
        lines.append("One of: " + escaped(", ".join(argument["allValues"])) + ".")
    if argument.get("defaultValue"):
        lines.append(f"If left out: {escaped(argument['defaultValue'])}.")
    return lines


def paragraphs(text):
    return "\n.PP\n".join(escaped(part) for part in re.split(r"\n\s*\n", text.strip())).split("\n")


def page(command, path, version, date):
    """The lines of one command's page."""
    arguments = command.get("arguments", [])
    abstract = command.get("abstract", "").strip().rstrip(".")
    title = "-".join(path)
    lines = [
        f'.TH "{title.upper()}" 1 "{date}" "Pomona {version}" "Pomona"',
        ".SH NAME",
        f"{escaped(title)} \\- {escaped(abstract[:1].lower() + abstract[1:])}",
        ".SH SYNOPSIS",
    ]
    # The default of a command is one of its subcommands, whose arguments are on its own page.
    options = " ".join(synopsis(a) for a in shown(arguments, "option", "flag", "positional"))
    subcommands = [s for s in command.get("subcommands", []) if s.get("shouldDisplay", True) and s["commandName"] != "help"]
    lines.append(f"\\fB{escaped(' '.join(path))}\\fR" + (" \\fIsubcommand\\fR ..." if subcommands else " " + options))
    if command.get("discussion"):
        lines += [".SH DESCRIPTION", *paragraphs(command["discussion"])]
    positional = shown(arguments, "positional")
    if positional:
        lines += [".SH ARGUMENTS", *(line for a in positional for line in described(a))]
    named = shown(arguments, "option", "flag")
    if named:
        lines += [".SH OPTIONS", *(line for a in named for line in described(a))]
    if subcommands:
        lines.append(".SH SUBCOMMANDS")
        for sub in subcommands:
            lines += [".TP", f"\\fB{escaped(title + '-' + sub['commandName'])}\\fR(1)", escaped(sub.get("abstract", "")) or "\\&"]
    if len(path) > 1:
        lines += [".SH SEE ALSO", f"\\fB{escaped('-'.join(path[:-1]))}\\fR(1)"]
    return lines


def pages(help_of, version, date):
    """(file name, text) of every command's page."""

    def walk(command, path):
        path = [*path, command["commandName"]]
        yield "-".join(path) + ".1", "\n".join(page(command, path, version, date)) + "\n"
        for sub in command.get("subcommands", []):
            if sub.get("shouldDisplay", True) and sub["commandName"] != "help":
                yield from walk(sub, path)

    return list(walk(help_of["command"], []))


if __name__ == "__main__":
    _, version, date, folder = sys.argv
    for name, text in pages(json.load(sys.stdin), version, date):
        pathlib.Path(folder, name).write_text(text)
