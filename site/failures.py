# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//
"""The codes with which commands fail and the administration refuses, as the sources have them, and what failures.toml says of each."""

import dataclasses
import re
import tomllib

from prose import SiteError

TEXTS = "site/failures.toml"
# Where a command turns an error into what it prints, and where the administration's problems come from.
PRINTED = ("Sources/pomona/Output/CommandFailure.swift", "Sources/pomona/Application/ServerFailure.swift")
PROBLEMS = "Sources/AdminAPI/Calls/ProblemKind.swift"
APPLE = "Sources/Gateway/UseCases/MerchantSessionFailure.swift"

LITERAL = r'"(?:[^"\\]|\\.)*"'
SENTENCE = rf"({LITERAL}(?:\s*\+\s*{LITERAL})*)"
CONSTANT = r'static let \w+ = Code\((?:\w+: )?"(\w+)"\)'


@dataclasses.dataclass
class Part:
    """A part of the program with codes of its own: its table in failures.toml, its type, the files that have the codes, and how."""

    table: str
    error: str
    files: tuple
    pattern: str | None = None  # None: the cases of its enum Code.
    prefix: str = ""
    has_remedies: bool = False  # The sources have them, and failures.toml the causes alone.


COMMANDS = {
    "What a command finds itself": [Part("commands", "CommandFailure", ("Sources/pomona/Output/CommandFailure+Code.swift",))],
    "The store": [
        Part("store", "StoreError", ("Sources/pomona/Output/CommandFailure.swift",), r'case \.\w+: "(store_\w+)"'),
        Part("store", "StoreCopyError", ("Sources/Stores/StoreRows/StoreCopying.swift",), CONSTANT),
    ],
    "What is sealed": [Part("vault", "VaultError", ("Sources/Gateway/Secrets/VaultError.swift",))],
    "JSON that is read": [Part("json", "JSONError", ("Sources/Core/StrictJSON/JSONError.swift",))],
    "Tokens, certificates and sessions of the simulator": [
        Part("mint", "SimulatorError", ("Sources/WalletSimulator/SimulatorError.swift",), CONSTANT)],
    "Addresses that are listened on": [
        Part("listener", "ListenerError", ("Sources/Server/HTTP/ListenerError.swift",), r'static let \w+ = Code\("(\w+)"\)')],
    "The link to an acquirer's process": [
        Part("link", "AcquirerLinkError", ("Sources/Acquirers/Link/AcquirerLinkError.swift",), CONSTANT, prefix="acquirer_")],
    "The simulated acquirer's book": [
        Part("book", "SimulatorBookError", ("Sources/Acquirers/Simulator/*.swift",), r'SimulatorBookError\(\s*code: "(\w+)"')],
    "Pages that the program serves": [
        Part("web", "WebFilesError", ("Web/*.swift", "Sources/**/*.swift"), r'WebFilesError\(\s*code: "(\w+)"')],
}
ADMINISTRATION = [
    Part("administration", "Problem", ("Sources/AdminAPI/Calls/ProblemCode.swift",), has_remedies=True),
    Part("administration", "AdministrationError", ("Sources/Administration/AdministrationError.swift",)),
    Part("administration", "AccountPlanError", ("Sources/DialectKit/Accounts/AccountPlanError.swift",)),
    Part("administration", "PaymentActError", ("Sources/Administration/PaymentActError.swift",)),
]
# What commands print of others, whose codes stand on pages of their own.
ELSEWHERE = {"TokenError", "GatewayRefusal", "AdministrationError", "AccountPlanError", "MerchantRegistrationFailure"}


def read(root):
    """({title: [(table, code)]} of the commands, {table: {code: {"cause", "remedy"}}}). Every code has its lines in failures.toml, and no other."""
    texts = tomllib.loads((root / TEXTS).read_text(encoding="utf-8"))
    sections = {title: [(part.table, code) for part in parts for code in _codes(root, part)] for title, parts in COMMANDS.items()}
    advised = {code for part in ADMINISTRATION if part.has_remedies for code in _codes(root, part)}
    found = {name for rows in sections.values() for name in rows}
    found |= {("administration", code) for part in ADMINISTRATION for code in _codes(root, part)}
    apple = _apple(root)
    found |= {("apple", code) for code, said in apple.items() if len(said) == 1}
    for table, code in sorted(found):
        lines = texts.get(table, {}).get(code, {})
        wanted = {"remedy"} if table == "apple" else {"cause"} if table == "administration" and code in advised else {"cause", "remedy"}
        if lacking := sorted(name for name in wanted if not lines.get(name)):
            raise SiteError(TEXTS, 1, f"the code {code} has no {' and no '.join(lacking)}: [{table}.{code}]")
        if needless := sorted(lines.keys() - wanted):
            raise SiteError(TEXTS, 1, f"the {needless[0]} of [{table}.{code}] is not needed: the sources have it")
    for table, code in sorted({(table, code) for table, codes in texts.items() for code in codes} - found):
        raise SiteError(TEXTS, 1, f"there is no code for [{table}.{code}]")
    _check_types(root)
    texts["apple"] = {
        code: {"cause": said[0], "remedy": said[1] if len(said) > 1 else texts["apple"][code]["remedy"]} for code, said in apple.items()}
    return sections, texts


def _apple(root):
    """{code: [cause, remedy]} of what Apple did not do: the first sentence is the cause, and what follows it, if anything does, the remedy."""
    text = (root / APPLE).read_text(encoding="utf-8")
    literals = dict(re.findall(rf"case \.(\w+):\s*{SENTENCE}", text))
    sentences = {name: "".join(part[1:-1] for part in re.findall(LITERAL, sentence)) for name, sentence in literals.items()}
    return {code: re.split(r"(?<=\.) ", sentences[name], maxsplit=1) for name, code in re.findall(r'    case (\w+) = "(\w+)"', text)}


def _codes(root, part):
    """The codes of a part, each once, in the order of the sources."""
    codes = []
    for pattern in part.files:
        for path in sorted(root.glob(pattern)):
            text = path.read_text(encoding="utf-8")
            found = re.findall(part.pattern, text) if part.pattern else _cases(text, path.relative_to(root).as_posix())
            codes += [part.prefix + code for code in found]
    if not codes:
        raise SiteError(part.files[0], 1, f"has no codes of {part.error}: site/failures.py says where they are")
    return list(dict.fromkeys(codes))


def _cases(text, source):
    """The cases of an enum Code within a type."""
    found = re.search(r"(?ms)^    (?:public )?enum Code\b[^\n]*\{\n(.*?)^    \}", text)
    for case in re.findall(r"(?m)^        case (.+)$", found[1] if found else ""):
        match = re.fullmatch(r'(\w+)(?: = "(\w+)")?', case)
        if not match:
            raise SiteError(source, 1, f"a case of Code that cannot be read: {case}")
        yield match[2] or match[1]


def _check_types(root):
    """No kind of error is printed, and none is a problem of the administration, whose codes are listed nowhere."""
    known = {part.error for parts in COMMANDS.values() for part in parts} | ELSEWHERE
    for source in PRINTED:
        for error in re.findall(r"\bcase let \w+ as (\w+)", (root / source).read_text(encoding="utf-8")):
            if error not in known:
                raise SiteError(source, 1, f"prints the codes of {error}, which site/failures.py does not list")
    known = {part.error for part in ADMINISTRATION} | {"PaymentRefusal"}
    for error in re.findall(r"(\w+)\.Code\.allCases", (root / PROBLEMS).read_text(encoding="utf-8")):
        if error not in known:
            raise SiteError(PROBLEMS, 1, f"lists the codes of {error}, which site/failures.py does not")
