//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Testing
import WalletSimulator

@Suite struct SignatureOutlineTests {
    /// The outline of a genuine signature of 2015: Vectors/WalletSimulator/SOURCE.md.
    private static func genuine() throws -> [String] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Vectors/WalletSimulator/genuine-signature-2015.txt")
        return String(decoding: try Data(contentsOf: file), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private static func outline(_ options: MintOptions) throws -> [String] {
        let token = try Sandbox.mint(Sandbox.request(), options: options)
        return try Outline(token.parts.signature).lines
    }

    @Test func signatureIsBuiltLikeAGenuineOne() throws {
        var options = MintOptions()
        options.hasNullParameters = true
        options.hasAlgorithmProtection = false
        #expect(try SignatureOutlineTests.outline(options) == SignatureOutlineTests.genuine())
    }

    @Test func newerTokensHaveNoNullAndProtectTheirAlgorithms() throws {
        var expected = try SignatureOutlineTests.genuine()
        // Digest algorithms alone have NULL parameters: the lines below SHA-256.
        expected = zip([""] + expected, expected)
            .filter { previous, line in
                !(line.hasSuffix(" 05") && previous.hasSuffix("2.16.840.1.101.3.4.2.1"))
            }
            .map(\.1)
        let signingTime = try #require(expected.firstIndex { $0.hasSuffix("1.2.840.113549.1.9.5") })
        expected.insert(
            contentsOf: [
                "      30", "       06 1.2.840.113549.1.9.52", "       31", "        30", "         30",
                "          06 2.16.840.1.101.3.4.2.1", "         A1", "          06 1.2.840.10045.4.3.2",
            ], at: signingTime + 3)
        #expect(try SignatureOutlineTests.outline(MintOptions()) == expected)
    }

    @Test func definiteLengthsLeaveNoOpenElement() throws {
        var options = MintOptions()
        let open = try SignatureOutlineTests.outline(options).filter { $0.hasSuffix("~") }
        #expect(open == ["30 ~", " A0 ~", "  30 ~", "   30 ~", "   A0 ~"])
        options.hasDefiniteLengths = true
        #expect(try SignatureOutlineTests.outline(options).contains { $0.hasSuffix("~") } == false)
    }
}
