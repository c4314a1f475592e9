//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Testing
import WalletSimulator

@testable import Radial

/// Every row of every message's table.
@Suite struct RuleTests {
    /// A message with all of its elements, and its table.
    struct Message: Sendable, CustomTestStringConvertible {
        let rules: MessageRules
        let document: String

        var testDescription: String { self.document.prefix(60).description }

        var root: XMLElement { get throws { try XMLReader.read(Array(self.document.utf8)) } }
    }

    /// A row of a message.
    struct Row: Sendable, CustomTestStringConvertible {
        let message: Message
        let rule: FieldRule

        var testDescription: String { "\(self.message.rules.root)/\(self.rule.path)" }
    }

    private static let text = "QUJD\nREVG "
    private static let token = "4111110PASeK1111"

    static let messages = [
        Message(
            rules: .walletAuthorization,
            document: "<CreditCardAuthRequest xmlns='\(Sample.namespace)' requestId='1'><WalletPaymentInformation>"
                + "<ApplePayTransactionId>ab</ApplePayTransactionId><EphemeralPublicKey>\(text)</EphemeralPublicKey>"
                + "<PublicKeyHash>\(text)</PublicKeyHash><Version>EC_v1</Version><Data>\(text)</Data>"
                + "<Signature>\(text)</Signature></WalletPaymentInformation><OrderId>1</OrderId>"
                + "<Amount currencyCode='USD'>1.00</Amount>" + newCustomer
                + "<isRequestToCorrectCVVOrAVSError>false</isRequestToCorrectCVVOrAVSError>"
                + "<SchemaVersion>1.2</SchemaVersion><Features><IncludePaymentAccountInformation>true"
                + "</IncludePaymentAccountInformation></Features><Extension><More/></Extension>"
                + "</CreditCardAuthRequest>"),
        Message(
            rules: .cardAuthorization,
            document: Sample.cardAuthorization(
                "4111111111111111", verification: Sample.verification("QUJD"),
                flags: "<SchemaVersion>1.2</SchemaVersion><Features><IncludePaymentAccountInformation>true"
                    + "</IncludePaymentAccountInformation></Features><Extension/>"
            ).replacing(
                "<Amount", with: "<EncryptedCardSecurityCode>x</EncryptedCardSecurityCode><Amount"
            ).replacing(
                "</PaymentContext>",
                with: "<EncryptedPaymentAccountUniqueId>x</EncryptedPaymentAccountUniqueId></PaymentContext>"
            ).replacing(
                "<CountryCode>", with: "<MainDivisionCode>PA</MainDivisionCode><CountryCode>")),
        Message(
            rules: .settlement,
            document: Sample.settlement(
                token, "1.00", request: "1",
                extra: "<BillingAddress/><InvoiceData><x/></InvoiceData><RefundReason/>"
            ).replacing(
                "<ClientContext>",
                with: "<AuthorizationResponseCode>AP01</AuthorizationResponseCode><AuthorizationDate>2026-06-15"
                    + "</AuthorizationDate><ExpirationDate>2030-03</ExpirationDate><ClientContext>"
            ).replacing(
                "</PaymentContext>",
                with: "<EncryptedPaymentAccountUniqueId/></PaymentContext>")),
        Message(
            rules: .authorizationCancel,
            document: Sample.cancel(token, "1.00", request: "1").replacing(
                "</PaymentContext>", with: "<EncryptedPaymentAccountUniqueId/></PaymentContext>")),
        Message(
            rules: .fundsConfirmation,
            document: Sample.confirmFunds(token, "1.00", request: "1").replacing(
                "</PaymentContext>", with: "<EncryptedPaymentAccountUniqueId/></PaymentContext>")),
        Message(
            rules: .decryption,
            document: "<DecryptBlobRequest xmlns='\(Sample.namespace)'><AlgorithmVersion>apd</AlgorithmVersion>"
                + "<EncryptionHeader><EphemeralPublicKey>\(text)</EphemeralPublicKey><TransactionId>ab</TransactionId>"
                + "<PublicKeyHash>\(text)</PublicKeyHash></EncryptionHeader><Version>EC_v1</Version>"
                + "<Data>\(text)</Data><Signature>\(text)</Signature></DecryptBlobRequest>"),
        Message(
            rules: .tenderLookup,
            document: Sample.tenderLookup("4111111111111111").replacing(
                "<TenderClass>", with: "<EncryptedPaymentAccountUniqueId/><TenderClass>")),
    ]

