# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//
"""Pages that are made: commands from their help, codes from the sources, the administration's API from its own documents, and exchanges
from the transcripts. Each is Markdown, so that its links, ids and words are treated as those of any other page.
"""

import dataclasses
import json
import pathlib
import re
import sys
import tomllib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "packaging"))

import failures  # noqa: E402
from failures import LITERAL, SENTENCE  # noqa: E402
from manual import name_of, shown  # noqa: E402
from prose import SiteError  # noqa: E402

SYNOPSIS_WIDTH = 78
EVERYWHERE = {"help", "version"}


@dataclasses.dataclass
class Made:
    """A made page: its name under site/pages, its Markdown, and the page that it is a part of, which the navigation shows in its place."""

    name: str
    text: str
    parent: str | None = None
    members: list | None = None

    @property
    def source(self):
        return f"site/pages/{self.name}.md"


def cell(text):
    return text.replace("|", "\\|").replace("\n", " ").strip()


def prose(text):
    """A sentence of a program as Markdown: nothing in it is a mark, but for code."""
    return re.sub(r"([*_<\[\]])(?![^`]*`(?:[^`]*`[^`]*`)*[^`]*$)", r"\\\1", text)


# Commands


def commands(help_of):
    """A page for each command of the first level, with its subcommands."""
    for top in _subcommands(help_of["command"]):
        path = ["pomona", top["commandName"]]
        parts = [f"# pomona {top['commandName']}\n", prose(top.get("abstract", "")) + "\n"]
        parts += _command(top, path, [])
        for sub in _subcommands(top):
            parts += _subcommand(sub, path, 2)
        yield Made(f"commands/{top['commandName']}", "\n".join(parts))


def _subcommands(command):
    return [sub for sub in command.get("subcommands", []) if sub.get("shouldDisplay", True) and sub["commandName"] != "help"]


def _subcommand(command, above, level):
    path = [*above, command["commandName"]]
    parts = [f"{'#' * level} {' '.join(path)}\n", prose(command.get("abstract", "")) + "\n"]
    parts += _command(command, path, [])
    for sub in _subcommands(command):
        parts += _subcommand(sub, path, level + 1)
    return parts


def _command(command, path, parts):
    if command.get("discussion"):
        parts.append(prose(command["discussion"]) + "\n")
    arguments = [a for a in shown(command.get("arguments", []), "positional", "option", "flag") if a["valueName"] not in EVERYWHERE]
    if not command.get("subcommands"):
        parts.append("```\n" + _filled(" ".join(path), [_synopsis(a) for a in sorted(arguments, key=lambda a: a["kind"] != "positional")]) + "\n```\n")
    if arguments:
        parts += ["| argument | meaning |", "|---|---|", *(_row(argument) for argument in arguments), ""]
    return parts


def _filled(first, rest):
    """A command's line, broken between its arguments."""
    lines = [first]
    for part in rest:
        if len(lines[-1]) + len(part) < SYNOPSIS_WIDTH:
            lines[-1] += " " + part
        else:
            lines.append("    " + part)
    return "\n".join(lines)


def _synopsis(argument):
    text = f"<{argument['valueName']}>" if argument["kind"] == "positional" else name_of(argument["preferredName"])
    if argument["kind"] == "option":
        text += f" <{argument['valueName']}>"
    text += " …" if argument.get("isRepeating") else ""
    return f"[{text}]" if argument.get("isOptional") else text


def _row(argument):
    names = [f"<{argument['valueName']}>"] if argument["kind"] == "positional" else [name_of(name) for name in argument["names"]]
    if argument["kind"] == "option":
        names[-1] += f" <{argument['valueName']}>"
    meaning = prose(argument.get("abstract", ""))
    if argument.get("allValues"):
        meaning += " One of: " + ", ".join(f"`{value}`" for value in argument["allValues"]) + "."
    if argument.get("defaultValue"):
        meaning += f" If left out: `{argument['defaultValue']}`."
    if not argument.get("isOptional"):
        meaning += " Required."
    return f"| {', '.join(f'`{name}`' for name in names)} | {cell(meaning)} |"


# Codes


def codes(root):
    """The page of every code with which a token or a call is refused: where it stops, what the program says, and what to do."""
    if not (root / "Sources/ApplePayToken/TokenErrorCodes.swift").exists():
        return
    own = tomllib.loads((root / "site/codes.toml").read_text(encoding="utf-8"))
    listed = _remedies((root / "docs/refusals.md").read_text(encoding="utf-8"))
    sections = [*_token_codes(root), ("Codes of the gateway", list(_gateway_codes(root)))]
    _check_codes(sections, listed, own)
    lines = [
        "# Error codes\n",
        "Every code with which Pomona refuses a token or a call, made from the sources. "
        "[Refused calls](../../docs/refusals.md) says how they are found in the store, and [how to read a refusal](how-to-refusal.md) where to begin. "
        "A dialect answers with codes of its own: its page has them. Why Apple gave no merchant session stands with "
        "[merchant validation](../../docs/merchant-validation.md#why-there-is-no-session).\n",
    ]
    if (root / failures.TEXTS).exists():
        lines.append("[Commands](command-codes.md) and [the administration](administration-problems.md) have lists of their own.\n")
    for title, rows in sections:
        lines += [f"## {title}\n", *_code_table(rows, own["cause"], {**listed, **own["remedy"]}), ""]
    yield Made("error-codes", "\n".join(lines))


