//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Testing

@testable import pomona

/// What the portal has by name has the program too.
struct PortalNamesTests {
    /// A dialect without an entry would be shown by its name on the wire.
    @Test func portalNamesEveryDialect() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../Web/portal/core/names.js")
        let text = try String(contentsOf: file, encoding: .utf8)
        let list = try #require(text.firstMatch(of: /export const dialects = \{([^}]*)\}/)?.output.1)
        let names = list.matches(of: /(\w+): "(\w+)"/).map { (String($0.output.1), String($0.output.2)) }
        #expect(names.map(\.0) == DialectModule.all.map(\.name))
        #expect(names.allSatisfy { $0.1.lowercased() == $0.0 }, "\(names)")
    }
}
