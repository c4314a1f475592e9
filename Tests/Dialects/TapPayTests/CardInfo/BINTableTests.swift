//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Testing

@testable import TapPay

@Suite struct BINTableTests {
    private static let heading = "first,last,network,funding,issuer,issuer_zh_tw,bank_id,level,country,country_code\n"

    private static func table(_ lines: String) throws -> BINTable {
        try BINTable(csv: Array((self.heading + lines).utf8))
    }

    @Test func theGatewaysOwnTableIsSound() throws {
        let own = try BINTable(csv: PackageResources.bin_table_csv)
        #expect(own.count > 10 && own.count == BINTable.standard.count)
    }

    @Test(
        arguments: [
            ("424242", "A"), ("424243", "B"), ("424299", "B"), ("424300", "C"), ("499999", "C"), ("4", "C"),
            ("42", "C"),
            ("510000", nil), ("", nil), ("4242", "B"), ("abc", nil),
        ] as [(String, String?)])
    func theLongestPrefixWins(bin: String, issuer: String?) throws {
        let table = try Self.table(
            """
            4,4,visa,unknown,C,,,,,
            424242,424242,visa,credit,A,,,,,
            4242,4242,visa,credit,B,,,,,
            """)
        #expect(table.row(of: bin)?.issuer == issuer)
    }

    @Test(
        arguments: [("222099", nil), ("222100", "M"), ("250000", "M"), ("272099", "M"), ("272100", nil)]
            as [(String, String?)])
    func aRangeHasBothItsEnds(bin: String, issuer: String?) throws {
        let table = try Self.table("2221,2720,mastercard,unknown,M,,,,,\n3000,3000,unknown,unknown,X,,,,,")
        #expect(table.row(of: bin)?.issuer == issuer)
    }

    @Test func readsQuotedFieldsCommentsAndBothLineEnds() throws {
        let text =
            "# a comment\r\n" + Self.heading.dropLast()
            + "\r\n\r\n# another\r\n\"4\",4,visa,debit,\"A \"\"B\"\", C\",測試,00x,L,\"T, R\",TW\r\n"
        let row = try #require(try BINTable(csv: Array(text.utf8)).row(of: "400000"))
        #expect(row.issuer == "A \"B\", C" && row.issuerZhTw == "測試" && row.bankID == "00x" && row.level == "L")
        #expect(row.country == "T, R" && row.countryCode == "TW" && row.funding == .debit && row.network == .visa)
    }

    @Test(arguments: [
        ("4,4,visa,credit,,,,,", 2, "9 fields"), ("4,4,visa,credit,,,,,,,", 2, "11 fields"),
        ("\n4,4,visa,credit,,,,,,x", 3, "country_code"), ("4,4,visa,credit,,,,,,tw", 2, "country_code"),
        ("a,4,visa,credit,,,,,,", 2, "1 to 6 digits"), (",4,visa,credit,,,,,,", 2, "1 to 6 digits"),
        ("4,44,visa,credit,,,,,,", 2, "as many as each other"), ("5,4,visa,credit,,,,,,", 2, "last not below first"),
        ("4242424,4242424,visa,credit,,,,,,", 2, "1 to 6 digits"), ("-1,-1,visa,credit,,,,,,", 2, "1 to 6 digits"),
        ("4,4,VISA,credit,,,,,,", 2, "network must be one of: unknown, visa"),
        ("4,4,visa,charge,,,,,,", 2, "funding must be one of: unknown, credit"),
        ("4,4,visa,credit,,,12345678901,,,", 2, "bank_id"), ("4,4,visa,credit,,,1-2,,,", 2, "bank_id"),
        ("4,4,visa,credit,a\"b,,,,,", 2, "quotation mark"), ("4,4,visa,credit,\"ab,,,,,", 2, "has no end"),
        ("4,4,visa,credit,\"a\"b,,,,,", 2, "more than a comma"),
        ("4,4,visa,credit,a\u{7},,,,,", 2, "control character"),
        ("4,4,visa,credit,\(String(repeating: "x", count: 101)),,,,,", 2, "more than 100 characters"),
        ("40,49,visa,credit,,,,,,\n4,4,visa,credit,,,,,,\n49,49,visa,debit,,,,,,", 4, "overlaps that of line 2"),
        ("45,45,visa,credit,,,,,,\n40,49,visa,debit,,,,,,", 3, "overlaps that of line 2"),
        // The range that overlaps need not stand beside it.
        ("10,50,visa,credit,,,,,,\n20,20,visa,debit,,,,,,\n49,49,visa,debit,,,,,,", 3, "overlaps that of line 2"),
    ])
    func theFirstWrongLineIsNamed(lines: String, line: Int, problem: String) {
        let error = #expect(throws: BINTableError.self) { try Self.table(lines) }
        #expect(error?.line == line && error?.problem.contains(problem) == true, "\(String(describing: error))")
        #expect(error?.description.hasPrefix("line \(line): ") == true)
    }

    @Test(arguments: ["", "# only a comment\n", "first,last\n", "4,4,visa,credit,,,,,,"])
    func theColumnsMustBeNamed(_ text: String) {
        let error = #expect(throws: BINTableError.self) { try BINTable(csv: Array(text.utf8)) }
        #expect(error?.problem.contains("must name the columns: first,last,network") == true)
    }

    @Test func theTableMustBeUTF8() {
        let error = #expect(throws: BINTableError.self) { try BINTable(csv: Array(Self.heading.utf8) + [0xFF]) }
        #expect(error?.problem.contains("UTF-8") == true)
    }

    @Test func aTableMayBeEmpty() throws {
        #expect(try Self.table("").count == 0)
    }
}
