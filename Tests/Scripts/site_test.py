# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//
"""The documentation site: what the generator makes of a small folder, what it refuses, that the real site passes, and the tutorial run as it stands.

The tutorial, and the real site with the program's own help, need the program: POMONA_BINARY, else .build/debug/pomona.
"""

import hashlib
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
PYTHON = subprocess.run(
    [ROOT / "script/python-venv", "site", "site/requirements.txt"], capture_output=True, text=True, check=True).stdout.strip()
sys.path += [str(next(pathlib.Path(PYTHON).parents[1].glob("lib/python*/site-packages"))), str(ROOT / "site")]

import generate  # noqa: E402
import usage  # noqa: E402
from prose import Prose  # noqa: E402

PROGRAM = pathlib.Path(os.environ.get("POMONA_BINARY") or ROOT / ".build/debug/pomona")
SANDBOX_ON_FREE_PORTS = """#!/bin/sh
case "$1" in
sandbox) shift; exec {program} sandbox --port 0 --tls-port 0 "$@" ;;
*) exec {program} "$@" ;;
esac
"""
# A reader waits for a moment; on a machine that is busy it takes what it takes.
PAUSE = "sleep 2\npomona refusals list --data tour\n"
PATIENT_PAUSE = """timeout 60 sh -c 'until pomona refusals list --data tour | grep -q token_replayed; do sleep 0.2; done'
pomona refusals list --data tour
"""
CONTENTS = """
[[group]]
name = "Start"
pages = ["site/pages/index.md", "docs/README.md"]
[[group]]
name = "Reference"
[[group.part]]
name = "Things"
pages = ["docs/apples.md", "docs/folder/pears.md"]
"""
HELP = {
    "command": {
        "commandName": "pomona",
        "subcommands": [{
            "commandName": "tree",
            "subcommands": [{
                "commandName": "shake",
                "abstract": "Shake a tree.",
                "arguments": [{
                    "kind": "option", "valueName": "force", "names": [{"kind": "long", "name": "force"}], "isOptional": True,
                    "preferredName": {"kind": "long", "name": "force"}, "abstract": "How <much> of it.", "defaultValue": "3",
                }],
            }],
        }],
    },
}


def needs_program(test):
    """Skips, and says so where nobody misses it."""
    if PROGRAM.exists():
        return test
    print(f"\nTests/Scripts/site_test.py: {test.__name__} was NOT run: there is no {PROGRAM}.", file=sys.stderr)
    return unittest.skip("no program")(test)