def _check_codes(sections, listed, own):
    """Every code has a cause and a remedy, and codes.toml says nothing that stands elsewhere."""
    causes = dict(row for _, rows in sections for row in rows)
    for code, cause in causes.items():
        if not cause and code not in own["cause"]:
            raise SiteError("site/codes.toml", 1, f"the code {code} has no cause: neither a comment, nor a sentence, nor a line in [cause]")
        if code not in listed and code not in own["remedy"]:
            raise SiteError(
                "docs/refusals.md", 1, f"the code {code} has no row that says what to do, and site/codes.toml has no [remedy]")
    for code in [*(code for code in own["cause"] if causes.get(code, "")), *(code for code in own["remedy"] if code in listed)]:
        raise SiteError("site/codes.toml", 1, f"the line of {code} is not needed: the sources or docs/refusals.md have it")
    for code in {*own["cause"], *own["remedy"]} - {*causes}:
        raise SiteError("site/codes.toml", 1, f"there is no code {code}")


def _code_table(rows, causes, remedies):
    """A table of codes. What to do about all of them alike stands once, above it."""
    same = {remedies[code] for code, _ in rows}
    lines = [f"What to do: {same.pop()}\n", "| code | cause |", "|---|---|"] if len(same) == 1 else ["| code | cause | what to do |", "|---|---|---|"]
    for code, cause in rows:
        remedy = f" {cell(remedies[code])} |" if "what to do" in lines[0] else ""
        lines.append(f"| `{code}` | {cell(prose(cause or causes[code]))} |{remedy}")
    return lines


def _remedies(text):
    """What docs/refusals.md says to do, by code. A row has some codes, and in its last cell what to do about them."""
    found = {}
    rows = text[text.index("## Codes of the gateway"):]
    for line in rows.splitlines():
        cells = [part.strip() for part in re.split(r"(?<!\\)\|", line)[1:-1]]
        for code in re.findall(r"`([a-z0-9_]+)`", cells[-2] if cells else ""):
            found[code] = cells[-1]
    return found


def _text(literals):
    """A Swift literal, or several in a sum, as a sentence. What is put in at run time is an ellipsis."""
    text = "".join(part[1:-1] for part in re.findall(LITERAL, literals))
    return re.sub(r"(?:\\\((?:[^()]|\([^()]*\))*\))+", "…", text).replace('\\"', '"').replace("….", "…").strip()


def _token_codes(root):
    sources = "\n".join(path.read_text(encoding="utf-8") for path in sorted((root / "Sources/ApplePayToken").rglob("*.swift")))
    sentences = {}
    for name, literals in re.findall(rf"TokenError\(\s*\.(\w+),\s*\.\w+,\s*{SENTENCE}", sources):
        sentences.setdefault(name, []).append(_text(literals))
    text = (root / "Sources/ApplePayToken/TokenErrorCodes.swift").read_text(encoding="utf-8")
    for part in text.split("// MARK: - ")[1:]:
        rows = []
        for comment, name, code in re.findall(r'((?:    ///.*\n)*)    public static let (\w+) = Self\(rawValue: "(\w+)"\)', part):
            said = " ".join(line.strip().removeprefix("///").strip() for line in comment.splitlines())
            rows.append((code, said or " ".join(dict.fromkeys(sentences.get(name, [])))))
        yield "Tokens: " + part.splitlines()[0][:1].lower() + part.splitlines()[0][1:], rows


def _gateway_codes(root):
    folder = root / "Sources/Gateway/Commands"
    names = dict(re.findall(r'case \.(\w+)(?:\([^)]*\))?: "([a-z_]+)"', (folder / "GatewayRefusal+Code.swift").read_text(encoding="utf-8")))
    said = (folder / "GatewayRefusal.swift").read_text(encoding="utf-8")
    for name, literals in re.findall(rf"case \.(\w+)(?:\([^)]*\))?:\s*{SENTENCE}", said):
        if name == "merchantSessionFailed":
            continue  # A code for each failure, which docs/merchant-validation.md lists.
        yield names.get(name) or re.sub(r"[A-Z]", lambda match: "_" + match[0].lower(), name), _text(literals)


# The administration's API


def administration(document):
    lines = ["# Endpoints of the administration\n", (
        "Made from the OpenAPI document that the server itself serves at `/admin/v1/openapi.json`, which also has every schema. "
        "[The administration's API](../../docs/api.md) says who may call it and how.\n")]
    by_tag = {}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            by_tag.setdefault(operation["tags"][0], []).append((path, method, operation))
    for tag, operations in by_tag.items():
        lines += [f"## {tag}\n", "| call | what it does |", "|---|---|"]
        for path, method, operation in operations:
            said = f"{operation['summary']} {operation.get('description', '')}"
            lines.append(f"| `{method.upper()} {path}` | {cell(prose(said))} |")
        lines.append("")
    yield Made("administration-endpoints", "\n".join(lines))