    private static let newCustomer = Sample.customer.replacing(
        "<CountryCode>", with: "<MainDivisionCode>PA</MainDivisionCode><CountryCode>")

    static let rows = messages.flatMap { message in message.rules.rules.map { Row(message: message, rule: $0) } }

    static func problem(_ rules: MessageRules, _ root: XMLElement) -> String? {
        do throws(RadialFault) {
            try rules.check(root)
            return nil
        } catch {
            return error.message
        }
    }

    @Test(arguments: messages)
    func takesAMessageWithEveryElement(_ message: Message) throws {
        let root = try message.root
        #expect(Self.problem(message.rules, root) == nil)
        for rule in message.rules.rules { #expect(root.descendant(rule.path) != nil, "\(rule.path)") }
    }

    /// The dinar has three places (ISO 4217).
    @Test func saysHowManyPlacesAnAmountMayHave() throws {
        func problem(_ amount: String, _ currency: String) throws -> String? {
            let document = Sample.settlement(Self.token, amount, currency: currency, request: "1")
            return Self.problem(.settlement, try XMLReader.read(Array(document.utf8)))
        }
        #expect(try problem("1.234", "KWD") == nil)
        for (amount, currency) in [("1.2345", "KWD"), ("1.234", "USD")] {
            #expect(try problem(amount, currency)?.contains("or as many as the currency has") == true)
        }
    }

    @Test(arguments: rows)
    func mindsPresence(_ row: Row) throws {
        let root = try row.message.root
        let path = "\(row.message.rules.root)/\(row.rule.path)"
        let missing = Self.problem(row.message.rules, root.without(row.rule.path))
        #expect(missing == (row.rule.presence == .required ? "\(path) is missing." : nil))
        #expect(Self.problem(row.message.rules, root.twice(row.rule.path)) == "\(path) stands more than once.")
    }

    @Test(arguments: rows)
    func mindsForm(_ row: Row) throws {
        let root = try row.message.root
        let path = row.rule.path
        let problem = { (element: XMLElement) in Self.problem(row.message.rules, element) }
        switch row.rule.form {
        case .complex:
            #expect(problem(root.changing(path) { Self.withText("x", $0) })?.hasSuffix("elements and no text.") == true)
            #expect(problem(root.changing(path) { Self.withText(" \n", $0) }) == nil)
        case .anything:
            #expect(problem(root.with(path, text: "anything at all")) == nil)
        default:
            #expect(problem(root.adding("More", to: path))?.hasSuffix("must contain text and no elements.") == true)
            let (good, bad) = Self.examples(of: row.rule.form)
            for text in good { #expect(problem(root.with(path, text: text)) == nil, "\(path): \(text.prefix(40))") }
            for text in bad {
                let found = problem(root.with(path, text: text))
                #expect(
                    found?.hasPrefix("\(row.message.rules.root)/\(path) must ") == true, "\(path): \(text.prefix(40))")
            }
        }
    }

    private static func withText(_ text: String, _ element: XMLElement) -> [XMLElement] {
        var changed = element
        changed.text = text
        return [changed]
    }

    private static func examples(of form: FieldForm) -> (good: [String], bad: [String]) {
        let letters = { (count: Int) in String(repeating: "ä", count: count) }
        switch form {
        case .complex, .anything: return ([], [])
        case .text(let length):
            let tooShort = length.lowerBound > 0 ? [letters(length.lowerBound - 1)] : []
            return (
                [letters(length.lowerBound), letters(length.upperBound)], tooShort + [letters(length.upperBound + 1)]
            )
        case .filledText(let length):
            return (
                [letters(length.lowerBound), letters(length.upperBound)],
                ["", " ", "\n\t ", letters(length.upperBound + 1)]
            )
        case .encoded: return (["QUI=", "Q U\r\n I=", "0123abcdef", "+/+/"], ["", " ", "a-b", "a_b", "ä", "<"])
        case .ipv4:
            return (
                ["208.247.73.130", "0.0.0.0", "255.255.255.255", "1.2.3.4"],
                [
                    "", "1.2.3", "1.2.3.4.5", "256.1.1.1", "1.2.3.", ".1.2.3", "01.2.3.4", "1.2.3.00", "a.b.c.d", "::1",
                    "1.2.3.4 ", "-1.2.3.4", "1.2.3.4567", "2001:db8::1", "1,2,3,4",
                ]
            )
        case .schemaVersion:
            return (
                ["1", "1.2", "0.0", "1.10.3", "12345", "1.2.3.4.5.6.7.8.9", String(repeating: "9", count: 40)],
                ["", ".", "1.", ".1", "1..2", "a", "1.a", " 1", "v1", "-1", "1,2"]
            )
        case .boolean: return (["true", "false", "1", "0", " true "], ["", "TRUE", "yes", "2", "True"])
        case .flag: return (["true", "false", "1", "0", "", " "], ["TRUE", "yes", "2"])
        case .amount:
            return (
                ["4.75", "4.7", "4", "0.01", "14.99", " 14.99 ", "9999999999.99", "4.750", "007.00"],
                [
                    "", "0", "0.00", "-1.00", "+1.00", "1,00", "1.", ".5", "1.001", "1e2", "10000000000.00", "1.00.0",
                    "NaN", "$1",
                ]
            )
        case .amountOrZero: return (["0", "0.00", "1.00"], ["", "-1.00", "a"])
        case .account: return (["1", letters(22), "4111110PASeK1111"], ["", " ", letters(23)])
        case .yearMonth:
            return (
                ["2030-03", "2030-12", "2000-01", "2099-12"],
                [
                    "", "1930-03", "2130-03", "0030-03", "2030", "2030-00", "2030-13", "2030-3", "30-03", "2030/03",
                    "2030-03-01",
                ]
            )
        case .eci: return (["", "7", "05"], [" ", " 7", "x", "é", "005", "７"])
        case .securityCode: return (["", "737", "7373"], ["73", "73737", "abc", "7 7"])
        case .oneOf(let words):
            return (
                words, ["", "x", words[0].lowercased() == words[0] ? words[0].uppercased() : words[0].lowercased()]
            )
        }
    }

    @Test(arguments: messages)
    func mindsAttributes(_ message: Message) throws {
        let root = try message.root
        let problem = { (element: XMLElement) in Self.problem(message.rules, element) }
        let withID = { (id: String?) -> XMLElement in
            var changed = XMLElement(
                name: root.name, namespace: root.namespace, attributes: id.map { ["requestId": $0] } ?? [:])
            changed.children = root.children
            return changed
        }
        for (id, isGood) in [
            (nil, false), ("", false), (" ", false), ("1", true), (String(repeating: "1", count: 40), true),
            (String(repeating: "1", count: 41), false),
        ] {
            let found = problem(withID(id))
            #expect((found == nil) == (isGood || !message.rules.hasRequestID), "\(id ?? "none")")
        }
        for rule in message.rules.rules {
            switch rule.form {
            case .amount, .amountOrZero:
                for attributes in [[:], ["currencyCode": ""], ["currencyCode": "usd"], ["currencyCode": "XXX"]] {
                    #expect(problem(root.with(rule.path, attributes: attributes)) != nil)
                }
                #expect(problem(root.with(rule.path, attributes: ["currencyCode": "EUR"])) == nil)
            case .account:
                for attributes in [[:], ["isToken": ""], ["isToken": "yes"]] {
                    #expect(problem(root.with(rule.path, attributes: attributes)) != nil)
                }
                for word in ["true", "false", "1", "0"] {
                    #expect(problem(root.with(rule.path, attributes: ["isToken": word])) == nil)
                }
            default: break
            }
        }
    }

    @Test(arguments: messages)
    func mindsTheOrderOfTheTable(_ message: Message) throws {
        let root = try message.root
        let ordered = message.rules.nodes.filter { $0.rule.place == .inOrder }
        for (earlier, later) in zip(ordered, ordered.dropFirst()) {
            var swapped = root
            guard let first = root.children.firstIndex(where: { $0.name == earlier.name }),
                let second = root.children.firstIndex(where: { $0.name == later.name })
            else { continue }
            swapped.children.swapAt(first, second)
            #expect(
                Self.problem(message.rules, swapped)
                    == "\(message.rules.root)/\(earlier.name) stands in the wrong place.")
        }
        for node in message.rules.nodes where node.rule.place == .anywhere {
            var moved = root
            let element = try #require(root.child(node.name))
            moved.children = [element] + moved.children.filter { $0.name != node.name }
            #expect(Self.problem(message.rules, moved) == nil, "\(node.name)")
        }
    }

