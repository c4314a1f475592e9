# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""The portal's files by themselves: colors, weights, words, and what no file may do."""

import re
import unittest

from harness import ROOT
from portal import HOSTILE, PortalTestCase, portal_files

LANGUAGES = ("en", "de", "zh-Hant")
FIRST_PAGE_BYTES = 200 * 1024


class FilesTest(unittest.TestCase):
    def sources(self):
        return {name: path.read_text(encoding="utf-8") for name, path in portal_files().items() if path.suffix == ".js"}

    def test_nothing_is_made_of_markup_in_strings(self):
        for name, text in self.sources().items():
            with self.subTest(name):
                self.assertNotRegex(text, r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment|\beval\(|new Function|setAttribute\(\"style")

    def test_nothing_is_loaded_from_elsewhere(self):
        for name, path in portal_files().items():
            with self.subTest(name):
                text = path.read_text(encoding="utf-8")
                for url in re.findall(r"https?://[^\s\"'`)<>]+", text):
                    self.assertRegex(url, r"^http://www\.w3\.org/|^https://(\$\{|developer\.apple\.com|shop\.example|.*\.example|example\.)", url)

    def test_no_amount_becomes_a_floating_point_number(self):
        for name, text in self.sources().items():
            with self.subTest(name):
                self.assertNotIn("parseFloat", text)
                for line in re.findall(r".*Number\([^)]*amount[^)]*\).*", text):
                    self.assertIn("series:", line, "Amounts are numbers where a chart places them, and nowhere else.")


class ColorTest(unittest.TestCase):
    """Every color of writing is readable on every ground that it stands on, in both schemes."""

    WRITING = ("ink", "muted", "green", "amber", "red", "blue")
    GROUNDS = ("ground", "surface")
    PAIRS = [
        ("on-green", "green"), ("on-red", "red"), ("green", "green-soft"), ("amber", "amber-soft"), ("red", "red-soft"), ("blue", "blue-soft"),
        ("ink", "green-soft"), ("ink", "amber-soft"), ("ink", "red-soft"), ("ink", "blue-soft"), ("ink", "grey-soft"), ("ink", "hover"),
        ("muted", "grey-soft"), ("muted", "hover"), ("muted", "green-soft"), ("muted", "amber-soft"), ("muted", "red-soft"), ("muted", "blue-soft"),
    ]

    def schemes(self):
        css = (ROOT / "Web/portal/portal.css").read_text(encoding="utf-8")
        blocks = re.findall(r":root(?:\[data-theme=dark\]|:not\(\[data-theme=light\]\))? \{(.*?)\}", css, re.S)
        found = [dict(re.findall(r"--([a-z0-9-]+): (#[0-9a-f]{6})", block)) for block in blocks]
        found = [block for block in found if "ink" in block]
        self.assertEqual(len(found), 3)
        light, dark, chosen = found
        self.assertEqual(dark, chosen, "The dark scheme is one, whether the system or the person wants it.")
        return {"light": light, "dark": dark}

    @staticmethod
    def contrast(one, other):
        def luminance(color):
            channels = [int(color[at:at + 2], 16) / 255 for at in (1, 3, 5)]
            linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
            return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

        low, high = sorted((luminance(one), luminance(other)))
        return (high + 0.05) / (low + 0.05)

    def test_writing_is_readable(self):
        for scheme, colors in self.schemes().items():
            for ink, ground in [*[(ink, ground) for ink in self.WRITING for ground in self.GROUNDS], *self.PAIRS]:
                with self.subTest(scheme=scheme, ink=ink, ground=ground):
                    self.assertGreaterEqual(self.contrast(colors[ink], colors[ground]), 4.5)

    def test_edges_of_fields_are_seen(self):
        for scheme, colors in self.schemes().items():
            for ground in self.GROUNDS:
                with self.subTest(scheme=scheme, ground=ground):
                    self.assertGreaterEqual(self.contrast(colors["edge"], colors[ground]), 3)


class WordsTest(PortalTestCase):
    """The texts, as the portal itself reads them."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.sets = sorted(path.stem for path in (ROOT / "Web/portal/words/en").glob("*.js"))

    def texts(self):
        page = self.open("/portal/", expected=[r"status of 401"])
        return page.evaluate(
            """async ({ languages, sets }) => Object.fromEntries(await Promise.all(languages.map(async (language) => [language,
                Object.fromEntries(await Promise.all(sets.map(async (set) => [set, (await import(`/portal/words/${language}/${set}.js`)).default])))])))""",
            {"languages": LANGUAGES, "sets": self.sets})

    def test_no_language_lacks_a_text_and_none_has_one_alone(self):
        texts = self.texts()
        for name in self.sets:
            for language in LANGUAGES[1:]:
                with self.subTest(set=name, language=language):
                    self.assertEqual(set(texts["en"][name]) ^ set(texts[language][name]), set())
                    for key, value in texts["en"][name].items():
                        names = {name for text in self.forms(value) for name in re.findall(r"\{(\w+)\}", text)}
                        other = {name for text in self.forms(texts[language][name][key]) for name in re.findall(r"\{(\w+)\}", text)}
                        self.assertLessEqual(other, names | {"count"}, key)

    @staticmethod
    def forms(value):
        return list(value.values()) if isinstance(value, dict) else [value]

    def test_every_text_that_a_page_asks_for_is_there(self):
        texts = self.texts()["en"]
        for name, path in portal_files().items():
            if path.suffix != ".js" or name.startswith("words/"):
                continue
            for key in re.findall(r"\b(?:say|sayParts)\(\s*\"([A-Za-z]+\.[\w-]+)\"", path.read_text(encoding="utf-8")):
                with self.subTest(file=name, key=key):
                    set_name, member = key.split(".", 1)
                    self.assertIn(member, texts.get(set_name, {}))

    def test_no_text_shouts_or_begs(self):
        for language, sets in self.texts().items():
            for name, members in sets.items():
                for key, value in members.items():
                    for text in self.forms(value):
                        with self.subTest(language=language, key=f"{name}.{key}"):
                            self.assertNotRegex(text, r"[!！]|\b[Pp]lease\b|\b[Bb]itte\b")


class ServerWordsTest(PortalTestCase):
    """What the server names has a word in every language, and every such word names something that the server has."""

    # Of the catalog: the member, and where its words are. Networks, most of which have one name in every language, are in
    # StateWordsTests.swift.
    CATALOG = {
        "paymentStates": ["states."], "operationKinds": ["states.kind_"], "declineReasons": ["states.reason_"],
        "eventKinds": ["payments.event_", "webhooks.kind_"], "eventStates": ["webhooks.state_", "states."], "refusalStages": ["refused.stage_"],
        "settlementVerdicts": ["reports.verdict_"], "settlementDecisions": ["reports.decide_", "reports.resolved_"],
    }
    # Of the OpenAPI document: the schema and its member.
    SCHEMAS = {
        ("Approval", "kind"): ["approvals.kind_"], ("Approval", "state"): ["states."], ("SearchHit", "type"): ["frame.type_"],
        ("Merchant", "state"): ["states."], ("AcquirerAccount", "state"): ["states."], ("Certificate", "state"): ["states."],
        ("Operation", "state"): ["states."],
    }
    # Of the sources, because nothing of the API lists them.
    SOURCES = {
        r'static let \w+ = AuditAct\("([\w.]+)"\)': ["audit.act_"],
    }
    # Codes of refusals: what the rooms below refuse, and what the API itself does.
    CODES = [
        ("Administration/AdministrationError.swift", r'case \w+ = "([a-z_]+)"'), ("Administration/PaymentActError.swift", r'case \w+ = "([a-z_]+)"'),
        ("DialectKit/Accounts/AccountPlanError.swift", r'case \w+ = "([a-z_]+)"'),
        ("AdminAPI/**/*.swift", r'(?:Problem|self\.init)\(\s*\.\w+,\s*"([a-z_]+)"'), ("AdminAPI/Calls/Problem*.swift", r'(?m)^        case (?:\w+ = ")?([a-z_]+)"?$'),
    ]
    # Those whose sentence is the server's own, which is English.
    UNSAID = {
        "The sentence names what is wrong, which the code does not.": {
            "acceptor_invalid", "account_key_taken", "account_not_allowed", "acquirer_name_malformed", "acquirer_name_taken", "act_not_possible", "body_invalid",
            "certificate_not_of_apple", "connector_unknown", "country_unknown", "credential_invalid", "credential_unknown", "day_not_next", "day_not_over",
            "display_name_malformed", "domain_taken", "merchant_identifier_differs", "merchant_name_malformed", "message_unknown", "operation_under_way",
            "parameter_invalid", "parameters_unfit", "platform_unknown", "registration_invalid", "route_invalid", "secret_invalid", "secret_missing",
            "secret_unknown", "setting_fixed", "setting_for_sandbox", "setting_invalid", "setting_is_secret", "setting_missing", "setting_unknown",
            "settlement_malformed", "settlement_mapping_invalid", "token_duration_invalid", "token_name_malformed",
        },
        "The portal sends nothing that is refused so: programs alone meet it.": {
            "credentials_ambiguous", "idempotency_key_malformed", "idempotency_key_missing", "idempotency_key_used", "if_match_malformed", "if_match_missing", "json_malformed",
            "key_malformed", "media_type_wrong", "method_not_allowed", "parameter_unknown", "path_unknown", "person_needed", "query_malformed", "unauthorized",
        },
    }
    # Words of that set that are of no code of the server: what the page itself finds.
    OWN = {
        "amount", "export_too_long", "fileTooLarge", "list_too_long", "no_answer", "number", "other", "page", "request", "required", "triedPage", "triedStart",
    }
    # Sets of words that name nothing but what the server has.
    WHOLE = ["audit.act_", "payments.event_", "webhooks.kind_", "webhooks.state_", "reports.verdict_"]

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        sets = sorted(path.stem for path in (ROOT / "Web/portal/words/en").glob("*.js"))
        cls.words = {language: {name: cls.keys(ROOT / f"Web/portal/words/{language}/{name}.js") for name in sets} for language in LANGUAGES}
        catalog = cls.portal.get("/catalog")
        schemas = cls.portal.get("/openapi.json")["components"]["schemas"]
        sources = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "Sources").rglob("*.swift")))
        cls.named = {}
        for values, places in [
            *[(catalog[member], places) for member, places in cls.CATALOG.items()],
            *[(cls.choices(schemas[name]["properties"][member]), places) for (name, member), places in cls.SCHEMAS.items()],
            *[(re.findall(pattern, sources), places) for pattern, places in cls.SOURCES.items()],
            ([role["role"] for role in catalog["roles"]], ["people.role_", "states.role_"]),
        ]:
            assert values, places
            for place in places:
                cls.named.setdefault(place, set()).update(values)

    @staticmethod
    def keys(path):
        return set(re.findall(r'^    "?([\w.-]+)"?: ', path.read_text(encoding="utf-8"), re.M))

    @staticmethod
    def choices(schema):
        return schema.get("enum") or next(part["enum"] for part in schema.get("anyOf", schema.get("oneOf", [])) if "enum" in part)

    def test_what_the_server_names_has_a_word(self):
        for place, values in self.named.items():
            name, prefix = place.split(".")
            for language in LANGUAGES:
                with self.subTest(place=place, language=language):
                    self.assertEqual({prefix + value for value in values} - self.words[language][name], set())

    def test_every_such_word_names_something(self):
        for place in self.WHOLE:
            name, prefix = place.split(".")
            with self.subTest(place):
                self.assertEqual({key for key in self.words["en"][name] if key.startswith(prefix)} - {prefix + value for value in self.named[place]}, set())

    def test_every_refusal_has_a_sentence_or_a_reason_for_none(self):
        codes = {code for place, pattern in self.CODES for path in sorted((ROOT / "Sources").glob(place))
                 for code in re.findall(pattern, path.read_text(encoding="utf-8"))}
        self.assertGreater(len(codes), 130)
        unsaid = set().union(*self.UNSAID.values())
        self.assertEqual(sum(map(len, self.UNSAID.values())), len(unsaid), "a code has one reason")
        said = self.words["en"]["errors"] - self.OWN
        self.assertEqual(codes - said - unsaid, set(), "without a sentence in the portal's words, and without a reason")
        self.assertEqual((said | unsaid) - codes, set(), "which the server does not say")
        self.assertEqual(said & unsaid, set())
        for language in LANGUAGES:
            self.assertEqual(self.words[language]["errors"], self.words["en"]["errors"])

    def test_results_of_webhooks_are_said(self):
        failures = (ROOT / "Sources/Webhooks/Sending/SendFailure.swift").read_text(encoding="utf-8")
        worker = (ROOT / "Sources/Webhooks/WebhookWorker.swift").read_text(encoding="utf-8")
        results = set(re.findall(r'case \w+ = "([a-z_]+)"', failures))
        results |= set(re.findall(r'(?:failure\(|delivered\(|failed\(|== 200 \? )"([a-z_]+)"', worker))
        event = (ROOT / "Sources/Core/Payments/Records/OutboxEvent.swift").read_text(encoding="utf-8")
        results |= set(re.findall(r'noMessageResult = "([a-z_]+)"', event))
        self.assertGreater(len(results), 9)
        for language in LANGUAGES:
            said = {key.removeprefix("result_") for key in self.words[language]["webhooks"] if key.startswith("result_")}
            self.assertEqual(results ^ said, set(), language)

    def test_filters_offer_all_that_the_server_names(self):
        for file, constant, place in (
            ("pages/audit.js", "acts", "audit.act_"), ("pages/payments.js", "states", "paymentStates"), ("pages/refused.js", "stages", "refused.stage_"),
            ("core/names.js", "networks", "networks"), ("pages/people.js", "roles", "people.role_"),
        ):
            with self.subTest(file):
                text = (ROOT / "Web/portal" / file).read_text(encoding="utf-8")
                listed = re.findall(r'"([\w.]+)"', re.search(rf"const {constant} = \[(.*?)\];", text, re.S)[1])
                self.assertEqual(set(listed), self.named[place] if place in self.named else set(self.portal.get("/catalog")[place]))


class WeightTest(PortalTestCase):
    def weight(self, page):
        return page.evaluate(
            "performance.getEntriesByType('resource').filter(({ name }) => name.includes('/portal/')).reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0)")

    def cold(self, page):
        """The page in a browser that has nothing of it in its cache."""
        network = page.context.new_cdp_session(page)
        network.send("Network.enable")
        network.send("Network.setCacheDisabled", {"cacheDisabled": True})
        return page

    def test_first_page_is_light_and_nothing_blocks_it(self):
        page = self.cold(self.signed_in())
        for language in LANGUAGES:
            with self.subTest(language):
                page.evaluate("(language) => localStorage.setItem('pomona.portal.language', language)", language)
                page.reload()
                self.settled(page)
                self.assertEqual(page.evaluate("document.documentElement.lang"), language)
                self.assertGreater(self.weight(page), 50_000)
                self.assertLessEqual(self.weight(page), FIRST_PAGE_BYTES, "Home")
                self.assertEqual(page.locator("head script:not([type=module])").count(), 0)

    def test_sign_in_is_light(self):
        page = self.cold(self.open("/portal/", expected=[r"status of 401"]))
        for language in LANGUAGES:
            with self.subTest(language):
                page.evaluate("(language) => localStorage.setItem('pomona.portal.language', language)", language)
                page.reload()
                page.locator("input[name=userName]").wait_for()
                self.assertGreater(self.weight(page), 50_000)
                self.assertLessEqual(self.weight(page), FIRST_PAGE_BYTES, "the page of the sign-in")


class QRCodeTest(PortalTestCase):
    # From ISO/IEC 18004:2015, annex I has no code of level M in byte mode: this one is compared with a decoder below.
    def test_codes_say_what_they_were_made_of(self):
        page = self.open("/portal/", expected=[r"status of 401"])
        for text in ["a", "otpauth://totp/Pomona:alice?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Pomona", "Grüße, 山茶書店", "x" * 200, "y" * 287]:
            with self.subTest(text=text[:40]):
                modules = page.evaluate("(text) => import('/portal/widgets/qr.js').then(({ modules }) => modules(text))", text)
                self.assertEqual(read_qr(modules), text)

    def test_refuses_a_text_that_is_too_long(self):
        page = self.open("/portal/", expected=[r"status of 401"])
        self.assertTrue(page.evaluate("import('/portal/widgets/qr.js').then(({ modules }) => { try { modules('z'.repeat(288)); return false; } catch (error) { return error instanceof RangeError; } })"))


def read_qr(modules):
    """Reads a QR code of level M in byte mode: another program than the one that made it, from the standard's own tables."""
    import qrcode
    from qrcode import util

    size = len(modules)
    version = (size - 17) // 4
    # Format: the bits beside the upper left finder, unmasked.
    spots = [(0, 8), (1, 8), (2, 8), (3, 8), (4, 8), (5, 8), (7, 8), (8, 8), (8, 7), (8, 5), (8, 4), (8, 3), (8, 2), (8, 1), (8, 0)]
    bits = sum(modules[row][column] << place for place, (row, column) in enumerate(spots)) ^ 0x5412
    level, mask = bits >> 13, (bits >> 10) & 7
    assert util.BCH_type_info((level << 3) | mask) ^ 0x5412 == bits, "the format's own check"
    assert level == 0, "level M"
    empty = qrcode.QRCode(version=version, error_correction=qrcode.constants.ERROR_CORRECT_M, border=0, mask_pattern=mask)
    empty.add_data(util.QRData(b"", mode=util.MODE_8BIT_BYTE))
    empty.modules_count = size
    empty.modules = [[None] * size for _ in range(size)]
    for row, column in ((0, 0), (size - 7, 0), (0, size - 7)):
        empty.setup_position_probe_pattern(row, column)
    empty.setup_position_adjust_pattern()
    empty.setup_timing_pattern()
    empty.setup_type_info(False, mask)
    if version >= 7:
        empty.setup_type_number(False)
    function = util.mask_func(mask)
    stream, row, step = [], size - 1, -1
    for column in range(size - 1, 0, -2):
        right = column if column > 6 else column - 1
        while 0 <= row < size:
            for at in (right, right - 1):
                if empty.modules[row][at] is None:
                    stream.append(int(modules[row][at]) ^ int(function(row, at)))
            row += step
        row -= step
        step = -step
    words = [int("".join(map(str, stream[at:at + 8])), 2) for at in range(0, len(stream) - 7, 8)]
    blocks = [block.data_count for block in qrcode.base.rs_blocks(version, qrcode.constants.ERROR_CORRECT_M)]
    data = [[] for _ in blocks]
    at = 0
    for place in range(max(blocks)):
        for index, length in enumerate(blocks):
            if place < length:
                data[index].append(words[at])
                at += 1
    plain = "".join(f"{word:08b}" for block in data for word in block)
    assert plain[:4] == "0100", "byte mode"
    width = 8 if version < 10 else 16
    length = int(plain[4:4 + width], 2)
    return bytes(int(plain[at:at + 8], 2) for at in range(4 + width, 4 + width + 8 * length, 8)).decode()


class FormatTest(PortalTestCase):
    """Amounts, read and written without floating point."""

    def evaluate(self, script):
        page = self.open("/portal/", expected=[r"status of 401"])
        # The sign-in is drawn in the language of its moment, and has its words in that one.
        page.wait_for_selector("#portal form")
        return page.evaluate(f"(async () => {{ const format = {{ ...await import('/portal/core/format.js'), ...await import('/portal/core/reading.js') }}; const words = await import('/portal/core/words.js'); {script} }})()")

    def test_amounts_are_written_as_the_language_does(self):
        shown = self.evaluate("""const out = {}; for (const language of ['en', 'de', 'zh-Hant']) { await words.speak(language);
            out[language] = [format.amountText('1234567.50', 'USD'), format.amountText('-12', 'JPY'), format.amountText('90071992547409931.001', 'KWD')]; } return out;""")
        self.assertEqual(shown, {
            "en": ["1,234,567.50\u00a0USD", "\u221212\u00a0JPY", "90,071,992,547,409,931.001\u00a0KWD"],
            "de": ["1.234.567,50\u00a0USD", "\u221212\u00a0JPY", "90.071.992.547.409.931,001\u00a0KWD"],
            "zh-Hant": ["1,234,567.50\u00a0USD", "\u221212\u00a0JPY", "90,071,992,547,409,931.001\u00a0KWD"],
        })

    def test_amounts_are_read_as_people_write_them(self):
        read = self.evaluate("""const out = {}; for (const [language, texts] of [['en', ['12.5', '12', '1,234.50', '12,50', '.5', '1.234', '12.505', 'x', '-3', '00012.10', ' 7 ']],
            ['de', ['12,5', '12.50', '1.234,50', '1.234', '12,505', '7']]]) { await words.speak(language); out[language] = texts.map((text) => format.readAmount(text, 2)); } return out;""")
        self.assertEqual(read["en"], ["12.50", "12.00", "1234.50", "12.50", None, None, None, None, None, "12.10", "7.00"])
        self.assertEqual(read["de"], ["12.50", "12.50", "1234.50", "1234.00", None, "7.00"])

    def test_amounts_with_their_currency_and_days_are_read_as_people_write_them(self):
        texts = ["42.50", "42.50 USD", "usd 42.5", "1,234.50 EUR", "1200 JPY", "42.50 JPY", "42.50 XQX", "5679", "4,2,5", "A 42.50 B", "USD 1.00 USD", "order-1042"]
        read = self.evaluate(f"return {texts!r}.map((text) => {{ const found = format.readMoney(text); return found && `${{found.value}} ${{found.currency}}`; }});")
        self.assertEqual(read, ["42.50 null", "42.50 USD", "42.50 USD", "1234.50 EUR", "1200 JPY", None, None, None, None, None, None, None])
        self.assertEqual(self.evaluate("await words.speak('de'); return format.readMoney('1.234,50 EUR').value;"), "1234.50")
        days = ["2026-11-29", "29.11.2026", "9. 1. 2026", "2026-13-45", "31.02.2026", "29/11/2026", "2026"]
        self.assertEqual(self.evaluate(f"return {days!r}.map(format.readDay);"), ["2026-11-29", "2026-11-29", "2026-01-09", None, None, None, None])

    def test_amounts_are_compared_and_taken_away_exactly(self):
        self.assertEqual(
            self.evaluate("return [format.minus('0.30', '0.10'), format.minus('90071992547409931.00', '0.01'), format.compare('0.3', '0.30'), format.compare('10', '9.99'), format.minus('1', '2.5')];"),
            ["0.20", "90071992547409930.99", 0, 1, "-1.5"])

    def test_days_begin_where_the_merchant_is(self):
        self.assertEqual(
            self.evaluate("""return [format.startOfDay('2026-11-23', 'Asia/Taipei'), format.startOfDay('2026-03-29', 'Europe/Berlin'), format.startOfDay('2026-03-30', 'Europe/Berlin'),
                format.dayOf('2026-11-23T17:00:00Z', 'Asia/Taipei'), format.dayAfter('2026-12-31')];"""),
            ["2026-11-22T16:00:00Z", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z", "2026-11-24", "2027-01-01"])
        # Clocks go forward from midnight, and back to it.
        self.assertEqual(
            self.evaluate("""return [format.startOfDay('2026-03-08', 'America/Havana'), format.startOfDay('2026-11-01', 'America/Havana'), format.startOfDay('2026-04-24', 'Africa/Cairo'),
                format.startOfDay('2026-10-25', 'Atlantic/Azores')];"""),
            ["2026-03-08T05:00:00Z", "2026-11-01T04:00:00Z", "2026-04-23T22:00:00Z", "2026-10-25T00:00:00Z"])

    def test_hostile_text_stays_text(self):
        page = self.open("/portal/", expected=[r"status of 401"])
        page.get_by_label("User name").wait_for()
        text = page.evaluate(
            """async (text) => { const { make } = await import('/portal/core/dom.js'); const { identifier, code, note } = await import('/portal/widgets/basics.js');
                const place = make('div', {}, text, identifier(text, { whole: true }), code(text), note('info', text)); document.body.append(place);
                return [place.querySelectorAll('img, script').length, place.textContent.includes(text)]; }""", HOSTILE)
        self.assertEqual(text, [0, True])
        self.assertNotEqual(page.title(), "owned")