class SmallSiteTest(unittest.TestCase):
    """Four pages, each test with one thing about them changed."""

    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)
        self.output = self.root / "out"
        self.put("site/contents.toml", CONTENTS)
        self.put("site/pages/index.md", "# Home\n\nOf [apples](../../docs/apples.md#how-theyre-kept) and `pomona tree shake`.\n")
        self.put("docs/README.md", "# Begin\n\n[Pears](folder/pears.md), [the folder](folder/pears.md#pears), [here](#begin).\n")
        self.put("docs/apples.md", (
            "# Apples\n\n## How they're kept\n\nIn the **cellar**, on straw.\n\n| key | meaning |\n|---|---|\n| `apple.ripeSeconds` | when |\n\n"
            "[code](../Sources/Apple.swift) [schema](apples.xsd) [elsewhere](https://fruit.example/)\n"))
        self.put("docs/folder/pears.md", "# Pears\n\n[Back](../README.md)\n\n## Pears\n\n## Pears\n\n<b>not bold</b>\n")
        self.put("Sources/Apple.swift", "")
        self.put("docs/apples.xsd", "<schema/>")

    def put(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def add(self, name, text):
        self.put(name, (self.root / name).read_text(encoding="utf-8") + text)

    def made(self, facts=None):
        problems, _ = generate.generate(self.root, facts, self.output)
        self.assertEqual(problems, [])
        return lambda name: (self.output / name).read_text(encoding="utf-8")

    def refused(self, *expected, facts=None):
        problems, _ = generate.generate(self.root, facts, self.output)
        self.assertEqual(problems, list(expected))
        self.assertFalse(self.output.exists(), "Nothing is written when anything is wrong.")

    def help_facts(self):
        self.put("facts/help.json", json.dumps(HELP))
        self.put("site/contents.toml", CONTENTS + '[[group]]\nname = "Commands"\npages = ["site/pages/commands/*.md"]\n')
        return self.root / "facts"

    def test_links_lead_from_page_to_page(self):
        page = self.made()
        self.assertIn('<a href="docs/apples.html#how-theyre-kept">apples</a>', page("index.html"))
        self.assertIn('<a href="folder/pears.html">Pears</a>', page("docs/index.html"))
        self.assertIn('<a href="#begin">here</a>', page("docs/index.html"))
        self.assertIn('<a href="../index.html">Back</a>', page("docs/folder/pears.html"))
        self.assertIn('<a href="https://fruit.example/">elsewhere</a>', page("docs/apples.html"))

    def test_a_file_of_the_repository_is_named_and_one_of_docs_is_copied(self):
        page = self.made()
        self.assertIn('<span class="source" title="In the repository: Sources/Apple.swift">code</span>', page("docs/apples.html"))
        self.assertIn('<a href="apples.xsd">schema</a>', page("docs/apples.html"))
        self.assertEqual(page("docs/apples.xsd"), "<schema/>")

    def test_headings_have_the_ids_of_github(self):
        text = self.made()("docs/folder/pears.html")
        self.assertEqual(re.findall(r'<h\d id="([^"]+)"', text), ["pears", "pears-1", "pears-2"])

    def test_markup_in_a_page_is_text(self):
        self.assertIn("&lt;b&gt;not bold&lt;/b&gt;", self.made()("docs/folder/pears.html"))

    def test_nothing_is_inline_and_nothing_is_from_elsewhere(self):
        self.made()
        for path in self.output.rglob("*.html"):
            text = path.read_text(encoding="utf-8")
            self.assertNotRegex(text, r"<script(?![^>]* src=)|<style|\sstyle=|\son\w+=|javascript:", path.name)
            for address in re.findall(r'(?:src|<link[^>]* href)="([^"]+)"', text):
                self.assertTrue((path.parent / address).is_file(), f"{path.name}: {address}")

    def test_each_page_is_where_its_group_says(self):
        text = self.made()("docs/folder/pears.html")
        self.assertIn('<p class="crumbs">Reference › Things</p>', text)
        self.assertIn('<a href="pears.html" aria-current="page">Pears</a>', text)
        self.assertIn('<a rel="prev" href="../apples.html">', text)

    def test_the_index_has_words_and_what_they_head(self):
        self.made()
        text = (self.output / "search-index.js").read_text(encoding="utf-8")
        index = json.loads(text.removeprefix("globalThis.siteIndex = ").removesuffix(";\n"))
        words = {line.split(" ")[0]: line.split(" ")[1:] for line in index["words"].split("\n")}

        def found(word):
            at, places = 0, []
            for step in words.get(word, []):
                at += int(step.rstrip("*'\""), 36)
                page, anchor, _, _ = index["sections"][at]
                places.append((index["pages"][page][0], anchor, step.lstrip("0123456789abcdefghijklmnopqrstuvwxyz")))
            return places

        self.assertEqual(found("straw"), [("docs/apples.html", "how-theyre-kept", "")])
        self.assertEqual(found("apple.ripeseconds"), [("docs/apples.html", "how-theyre-kept", "*")])
        self.assertEqual(found("ripeseconds"), [("docs/apples.html", "how-theyre-kept", "")])
        self.assertIn(("docs/apples.html", "", '"'), found("apples"))
        self.assertNotIn("the", words)
        self.assertEqual(found("plums"), [])

    def test_two_runs_give_the_same_bytes(self):
        self.help_facts()
        digests = []
        for seed in ("1", "2"):
            output = self.root / f"out{seed}"
            subprocess.run(
                [PYTHON, ROOT / "site/generate.py", "--root", self.root, "--facts", self.root / "facts", "--output", output],
                check=True, env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONDONTWRITEBYTECODE": "1"}, capture_output=True)
            digests.append({
                path.relative_to(output).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in output.rglob("*") if path.is_file()})
        self.assertEqual(digests[0], digests[1])
        self.assertIn("commands/tree.html", digests[0])

    def test_a_new_site_leaves_nothing_of_the_old_one(self):
        self.made()
        (self.output / "left.html").write_text("", encoding="utf-8")
        self.made()
        self.assertFalse((self.output / "left.html").exists())

    def test_a_dead_link_is_named_with_its_line(self):
        self.add("docs/README.md", "\nA line\nand a [plum](plums.md).\n")
        self.refused("docs/README.md:6: links to what is not there: plums.md")

    def test_a_dead_link_to_a_source_is_named(self):
        self.add("docs/README.md", "\n[code](../Sources/Plum.swift)\n")
        self.refused("docs/README.md:5: links to what is not there: ../Sources/Plum.swift")

    def test_a_link_out_of_the_repository_is_dead(self):
        self.add("docs/README.md", "\n[code](../../etc/passwd)\n")
        self.refused("docs/README.md:5: links to what is not there: ../../etc/passwd")

    def test_a_dead_anchor_is_named(self):
        self.add("docs/README.md", "\n[a](#nowhere) [b](apples.md#nowhere)\n")
        self.refused(
            "docs/README.md:5: links to a heading that is not there: #nowhere",
            "docs/README.md:5: links to a heading that is not there: apples.md#nowhere")

    def test_a_dead_link_in_a_table_is_named(self):
        self.add("docs/README.md", "\n| a |\n|---|\n| [b](plums.md) |\n")
        self.refused("docs/README.md:7: links to what is not there: plums.md")

    def test_a_missing_image_is_named_and_one_from_elsewhere_is_refused(self):
        self.add("docs/README.md", "\n![a](plum.png)\n\n![b](https://fruit.example/plum.png)\n")
        self.refused(
            "docs/README.md:5: shows what is not there: plum.png",
            "docs/README.md:7: shows an image from elsewhere: https://fruit.example/plum.png")

    def test_a_page_in_no_group_is_named(self):
        self.put("docs/plums.md", "# Plums\n")
        self.refused("docs/plums.md:1: is in no group of site/contents.toml")

    def test_a_page_in_two_groups_is_named(self):
        self.put("site/contents.toml", CONTENTS.replace('"docs/apples.md"', '"docs/apples.md", "docs/README.md"'))
        self.refused("site/contents.toml:1: docs/README.md is in two groups: Start, and Reference › Things")

    def test_contents_name_no_page_that_is_not_there(self):
        self.put("site/contents.toml", CONTENTS.replace('"docs/apples.md"', '"docs/apples.md", "docs/plums.md"'))
        self.refused("site/contents.toml:1: docs/plums.md names no page")

    def test_two_pages_of_a_part_have_not_one_title(self):
        self.put("docs/folder/pears.md", "# Apples\n\n## Pears\n")
        self.put("docs/README.md", "# Apples\n")
        self.refused("docs/folder/pears.md:1: has the title of docs/apples.md: Apples")

    def test_a_page_without_a_title_is_named(self):
        self.put("docs/README.md", "## Begin\n")
        self.refused("docs/README.md:1: does not begin with a title (# …)")

    def test_commands_have_pages_from_their_help(self):
        text = self.made(self.help_facts())("commands/tree.html")
        self.assertIn('<h2 id="pomona-tree-shake">pomona tree shake', text)
        self.assertIn("[--force &lt;force&gt;]", text)
        self.assertIn("How &lt;much&gt; of it. If left out: <code class=\"whole\">3</code>.", text)

    def test_a_command_that_is_not_there_is_named(self):
        facts = self.help_facts()
        self.add("docs/README.md", (
            "\nWith `pomona tree shake --force 3`,\nnot `pomona tree shade`.\n\n"
            "```\npomona tree shake \\\n  --forse 3 | cat --number\n```\n"))
        self.refused(
            "docs/README.md:6: there is no command pomona tree shade", "docs/README.md:9: pomona tree shake has no option --forse", facts=facts)

    def test_made_pages_are_linked_by_their_names(self):
        facts = self.help_facts()
        self.add("docs/README.md", "\n[shake](made:commands/tree#pomona-tree-shake)\n")
        self.assertIn('<a href="../commands/tree.html#pomona-tree-shake">shake</a>', self.made(facts)("docs/index.html"))
        shutil.rmtree(self.output)
        self.add("docs/README.md", "\n[fell](made:commands/forest) [fell](made:commands/tree#fell)\n")
        self.refused(
            "docs/README.md:7: links to a heading that is not there: made:commands/tree#fell",
            "docs/README.md:7: links to a page that is not made: commands/forest", facts=facts)

    def codes(self, comment="    /// It is not ripe.\n", row="| parse | `not_ripe` | wait |", own=""):
        """One code of tokens and one of the gateway, as the sources and docs/refusals.md have them."""
        self.put("Sources/ApplePayToken/TokenErrorCodes.swift", (
            f"// MARK: - Stage parse\n\nextension TokenError.Code {{\n{comment}"
            '    public static let notRipe = Self(rawValue: "not_ripe")\n}\n'))
        self.put("Sources/Gateway/Commands/GatewayRefusal+Code.swift", '        case .appleGone(let name): "apple_gone"\n')
        self.put("Sources/Gateway/Commands/GatewayRefusal.swift", '        case .appleGone(let name): "The apple \\(name) "\n                + "is gone."\n')
        self.put("docs/refusals.md", (
            f"# Refused\n\n## Codes of the gateway\n\n| code | do |\n|---|---|\n| `apple_gone` | plant |\n\n## Codes of tokens\n\n{row}\n"))
        self.put("site/codes.toml", own if "[cause]" in own else f"[cause]\n[remedy]\n{own}")
        pages = ["site/pages/error-codes.md", "docs/refusals.md", "site/pages/how-to-refusal.md", "docs/merchant-validation.md"]
        self.put("site/contents.toml", CONTENTS + f'[[group]]\nname = "Codes"\npages = {json.dumps(pages)}\n')
        self.put("site/pages/how-to-refusal.md", "# Read it\n")
        self.put("docs/merchant-validation.md", "# Validation\n\n## Why there is no session\n")

    def test_codes_have_a_cause_and_a_remedy(self):
        self.codes()
        text = self.made()("error-codes.html").replace("<wbr>", "")
        self.assertIn("<p>What to do: wait</p>", text)
        self.assertIn('<td><code class="whole">not_ripe</code></td>\n<td>It is not ripe.</td>', text)
        self.assertIn('<td><code class="whole">apple_gone</code></td>\n<td>The apple … is gone.</td>', text)

    def test_a_code_without_a_cause_or_a_remedy_is_named(self):
        self.codes(comment="")
        self.refused("site/codes.toml:1: the code not_ripe has no cause: neither a comment, nor a sentence, nor a line in [cause]")
        self.codes(row="")
        self.refused("docs/refusals.md:1: the code not_ripe has no row that says what to do, and site/codes.toml has no [remedy]")

    def test_a_line_about_a_code_that_says_nothing_new_is_named(self):
        self.codes(own='not_ripe = "Wait."')
        self.refused("site/codes.toml:1: the line of not_ripe is not needed: the sources or docs/refusals.md have it")
        self.codes(own='[cause]\nnot_ripe = "It is green."\n[remedy]\n')
        self.refused("site/codes.toml:1: the line of not_ripe is not needed: the sources or docs/refusals.md have it")
        self.codes(own='not_round = "Wait."')
        self.refused("site/codes.toml:1: there is no code not_round")

    def failures(self, command="too_open", texts="", printed="StoreError"):
        """A code of each part of the program that fails, as the sources have them, and lines for all but that of commands."""
        self.codes()
        cases = 'struct X {{\n    public enum Code: String {{\n        case it = "{}"\n    }}\n    enum Stage {{\n        case no\n    }}\n}}\n'
        files = {
            "Sources/pomona/Output/CommandFailure+Code.swift": cases.format(command),
            "Sources/pomona/Output/CommandFailure.swift": f'case let error as {printed}: 1\n        case .conflict: "store_conflict"\n',
            "Sources/pomona/Application/ServerFailure.swift": "",
            "Sources/Stores/StoreRows/StoreCopying.swift": 'public static let same = Code("store_same")',
            "Sources/Gateway/Secrets/VaultError.swift": cases.format("box_damaged"),
            "Sources/Core/StrictJSON/JSONError.swift": cases.format("too_deep"),
            "Sources/WalletSimulator/SimulatorError.swift": 'public static let forged = Code(rawValue: "forged")',
            "Sources/Server/HTTP/ListenerError.swift": 'public static let inUse = Code("in_use")',
            "Sources/Acquirers/Link/AcquirerLinkError.swift": 'public static let refused = Code(text: "refused")',
            "Sources/Acquirers/Simulator/Book.swift": 'SimulatorBookError(\n        code: "book_corrupt")',
            "Web/WebFiles.swift": 'throw WebFilesError(\n    code: "no_folder")',
            "Sources/AdminAPI/Calls/ProblemCode.swift": cases.format("not_found"),
            "Sources/AdminAPI/Calls/ProblemKind.swift": "Problem.Code.allCases",
            "Sources/Administration/AdministrationError.swift": cases.format("name_taken"),
            "Sources/DialectKit/Accounts/AccountPlanError.swift": cases.format("name_taken"),
            "Sources/Administration/PaymentActError.swift": cases.format("key_used"),
            "Sources/Gateway/UseCases/MerchantSessionFailure.swift": (
                '    case gone = "gone"\n    case late = "late"\n'
                '        case .gone: "It is gone."\n        case .late: "It is late. Wait "\n + "on."\n'),
        }
        for name, text in files.items():
            self.put(name, text)
        others = ("store.store_conflict", "store.store_same", "vault.box_damaged", "json.too_deep", "mint.forged", "listener.in_use",
                  "link.acquirer_refused", "book.book_corrupt", "web.no_folder", "administration.name_taken", "administration.key_used")
        self.put("site/failures.toml", "".join(f'[{name}]\ncause = "Why {name}."\nremedy = "Mend it."\n' for name in others) + (
            f'[administration.not_found]\ncause = "It is not there."\n[apple.gone]\nremedy = "Call it."\n{texts}'))
        pages = ["site/pages/command-codes.md", "site/pages/administration-problems.md", "docs/api.md"]
        self.add("site/contents.toml", f'[[group]]\nname = "Failures"\npages = {json.dumps(pages)}\n')
        self.put("docs/api.md", "# API\n")
        answered = ("not_found", "name_taken", "apple_late", "payment_appleGone")
        rows = [{"code": code, "status": 404, "advice": "Look at the list."} for code in answered]
        self.put("facts/problems.json", json.dumps({"data": rows}))
        return self.root / "facts"

    TOO_OPEN = '[commands.too_open]\ncause = "Others may <read> it."\nremedy = "Close [it](../../docs/apples.md)."\n'

    def test_failures_have_a_cause_and_a_remedy(self):
        page = self.made(self.failures(texts=self.TOO_OPEN))
        text = page("command-codes.html").replace("<wbr>", "")
        self.assertIn('<p>What to do: Close <a href="docs/apples.html">it</a>.</p>', text)
        self.assertIn('<td><code class="whole">too_open</code></td>\n<td>Others may &lt;read&gt; it.</td>', text)
        self.assertIn('<code class="whole">acquirer_refused</code>', text)
        text = re.sub(r"<wbr>|</?code[^>]*>", "", page("administration-problems.html"))
        for row in (
                ("not_found", "It is not there.", "Look at the list."), ("name_taken", "Why administration.name_taken.", "Mend it."),
                ("apple_late", "It is late.", "Wait on."), ("payment_appleGone", "The apple … is gone.", "plant")):
            self.assertIn("<td>{}</td>\n<td>404</td>\n<td>{}</td>\n<td>{}</td>".format(*row), text)

    def test_a_failure_without_lines_and_lines_without_a_failure_are_named(self):
        for texts, command, said in (
                ("", "too_open", "the code too_open has no cause and no remedy: [commands.too_open]"),
                ('[commands.too_open]\ncause = "It is."\n', "too_open", "the code too_open has no remedy: [commands.too_open]"),
                (self.TOO_OPEN.split("remedy")[0] + 'remedy = ""\n', "too_open", "the code too_open has no remedy: [commands.too_open]"),
                (self.TOO_OPEN + "more = 1", "too_open", "the more of [commands.too_open] is not needed: the sources have it"),
                (self.TOO_OPEN + '[commands.shut]\ncause = "It is."\n', "too_open", "there is no code for [commands.shut]"),
                (self.TOO_OPEN + '[apple.late]\nremedy = "It is."\n', "too_open", "there is no code for [apple.late]"),
                (self.TOO_OPEN, "open", "the code open has no cause and no remedy: [commands.open]")):
            with self.subTest(said):
                self.refused(f"site/failures.toml:1: {said}", facts=self.failures(command, texts))

    def test_codes_that_are_listed_nowhere_are_named(self):
        facts = self.failures(texts=self.TOO_OPEN, printed="PearError")
        self.refused(
            "Sources/pomona/Output/CommandFailure.swift:1: prints the codes of PearError, which site/failures.py does not list", facts=facts)
        facts = self.failures(texts=self.TOO_OPEN)
        self.put("Sources/AdminAPI/Calls/ProblemKind.swift", "PearError.Code.allCases")
        self.refused("Sources/AdminAPI/Calls/ProblemKind.swift:1: lists the codes of PearError, which site/failures.py does not", facts=facts)
        facts = self.failures(texts=self.TOO_OPEN)
        self.put("facts/problems.json", json.dumps({"data": [{"code": "pear", "status": 404, "advice": "Eat it."}]}))
        self.refused("site/failures.toml:1: the server answers with a code that the sources do not list: pear", facts=facts)
        facts = self.failures(texts=self.TOO_OPEN)
        self.put("Sources/Gateway/Secrets/VaultError.swift", "    enum Code {\n        case a, b\n    }\n")
        self.refused("Sources/Gateway/Secrets/VaultError.swift:1: a case of Code that cannot be read: a, b", facts=facts)

    def test_exchanges_are_pages_of_their_own(self):
        self.put("docs/dialects/payone.md", "# PAYONE\n")
        self.put("Tests/Dialects/PAYONETests/Transcripts/01-apple.http", (
            "# An apple, and how it falls.\n\n### 1\n\nPOST /apples?n=1 HTTP/1.1\n\na=<b>\n\nHTTP/1.1 200 OK\nX-Y: z\n\nstatus=FALLEN\n"))
        self.put("site/contents.toml", CONTENTS + '[[group]]\nname = "APIs"\npages = ["site/pages/exchanges/*.md", "docs/dialects/payone.md"]\n')
        page = self.made()
        self.assertIn('<a href="payone/01-apple.html">An apple, and how it falls</a>', page("exchanges/payone.html"))
        text = page("exchanges/payone/01-apple.html")
        self.assertIn("a=&lt;b&gt;", re.sub(r"</?span[^>]*>", "", text))
        self.assertEqual(text.index("Request:") < text.index("Answer:") < text.index("FALLEN"), True)
        self.assertIn('<a href="../payone.html" aria-current="true">', text)

    def test_symbols_are_pages_and_a_dead_one_is_named(self):
        symbols = [
            {"identifier": {"precise": "a"}, "pathComponents": ["Apple"], "declarationFragments": [{"spelling": "struct Apple"}]},
            {"identifier": {"precise": "b"}, "pathComponents": ["Apple", "eat(_:)"], "declarationFragments": [{"spelling": "func eat(_ n: Int)"}],
             "docComment": {"lines": [{"text": "Eats an ``Apple``."}]}},
            {"identifier": {"precise": "c::SYNTHESIZED::a"}, "pathComponents": ["Apple", "!=(_:_:)"]},
        ]
        self.put("facts/Fruit.symbols.json", json.dumps({"module": {"name": "Fruit"}, "symbols": symbols}))
        article = "# ``Fruit``\n\n``Apple/eat(_:)``, <doc:Eat>\n"
        self.put("Sources/Fruit/Fruit.docc/Fruit.md", article)
        self.put("Sources/Fruit/Fruit.docc/Eat.md", "# Eat an apple\n")
        self.put("site/contents.toml", CONTENTS + '[[group]]\nname = "Libraries"\npages = ["Sources/Fruit/Fruit.docc/*.md"]\n')
        page = self.made(self.root / "facts")
        self.assertIn('<a href="fruit/apple.html#eat_"><code>Apple/eat(_:)</code></a>, <a href="eat.html">Eat an apple</a>', page("library/fruit.html"))
        self.assertIn('Eats an <code class="whole">Apple</code>.', page("library/fruit/apple.html"))  # The page itself.
        self.assertNotIn("!=", page("library/fruit/apple.html"))
        shutil.rmtree(self.output)
        self.put("Sources/Fruit/Fruit.docc/Fruit.md", article + "\n``Pear`` <doc:Drink>\n")
        self.refused(
            "Sources/Fruit/Fruit.docc/Fruit.md:5: names a symbol that the library has not: Pear",
            "Sources/Fruit/Fruit.docc/Fruit.md:5: names an article that is not there: Drink", facts=self.root / "facts")


class UsageTest(unittest.TestCase):
    """What is a command in a page's code, and what is none."""

    def problems(self, text):
        return [wrong for _, wrong in usage.Usage(HELP).problems(Prose("page.md", text))]

    def test_commands_are_found_wherever_they_begin(self):
        for line in (
                "pomona shake", "sudo -u pomona pomona shake", "x=$(pomona shake)", "true && pomona shake", "POMONA_X=1 pomona shake", "date; pomona shake"):
            with self.subTest(line):
                self.assertEqual(self.problems(f"```\n{line}\n```\n"), ["there is no command pomona shake"])

    def test_several_at_once_are_several(self):
        self.assertEqual(self.problems("`pomona tree shake|fell`"), ["there is no command pomona tree fell"])

    def test_what_follows_the_command_is_not_its_own(self):
        for line in (
                "pomona tree shake | jq --raw", "pomona tree shake  # --hard", "pomona tree NAME --x", "cat pomona tree", "pomona tree shake --help"):
            with self.subTest(line):
                self.assertEqual(self.problems(f"```\n{line}\n```\n"), [])


class RealSiteTest(unittest.TestCase):
    """The site of this repository."""

    maxDiff = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    @needs_program
    def test_it_is_made_from_the_program(self):
        done = subprocess.run(
            [ROOT / "script/site", "--program", PROGRAM, "--output", self.folder / "site"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((self.folder / "site/library/applepaytoken/tokenverifier.html").is_file())
        self.assertIn("pomona payments refund", (self.folder / "site/commands/payments.html").read_text(encoding="utf-8"))

    def test_its_pages_are_whole_without_the_program(self):
        """All but what the program says: links and anchors, groups, titles, codes."""
        with mock.patch.object(generate, "check_commands"):
            problems, counts = generate.generate(ROOT, self.stand_ins(), self.folder / "site")
        self.assertEqual(problems, [])
        self.assertGreater(counts["pages"], 200)
        sources = (ROOT / "Sources/ApplePayToken/TokenErrorCodes.swift").read_text(encoding="utf-8")
        codes = set(re.findall(r'rawValue: "(\w+)"', sources))
        text = (self.folder / "site/error-codes.html").read_text(encoding="utf-8")
        self.assertEqual({code for code in codes if f">{code}<" not in text.replace("<wbr>", "")}, set())
        sources = (ROOT / "Sources/pomona/Output/CommandFailure+Code.swift").read_text(encoding="utf-8")
        codes = set(re.findall(r'(?m)^        case (?:\w+ = ")?([a-z0-9_]+)"?$', sources.split("enum Stage")[0]))
        self.assertGreater(len(codes), 60)
        text = (self.folder / "site/command-codes.html").read_text(encoding="utf-8")
        self.assertEqual({code for code in codes if f">{code}<" not in text.replace("<wbr>", "")}, set())

    def test_everything_that_is_linked_is_there(self):
        """In the files as they are written, whatever the generator thinks of its links."""
        with mock.patch.object(generate, "check_commands"):
            generate.generate(ROOT, self.stand_ins(), self.folder / "site")
        site = self.folder / "site"
        texts = {path: path.read_text(encoding="utf-8") for path in site.rglob("*.html")}
        anchors = {path: set(re.findall(r'\sid="([^"]+)"', text)) for path, text in texts.items()}
        dead, count = [], 0
        for path, text in texts.items():
            for address in map(html.unescape, re.findall(r'(?:href|src)="([^"]+)"', text)):
                if re.match(r"https?:", address):
                    continue
                count += 1
                name, _, anchor = address.partition("#")
                target = pathlib.Path(os.path.normpath(path.parent / name)) if name else path
                if not target.is_file() or anchor and anchor not in anchors[target]:
                    dead.append(f"{path.relative_to(site)}: {address}")
        self.assertEqual(dead, [])
        self.assertGreater(count, 10_000)

    def stand_ins(self):
        """In the place of what the program says: the commands that pages link to, and the symbols that articles name."""
        facts = self.folder / "facts"
        facts.mkdir()
        pages = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "site/pages").glob("*.md"))
        commands = [
            {"commandName": name, "subcommands": [
                {"commandName": sub, "arguments": []} for sub in re.findall(rf"made:commands/{name}#pomona-{name}-(\w+)", pages)]}
            for name in sorted(set(re.findall(r"made:commands/(\w+)", pages)))]
        articles = "\n".join(path.read_text(encoding="utf-8") for path in ROOT.glob("Sources/*/*.docc/*.md"))
        named = set(re.findall(r"(?<!`)``([^`\n]+)``(?!`)", articles))
        named = sorted(named | {name.split("/")[0] for name in named})
        for name, value in {
                "help.json": {"command": {"subcommands": commands}}, "openapi.json": {"paths": {}}, "problems.json": {"data": []},
                "A.symbols.json": self.graph("ApplePayToken", named), "W.symbols.json": self.graph("WalletSimulator", ["Simulated"])}.items():
            (facts / name).write_text(json.dumps(value), encoding="utf-8")
        return facts

    @staticmethod
    def graph(module, names):
        return {"module": {"name": module}, "symbols": [
            {"identifier": {"precise": name}, "pathComponents": name.split("/"), "declarationFragments": [{"spelling": name}]} for name in names]}


class TutorialTest(unittest.TestCase):
    """The tutorial's commands, one after the other in one shell, and what each block prints."""

    @needs_program
    def test_it_runs_as_it_stands(self):
        folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        (folder / "bin").mkdir()
        (folder / "bin/pomona").write_text(SANDBOX_ON_FREE_PORTS.format(program=PROGRAM.resolve()), encoding="utf-8")
        (folder / "bin/pomona").chmod(0o755)
        blocks = list(self.blocks())
        self.assertGreater(len(blocks), 7)
        commands = "".join(f"{code}\necho '=== end'\n" for code, _ in blocks)
        self.assertEqual(commands.count(PAUSE), 1)
        script = "set -e\ntrap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n" + commands.replace(PAUSE, PATIENT_PAUSE)
        done = subprocess.run(
            ["bash", "-c", script], cwd=folder, capture_output=True, text=True, timeout=300, check=False,
            env={**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}"})
        printed = done.stdout.split("=== end\n")
        self.assertEqual(len(printed) - 1, len(blocks), f"It stopped in the block after: {done.stdout[-600:]}\n{done.stderr[-2000:]}")
        for (code, expected), output in zip(blocks, printed):
            self.assertRegex(output, self.pattern(expected), f"What this prints is not what the tutorial says:\n{code}")

    @staticmethod
    def blocks():
        """(commands, what they print): a block of bash, and the block after it, if that is no language's."""
        source = ROOT / "site/pages/tutorial.md"
        fences = [token for token in Prose(str(source), source.read_text(encoding="utf-8")).tokens if token.type == "fence"]
        for at, fence in enumerate(fences):
            if fence.info == "bash":
                after = fences[at + 1] if at + 1 < len(fences) else None
                yield fence.content, after.content if after and not after.info else ""

    @staticmethod
    def pattern(expected):
        """`…` is anything within a line; a line of it alone, any lines."""
        lines = [r"(?:.*\n)*?" if line == "…" else re.escape(line).replace("…", ".*") + r"\n" for line in expected.splitlines()]
        return re.compile(r"\A" + "".join(lines) + r"\Z")

    def test_the_comparison_can_fail(self):
        self.assertRegex("a 1\nb\nc\nd\n", self.pattern("a …\n…\nd\n"))
        for output in ("a 1\nb\n", "b 1\nd\n", "a 1\nd\ne\n", ""):
            self.assertNotRegex(output, self.pattern("a …\n…\nd\n"))


if __name__ == "__main__":
    unittest.main()