    @Test(arguments: messages)
    func takesUnknownElementsWhereATypeIsOpen(_ message: Message) throws {
        let root = try message.root
        let name = message.rules.root
        #expect(Self.problem(message.rules, root.adding("PaymentId", to: "", first: true)) == nil)
        for rule in message.rules.rules {
            guard case .complex(let isOpen) = rule.form else { continue }
            let found = Self.problem(message.rules, root.adding("Unknown", to: rule.path))
            #expect(found == (isOpen ? nil : "\(name)/\(rule.path) contains an element that does not belong there."))
        }
    }

    @Test(arguments: messages)
    func refusesAnotherMessage(_ message: Message) throws {
        let root = try message.root
        let other = XMLElement(name: "Other", namespace: root.namespace, attributes: root.attributes)
        #expect(Self.problem(message.rules, other)?.hasPrefix("The body must be a \(root.name)") == true)
        let foreign = try XMLReader.read(Array(message.document.replacing(Sample.namespace, with: "urn:other").utf8))
        #expect(Self.problem(message.rules, foreign)?.hasPrefix("The body must be a \(root.name)") == true)
    }

    /// A row of the seed's table "Request Elements".
    struct SeedRow: Sendable, CustomTestStringConvertible {
        let path: String
        let isRequired: Bool
        let length: ClosedRange<Int>?

