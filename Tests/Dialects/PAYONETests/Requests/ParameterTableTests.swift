//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import HTTPTypes
import Testing

@testable import PAYONE

/// The vendor's tables, row by row.
@Suite struct ParameterTableTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let table: [ParameterRule]
        let name: String
        let good: [String]
        let bad: [String]

        init(_ table: [ParameterRule], _ name: String, good: [String], bad: [String]) {
            self.table = table
            self.name = name
            self.good = good
            self.bad = bad
        }

        var testDescription: String { self.name }
    }

    private static func a(_ count: Int) -> String { String(repeating: "a", count: count) }

    private static let amounts = (
        good: ["1", "1000", "-1000", "0", "1999999999", "-1999999999", "0000000001"],
        bad: ["2000000000", "-2000000000", "12345678901", "1.00", "10,00", "1e3", "--1", "-", "", " 1", "0x1", "１"]
    )
    private static let numbers = (good: ["0", "1", "127", "007"], bad: ["128", "999", "1000", "-1", "a", "1.0"])
    private static let txids = (
        good: ["123456789", "123456789012"], bad: ["12345678", "1234567890123", "12345678a", "-23456789"]
    )
    private static let currencies = (good: ["EUR", "SEK", "GBP"], bad: ["eur", "EU", "XXX", "978", "EURO"])
    private static let texts = (good: ["a", a(81), "Ä\nÖ\r\nÜ"], bad: [a(82), "\u{1}", "a\u{7}", "\u{9B}"])

    static let account: [Row] = [
        Row(ParameterTables.account, "mid", good: ["12345"], bad: ["1234", "123456", "1234a", "１２３４５"]),
        Row(ParameterTables.account, "aid", good: ["12345"], bad: ["1234", "123456", "abcde"]),
        Row(ParameterTables.account, "portalid", good: ["1234567", "123456"], bad: ["12345", "12345678", "12345x7"]),
        Row(
            ParameterTables.account, "key",
            good: [ShopForm.Account.keyMD5, ShopForm.Account.keySHA384, ShopForm.Account.keyMD5.uppercased()],
            bad: [a(31), a(33), a(64), a(95), String(repeating: "g", count: 32), ShopForm.Account.key]),
        Row(ParameterTables.account, "mode", good: ["test", "live"], bad: ["Test", "sandbox", "production"]),
    ]

    static let person: [Row] = [
        Row(
            ParameterTables.authorization, "firstname", good: ["a", a(50), "Zoë", "\u{C3}\u{96}"], bad: [a(51), "a\nb"]),
        Row(ParameterTables.authorization, "lastname", good: ["ab", a(50), "Ng"], bad: ["a", a(51)]),
        Row(ParameterTables.authorization, "company", good: ["ab", a(50)], bad: ["a", a(51)]),
        Row(ParameterTables.authorization, "street", good: ["a", a(50)], bad: [a(51)]),
        Row(
            ParameterTables.authorization, "zip", good: ["24118", "AB12 3CD", "a_.-/ 9", a(50)],
            bad: ["1", a(51), "1234#", "1234ä", "12\t34"]),
        Row(ParameterTables.authorization, "city", good: ["Ay", a(50)], bad: ["Å", a(51)]),
        Row(
            ParameterTables.authorization, "country", good: ["DE", "GB", "US", "AX", "ZW", "BQ"],
            bad: ["de", "UK", "EU", "XX", "DEU", "D", "AN"]),
        Row(
            ParameterTables.authorization, "birthday", good: ["20190101", "19991231", "20000229", "20240229"],
            bad: ["20190230", "19000229", "20191301", "20190001", "2019010", "201901011", "2019-1-1", "00000101"]),
        Row(ParameterTables.authorization, "telephonenumber", good: ["+49 431 25968500"], bad: [a(51), "1\u{1}"]),
        Row(ParameterTables.authorization, "addressaddition", good: ["a", a(50)], bad: [a(51)]),
        Row(ParameterTables.authorization, "ip", good: ["203.0.113.7", "2001:db8::1"], bad: [a(40), "1\n"]),
        Row(ParameterTables.authorization, "add_paydata[b2b]", good: ["yes", "no"], bad: ["true", "1"]),
    ]

    static let shipping: [Row] = [
        Row(ParameterTables.authorization, "shipping_firstname", good: ["a", a(50)], bad: [a(51)]),
        Row(ParameterTables.authorization, "shipping_lastname", good: ["a", a(50)], bad: [a(51)]),
        Row(ParameterTables.authorization, "shipping_company", good: ["ab", a(50)], bad: ["a", a(51)]),
        Row(ParameterTables.authorization, "shipping_street", good: ["a", a(50)], bad: [a(51)]),
        Row(ParameterTables.authorization, "shipping_addressaddition", good: ["a", a(50)], bad: [a(51)]),
        Row(ParameterTables.authorization, "shipping_zip", good: ["24118", a(50)], bad: ["1", a(51), "1234#"]),
        Row(ParameterTables.authorization, "shipping_city", good: ["Ay", a(50)], bad: ["a", a(51)]),
        Row(ParameterTables.authorization, "shipping_state", good: ["NY", "US-NY"], bad: ["ny", "NYCC"]),
        Row(ParameterTables.authorization, "shipping_country", good: ["DE"], bad: ["de", "DEU", "XX"]),
    ]

    static let state = [
        Row(
            ParameterTables.state, "state", good: ["NY", "13", "AGU", "US-NY", "JP-13"],
            bad: ["ny", "NYCC", "", "XX-NY", "US-", "-NY", "US-NY-1", "N Y", "New York", "Ä"])
    ]

    static let payment: [Row] = [
        Row(ParameterTables.authorization, "clearingtype", good: ["wlt"], bad: ["cc", "WLT", "elv"]),
        Row(ParameterTables.authorization, "wallettype", good: ["APL"], bad: ["PPE", "apl", "GGP"]),
        Row(
            ParameterTables.authorization, "cardtype", good: ["V", "M", "G", "?", "A", "D"],
            bad: ["v", "VISA", "1", "", "Ä"]),
        Row(
            ParameterTables.authorization, "reference", good: ["1", "10001_1", "a.b-c_d/e", a(20)],
            bad: [a(21), "your reference", "ä", "a#b"]),
        Row(ParameterTables.authorization, "amount", good: amounts.good, bad: amounts.bad),
        Row(ParameterTables.authorization, "currency", good: currencies.good, bad: currencies.bad),
        Row(ParameterTables.authorization, "narrative_text", good: texts.good, bad: texts.bad),
        Row(ParameterTables.authorization, "customerid", good: ["1", a(20)], bad: [a(21)]),
        Row(ParameterTables.authorization, "param", good: ["1", a(255)], bad: [a(256), "a\u{9B}"]),
        Row(ParameterTables.authorization, "sequencenumber", good: ["0"], bad: ["1", "127", "a"]),
    ]

    static let followUps: [Row] = [
        Row(ParameterTables.capture, "txid", good: txids.good, bad: txids.bad),
        Row(ParameterTables.capture, "clearingtype", good: ["wlt"], bad: ["cc"]),
        Row(ParameterTables.capture, "wallettype", good: ["APL"], bad: ["PPE"]),
        Row(ParameterTables.capture, "capturemode", good: ["completed", "notcompleted"], bad: ["Completed", "yes"]),
        Row(ParameterTables.capture, "sequencenumber", good: numbers.good, bad: numbers.bad),
        Row(ParameterTables.capture, "amount", good: amounts.good, bad: amounts.bad),
        Row(ParameterTables.capture, "currency", good: currencies.good, bad: currencies.bad),
        Row(ParameterTables.capture, "narrative_text", good: texts.good, bad: texts.bad),
        Row(ParameterTables.capture, "settleaccount", good: ["yes", "no", "auto"], bad: ["maybe", "YES"]),
        Row(ParameterTables.debit, "txid", good: txids.good, bad: txids.bad),
        Row(ParameterTables.debit, "clearingtype", good: ["wlt"], bad: ["elv"]),
        Row(ParameterTables.debit, "wallettype", good: ["APL"], bad: ["GGP"]),
        Row(ParameterTables.debit, "sequencenumber", good: numbers.good, bad: numbers.bad),
        Row(ParameterTables.debit, "amount", good: amounts.good, bad: amounts.bad),
        Row(ParameterTables.debit, "currency", good: currencies.good, bad: currencies.bad),
        Row(ParameterTables.debit, "narrative_text", good: texts.good, bad: texts.bad),
        Row(ParameterTables.debit, "settleaccount", good: ["yes", "no", "auto"], bad: ["maybe"]),
        Row(
            ParameterTables.session, "add_paydata[action]", good: ["init_applepay_session"],
            bad: ["setexpresscheckout", "INIT_APPLEPAY_SESSION"]),
        Row(ParameterTables.session, "clearingtype", good: ["wlt"], bad: ["cc"]),
        Row(ParameterTables.session, "wallettype", good: ["APL"], bad: ["PPE"]),
        Row(
            ParameterTables.session, "add_paydata[domain_name]",
            good: ["shop.example", "a.b-c.example", "Shop.Example", "localhost", "LOCALHOST"],
            bad: ["shop", "https://shop.example", "shop.example/", "shop..example", "-a.example", "a_b.example"]),
        Row(ParameterTables.session, "add_paydata[display_name]", good: ["a", a(64), "Äpfel"], bad: [a(65), "\n"]),
        Row(ParameterTables.session, "currency", good: currencies.good, bad: currencies.bad),
    ]

    static let rows = Self.account + Self.person + Self.shipping + Self.state + Self.payment + Self.followUps

    @Test(arguments: Self.rows)
    func takesWhatFitsAndRefusesTheRest(row: Row) throws {
        let rule = try #require(row.table.first { $0.name == row.name })
        for value in row.good {
            #expect(rule.format.problem(with: value) == nil, "\(value)")
            #expect(try Self.form([row.name: value]).checked(by: [rule])[row.name] == value)
        }
        for value in row.bad where !value.isEmpty {
            let error = try #require(throws: PAYONEError.self, "\(value)") {
                try Self.form([row.name: value]).checked(by: [rule])
            }
            // Control characters have one number, whatever the parameter.
            let isForbidden = rule.format.refusesCharacters(of: value)
            #expect(error.code == (isForbidden ? .charactersInvalid : ErrorCode(parameter: row.name)))
            #expect(error.message.hasPrefix(error.code.message) && error.message.contains("{\(row.name)} must "))
        }
    }

    @Test func everyRowIsTested() {
        let tables = [
            ParameterTables.account, ParameterTables.authorization, ParameterTables.state, ParameterTables.capture,
            ParameterTables.debit, ParameterTables.session,
        ]
        for table in tables {
            let tested = Set(Self.rows.filter { $0.table == table }.map(\.name))
            let elsewhere = Set(["email"] + ParameterTables.token.map(\.name))
            #expect(Set(table.map(\.name)).subtracting(tested).isSubset(of: elsewhere))
        }
    }

    /// The tables' column "required".
    @Test(arguments: [
        (ParameterTables.account, ["mid", "aid", "portalid", "key", "mode"]),
        (ParameterTables.accountWithoutSubAccount, ["mid", "portalid", "key", "mode"]),
        (ParameterTables.state, ["state"]),
        (
            ParameterTables.authorization,
            ["country", "clearingtype", "wallettype", "reference", "amount", "currency"]
                + ParameterTables.token.map(\.name)
        ),
        (ParameterTables.capture, ["txid", "capturemode", "amount", "currency"]),
        (ParameterTables.debit, ["txid", "sequencenumber", "amount", "currency"]),
        (ParameterTables.session, ["add_paydata[action]", "add_paydata[domain_name]"]),
    ])
    func knowsWhatIsRequired(table: [ParameterRule], names: [String]) throws {
        #expect(table.filter { $0.presence == .required }.map(\.name) == names)
        for name in names {
            let rule = try #require(table.first { $0.name == name })
            for form in try [Self.form([:]), Self.form([name: ""])] {
                let error = try #require(throws: PAYONEError.self) { try form.checked(by: [rule]) }
                #expect(error.code == ErrorCode(parameter: name) && error.message.contains("{\(name)} is required."))
            }
        }
    }

    @Test(arguments: ParameterTables.token)
    func reportsAMissingPartOfTheTokenWithTheVendorsNumber(rule: ParameterRule) throws {
        let error = try #require(throws: PAYONEError.self) { try Self.form([rule.name: ""]).checked(by: [rule]) }
        #expect(error.code == .tokenParameterMissing && error.message.contains("{\(rule.name)}"))
    }

    @Test func emptyOptionalParametersCountAsLeftOut() throws {
        let parameters = try Self.form(["firstname": "", "country": "DE"]).checked(by: ParameterTables.person)
        #expect(parameters["firstname"] == nil)
    }

    @Test func takesBothSpellingsOfThePortal() throws {
        let rule = try #require(ParameterTables.account.first { $0.name == "portalid" })
        #expect(try Self.form(["portalId": "1234567"]).checked(by: [rule])["portalid"] == "1234567")
        #expect(
            try Self.form(["portalId": "1234567", "portalid": "1234567"]).checked(by: [rule])["portalid"] == "1234567")
        #expect(throws: PAYONEError(faulty: "portalid", "is given twice, with different values")) {
            try Self.form(["portalId": "1234567", "portalid": "7654321"]).checked(by: [rule])
        }
    }

    static func form(_ parameters: [String: String]) throws(PAYONEError) -> ReceivedForm {
        try ReceivedForm(
            ShopForm([("encoding", "UTF-8")] + parameters.map { (name: $0.key, value: $0.value) }).urlEncoded())
    }
}
