//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import FuzzInputs
import Testing

@testable import Radial

/// The inputs of the fuzz target XML (Vectors/Fuzz), read as the target reads them. What once made it fail is among
/// them.
struct FuzzedXMLTests {
    @Test func readsOrRefusesEach() throws {
        let accepted = try FuzzInput.all(of: "XML").filter { (try? XMLReader.read($0.bytes)) != nil }.map(\.name)
        #expect(accepted == ["authorization", "sections-and-references"])
    }

    @Test func readsOrRefusesTheCorpus() throws {
        let inputs = try FuzzInput.corpus(of: "XML")
        let readCount = inputs.count { (try? XMLReader.read($0.bytes)) != nil }
        #expect((0..<inputs.count).contains(readCount), "some are documents, and some are not")
    }
}