# Failures of commands, and problems of the administration


def failed(root, answered):
    """The page of every code with which a command fails, and that of the administration's problems, of which the server has answered the status."""
    if not (root / failures.TEXTS).exists():
        return
    sections, texts = failures.read(root)
    lines = ["# Codes of commands\n", (
        "Every code with which a `pomona` command fails (exit code 1), made from the sources. It stands in parentheses under the message, "
        "which names the file, option or value, and with `--json` in `error.code`. A command line that cannot be read has none (exit code 64).\n"), (
        "A command also prints what others refuse: [a token or the gateway](error-codes.md), and "
        "[the administration or Apple](administration-problems.md).\n")]
    for title, rows in sections.items():
        said = {code: texts[table][code] for table, code in rows}
        remedies = {code: text["remedy"] for code, text in said.items()}
        lines += [f"## {title}\n", *_code_table([(code, text["cause"]) for code, text in said.items()], {}, remedies), ""]
    yield Made("command-codes", "\n".join(lines))
    yield _problems(root, texts, answered)


def _problems(root, texts, answered):
    lines = ["# Problems of the administration\n", (
        "Every `code` of an answer of [the administration's API](../../docs/api.md) that refuses, as the server itself lists them at "
        "`/admin/v1/problems`, with its HTTP status, its cause and what to do. The portal shows them, and commands fail with some of them.\n"),
        "| code | status | cause | what to do |", "|---|---|---|---|"]
    said = {**_others(root), **texts["administration"], **{f"apple_{code}": text for code, text in texts["apple"].items()}} if answered else {}
    for row in answered:
        code = row["code"]
        if code not in said:
            raise SiteError(failures.TEXTS, 1, f"the server answers with a code that the sources do not list: {code}")
        remedy = said[code].get("remedy") or prose(row["advice"])
        lines.append(f"| `{code}` | {row['status']} | {cell(prose(said[code]['cause']))} | {cell(remedy)} |")
    return Made("administration-problems", "\n".join(lines) + "\n")


def _others(root):
    """{code: its cause and remedy} of problems that are an error code, too: of a certificate, and of a payment's state."""
    own = tomllib.loads((root / "site/codes.toml").read_text(encoding="utf-8"))
    remedies = {**_remedies((root / "docs/refusals.md").read_text(encoding="utf-8")), **own["remedy"]}
    causes = {code: cause or own["cause"][code] for _, rows in _token_codes(root) for code, cause in rows}
    found = {code: {"cause": cause, "remedy": remedies[code]} for code, cause in causes.items()}
    for code, cause in _gateway_codes(root):
        name = "payment_" + re.sub(r"_(.)", lambda match: match[1].upper(), code)
        found[name] = {"cause": cause, "remedy": remedies[code]}
    return found


# Exchanges


def exchanges(root):
    """For each dialect a page that lists its transcripts, and a page for each of them."""
    for folder in sorted(root.glob("Tests/Dialects/*Tests/Transcripts")):
        dialect = folder.parent.name.removesuffix("Tests")
        name = dialect.lower()
        overview = f"exchanges/{name}"
        lines = [f"# {dialect}: requests and answers\n", (
            f"Recorded by the conformance tests, which fail when an answer changes. [{dialect}](../../../docs/dialects/{name}.md) explains the fields. "
            "Names in angle brackets stand for what differs with each run: tokens, credentials, ids.\n")]
        pages = []
        for file in sorted(folder.glob("*.http")):
            title, _, body = file.read_text(encoding="utf-8").partition("\n")
            title = title.removeprefix("# ").rstrip(".")
            lines.append(f"- [{title}]({name}/{file.stem}.md)")
            pages.append(Made(f"{overview}/{file.stem}", _exchange(dialect, title, body), parent=f"site/pages/{overview}.md"))
        yield Made(overview, "\n".join(lines) + "\n")
        yield from pages


def _exchange(dialect, title, body):
    lines = [f"# {dialect}: {title[:1].lower()}{title[1:]}\n"]
    for number, part in enumerate(re.split(r"(?m)^### \d+\n", body)[1:], start=1):
        request, answer = re.split(r"(?m)^(?=HTTP/1\.1 \d)", part.strip(), maxsplit=1)
        called = request.splitlines()[0].rsplit(" ", 1)[0]
        lines += [f"## {number}. `{called.split('?')[0]}`\n", "Request:\n", "~~~~~http", request.strip(), "~~~~~\n"]
        lines += ["Answer:\n", "~~~~~http", answer.strip(), "~~~~~\n"]
    return "\n".join(lines)


def all_pages(root, facts):
    """Every made page that the sources and what the program said (gather.py) are there for."""
    def fact(name):
        return json.loads((facts / name).read_text(encoding="utf-8"))

    yield from codes(root)
    yield from exchanges(root)
    yield from failed(root, fact("problems.json")["data"] if facts and (facts / "problems.json").exists() else [])
    if facts and (facts / "help.json").exists():
        yield from commands(fact("help.json"))
    if facts and (facts / "openapi.json").exists():
        yield from administration(fact("openapi.json"))