        init(_ path: String, _ isRequired: Bool, _ length: ClosedRange<Int>? = nil) {
            self.path = path
            self.isRequired = isRequired
            self.length = length
        }

        var testDescription: String { self.path }
    }

    static let seed: [SeedRow] = seedCustomer + seedAddress("BillingAddress") + seedAddress("ShippingAddress")

    private static let seedCustomer: [SeedRow] = [
        SeedRow("WalletPaymentInformation", true), SeedRow("WalletPaymentInformation/ApplePayTransactionId", true),
        SeedRow("WalletPaymentInformation/EphemeralPublicKey", true),
        SeedRow("WalletPaymentInformation/PublicKeyHash", true), SeedRow("WalletPaymentInformation/Version", true),
        SeedRow("WalletPaymentInformation/Data", true), SeedRow("WalletPaymentInformation/Signature", true),
        SeedRow("OrderId", true, 1...20), SeedRow("BillingFirstName", true), SeedRow("BillingLastName", true),
        SeedRow("BillingPhoneNo", true), SeedRow("CustomerEmail", true, 1...70), SeedRow("CustomerIPAddress", true),
        SeedRow("ShipToFirstName", true), SeedRow("ShipToLastName", true), SeedRow("ShipToPhoneNo", false),
        SeedRow("Features/IncludePaymentAccountInformation", false),
    ]

    private static func seedAddress(_ name: String) -> [SeedRow] {
        [
            SeedRow(name, true), SeedRow(name + "/Line1", true, 1...70), SeedRow(name + "/Line2", false, 1...70),
            SeedRow(name + "/Line3", false, 1...70), SeedRow(name + "/Line4", false, 1...70),
            SeedRow(name + "/City", true, 1...40), SeedRow(name + "/MainDivision", false, 1...35),
            SeedRow(name + "/CountryCode", true, 2...40), SeedRow(name + "/PostalCode", false, 1...15),
        ]
    }

    @Test(arguments: seed)
    func isAsTheSeedSays(_ row: SeedRow) throws {
        let rule = try #require(MessageRules.walletAuthorization.rules.first { $0.path == row.path })
        #expect((rule.presence == .required) == row.isRequired)
        guard let length = row.length else { return }
        switch rule.form {
        case .text(let range), .filledText(let range): #expect(range == length)
        default: Issue.record("\(row.path) has no length")
        }
    }
}
