//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import SwiftASN1
import Testing

@testable import ApplePayToken

@Suite struct BERReaderTests {
    private func reader(_ bytes: [UInt8]) -> BERReader {
        BERReader(bytes, code: .cmsMalformed, stage: .signature)
    }

    @Test func readsDefiniteAndIndefiniteLengths() throws {
        // SEQUENCE (indefinite) { SET { INTEGER 5 }, OCTET STRING 01 02 }
        var reader = self.reader([0x30, 0x80, 0x31, 0x03, 0x02, 0x01, 0x05, 0x04, 0x02, 0x01, 0x02, 0x00, 0x00])
        let sequence = try reader.enter(0x30)
        let set = try reader.enter(0x31)
        let integer = try reader.content(0x02)
        #expect(reader.matches(integer, [5]))
        #expect(reader.isAtEnd(set))
        try reader.leave(set)
        #expect(!reader.isAtEnd(sequence))
        #expect(try reader.content(0x04) == 9..<11)
        try reader.leave(sequence)
        #expect(reader.isAtLimit)
    }

    @Test(
        arguments: [
            ([0x04], "length missing"), ([0x04, 0x05, 0x01], "longer than the data"),
            ([0x04, 0x81, 0x05, 1, 2, 3, 4, 5], "not minimal"),
            ([0x04, 0x82, 0x00, 0x80] + [UInt8](repeating: 0, count: 128), "not minimal"),
            ([0x04, 0x84, 0, 0, 0, 1, 0], "four bytes"),
            ([0x04, 0x80, 0x00, 0x00], "indefinite primitive"), ([0x04, 0xFF], "reserved length"), ([], "nothing"),
            ([0x05, 0x00], "another tag"), ([0x04, 0x82, 0x01], "length cut off"),
        ] as [([UInt8], String)])
    func refusesMalformedElements(bytes: [UInt8], what: String) {
        expectRefusal(.cmsMalformed, .signature, Comment(rawValue: what)) {
            var reader = self.reader(bytes)
            _ = try reader.content(0x04)
        }
    }

    @Test func innerLengthsCannotReachOverOuterOnes() {
        expectRefusal(.cmsMalformed) {
            var reader = self.reader([0x30, 0x03, 0x04, 0x03, 1, 2, 3])
            _ = try reader.enter(0x30)
            _ = try reader.content(0x04)
        }
    }

    @Test func leavingEarlyIsRefused() {
        expectRefusal(.cmsMalformed) {
            var reader = self.reader([0x30, 0x80, 0x02, 0x01, 0x05, 0x00, 0x00])
            let frame = try reader.enter(0x30)
            try reader.leave(frame)
        }
        expectRefusal(.cmsMalformed, "end-of-contents octets are missing") {
            var reader = self.reader([0x30, 0x80])
            let frame = try reader.enter(0x30)
            try reader.leave(frame)
        }
    }

    /// The two readers must see the same certificates in a genuine signature.
    @Test func agreesWithSwiftASN1() throws {
        let bytes = try GenuineToken().token.signature
        let signedData = try SignedData(parsing: bytes)
        let contentInfo = try BER.parse(bytes)
        let found = BERReaderTests.certificates(contentInfo)
        #expect(found.count == 2)
        #expect(found == signedData.certificates.map { Array(bytes[$0]) })
    }

    private static func certificates(_ node: ASN1Node) -> [[UInt8]] {
        guard case .constructed(let children) = node.content else { return [] }
        let list = Array(children)
        // SignedData: version, digests, content, [0] certificates, signers
        if list.count == 5, list[3].identifier == ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific) {
            guard case .constructed(let set) = list[3].content else { return [] }
            return set.map { Array($0.encodedBytes) }
        }
        return list.flatMap { self.certificates($0) }
    }
}
