//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Foundation
import Payments
import Testing

@testable import pomona

/// What the pages have by name has the program too.
struct PortalNamesTests {
    /// A dialect without an entry would be shown by its name on the wire.
    @Test func portalNamesEveryDialect() throws {
        let text = try Self.page("portal/core/names.js")
        let list = try #require(text.firstMatch(of: /export const dialects = \{([^}]*)\}/)?.output.1)
        let names = list.matches(of: /(\w+): "(\w+)"/).map { (String($0.output.1), String($0.output.2)) }
        #expect(names.map(\.0) == DialectModule.all.map(\.name))
        #expect(names.allSatisfy { $0.1.lowercased() == $0.0 }, "\(names)")
    }

    /// A dialect without an entry would have no words in the demo shop, and networks that were guessed.
    @Test func shopKnowsEveryDialect() throws {
        let text = try Self.page("shop/dialects.js")
        let list = try #require(text.firstMatch(of: /const known = \{(.*?)\n\};/.dotMatchesNewlines())?.output.1)
        let names = list.matches(of: /\n    (\w+): \{/).map { String($0.output.1) }
        #expect(names.sorted() == DialectModule.all.map(\.name).sorted())
    }

    /// What an acquirer has answered is shown to its end: a fact that the page leaves out is one that nobody sees.
    @Test func portalShowsEveryFactOfAnAnswer() throws {
        let text = try Self.page("portal/pages/payment-exchange.js")
        for name in AcquirerAnswer.factNames {
            #expect(text.contains("\"\(name)\"") || text.contains("operation.\(name)"), "\(name)")
        }
    }

    private static func page(_ path: String) throws -> String {
        try String(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Web/\(path)"),
            encoding: .utf8)
    }
}
