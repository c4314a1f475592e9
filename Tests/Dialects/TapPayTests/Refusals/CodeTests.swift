//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Testing

@testable import TapPay

/// The table of numbers against the vendor's tables, the SDKs and the published page.
@Suite struct CodeTests {
    @Test(arguments: VendorTable.allCases)
    func everyCodeOfTheVendorsTablesHasAHome(_ table: VendorTable) throws {
        let claimed = try Claims.all()
        let rows = try table.rows()
        #expect(rows.count > 45)
        for row in rows { #expect(claimed[row.code]?.isEmpty == false, "\(table.rawValue): \(row.code) has no home") }
    }

    /// A number has one home; but for those that are raised wherever the same thing happens.
    @Test func noCodeHasTwoHomes() throws {
        let shared: [Int: String] = [
            0: "success, whoever says it",
            5: "an answer, or a request, that is not as it must be",
            403: "Apple's refusal on the server, and that the server could not be asked in the page",
            421: "no answer in time, on either side of the wire",
            915: "an answer that no gateway gave",
            -1: "the web SDK is not loaded; for iOS this gateway's own, since the vendor has none",
        ]
        for (code, homes) in try Claims.all() where homes.count > 1 {
            #expect(shared[code] != nil, "\(code) is claimed by \(homes.joined(separator: " and "))")
        }
    }

    @Test(arguments: VendorTable.allCases)
    func messagesAreTheVendorsToTheLetter(_ table: VendorTable) throws {
        /// Where the vendor's own tables differ, the server's spelling stands.
        let differing: Set = ["web-sdk 41", "server 915"]
        for row in try table.rows() {
            guard let code = TapPayCode(rawValue: row.code), !differing.contains("\(table.rawValue) \(row.code)") else {
                continue
            }
            #expect(code.message == row.message, "\(table.rawValue): \(row.code)")
        }
    }

    @Test func theCodesOfOtherWalletsAreRaisedNowhere() throws {
        let claims = try Claims.all()
        for code in TapPayCode.allCases {
            guard case .elsewhere = code.origin else { continue }
            #expect(claims[code.rawValue] == ["server"], "\(code.rawValue)")
        }
    }

    /// Every number that the server raises is named where it is raised, and no other is.
    @Test func theServerRaisesWhatItSays() throws {
        let sources = try SourceText.swift(under: "Sources/Dialects/TapPay") { !$0.contains("/TapPayCode") }
        for code in TapPayCode.allCases {
            let name = try Regex("\\.\(code)\\b")
            let isRaised = sources.contains { $0.contains(name) }
            if case .elsewhere = code.origin {
                #expect(!isRaised, "\(code.rawValue) \(code) is raised after all")
            } else {
                #expect(isRaised, "\(code.rawValue) \(code) is raised nowhere")
            }
        }
    }

    @Test func whatStandsInBracesIsReplaced() {
        #expect(
            TapPayCode.getSessionError.message(filledWith: "No.") == "[Apple Pay] Get Session error: No.")
        #expect(TapPayCode.success.message(filledWith: "") == "Success")
    }

    // MARK: The published page

    private static let page = "docs/dialects/tappay-codes.md"

    @Test func thePageListsEveryCodeWithItsHome() throws {
        let rows = try SourceText.tableRows(of: Self.page)
        var listed: [Int: (message: String, home: String)] = [:]
        for row in rows {
            guard let code = Int(row[0]) else { continue }
            #expect(listed[code] == nil, "\(code) stands twice")
            listed[code] = (row[1], row[2])
        }
        for code in TapPayCode.allCases {
            let row = try #require(listed[code.rawValue], "\(code.rawValue) is missing")
            #expect(row.message == code.message)
            #expect(row.home.hasPrefix(code.origin.words), "\(code.rawValue): \(row.home)")
        }
        for (code, homes) in try Claims.all() {
            let home = try #require(listed[code], "\(code) is missing").home
            for claim in homes where claim != "server" { #expect(home.contains(claim), "\(code): \(home)") }
        }
        let known = try Claims.all()
        for code in listed.keys { #expect(known[code] != nil, "\(code) is on the page only") }
    }

    /// The tests that the page names exist.
    @Test func theTestsOfThePageExist() throws {
        let tests =
            try SourceText.swift(under: "Tests") { _ in true }.joined()
            + SourceText.files(under: "Tests/Web", suffixes: [".py", ".js", ".mjs", ".swift"]).joined()
        for row in try SourceText.tableRows(of: Self.page) where row.count > 4 && Int(row[0]) != nil {
            for name in row[4].split(separator: " ") where name.hasPrefix("`") {
                let plain = name.filter { $0 != "`" && $0 != "," }
                // Said apart: a failure would print all sources.
                let exists = tests.contains("func \(plain)(")
                #expect(exists, "\(row[0]): \(plain)")
            }
        }
    }
}

extension TapPayCode.Origin {
    fileprivate var words: String {
        switch self {
        case .frontEnd: "front end"
        case .backEnd: "back end"
        case .server: "server"
        case .elsewhere: "—"
        }
    }
}
