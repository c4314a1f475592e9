//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import TestRandom
import Testing
import Time

@Suite("Identifiers")
struct IdentifierTests {
    private static let alphabet = Set("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

    @Test(
        arguments: [
            (0, [], "pay_00000000000000000000000000"),
            (1, [], "pay_00000000010000000000000000"),
            // The ULID specification's example of a time: 1469922850259 is 01ARZ3NDEK… less its random part.
            (1_469_922_850_259, [], "pay_01ARZ3NDEK0000000000000000"),
            (0, [0xFF], "pay_0000000000ZW00000000000000"),
            (0, [0, 0, 0, 0, 0, 0, 0, 0, 0, 1], "pay_00000000000000000000000001"),
            (0, Array(repeating: 0xFF, count: 10), "pay_0000000000ZZZZZZZZZZZZZZZZ"),
            (0xFFFF_FFFF_FFFF, Array(repeating: 0xFF, count: 10), "pay_7ZZZZZZZZZZZZZZZZZZZZZZZZZ"),
        ] as [(Int64, [UInt8], String)])
    func isTimeAndRandomBytes(_ milliseconds: Int64, _ random: [UInt8], _ text: String) {
        #expect(PaymentID(at: Timestamp(milliseconds: milliseconds), random: random).text == text)
    }

    @Test func usesTenRandomBytes() {
        let ten = (1...10).map(UInt8.init)
        let moment = Timestamp(seconds: 1)
        #expect(PaymentID(at: moment, random: ten) == PaymentID(at: moment, random: ten + [99]))
        for index in ten.indices {
            var changed = ten
            changed[index] ^= 1
            #expect(PaymentID(at: moment, random: changed) != PaymentID(at: moment, random: ten))
        }
    }

    @Test func prefixNamesTheKind() {
        let moment = Timestamp(seconds: 1)
        #expect(PaymentID(at: moment, random: []).text.hasPrefix("pay_"))
        #expect(OperationID(at: moment, random: []).text.hasPrefix("op_"))
        #expect(OrderID(at: moment, random: []).text.hasPrefix("ord_"))
        #expect(MerchantID(at: moment, random: []).text.hasPrefix("mer_"))
        #expect(EventID(at: moment, random: []).text.hasPrefix("evt_"))
    }

    @Test func sortsByTime() {
        var random = SeededRandom(seed: 10)
        var earlier = Timestamp(milliseconds: 0)
        var earlierID = PaymentID(at: earlier, random: [])
        for _ in 0..<2000 {
            let later = earlier.adding(milliseconds: Int64.random(in: 1...1 << 36, using: &random))
            let bytes = (0..<10).map { _ in UInt8.random(in: 0...255, using: &random) }
            let laterID = PaymentID(at: later, random: bytes)
            #expect(earlierID < laterID)
            #expect(earlierID.text < laterID.text)
            (earlier, earlierID) = (later, laterID)
        }
    }

    @Test func isUniqueByItsRandomPart() {
        var random = SeededRandom(seed: 11)
        let moment = Timestamp(seconds: 1_780_000_000)
        let ids = (0..<10_000).map { _ in
            OperationID(at: moment, random: (0..<10).map { _ in UInt8.random(in: 0...255, using: &random) })
        }
        #expect(Set(ids).count == 10_000)
        #expect(ids.allSatisfy { $0.text.utf8.count == 29 })
        #expect(ids.allSatisfy { Self.alphabet.isSuperset(of: $0.text.dropFirst(3)) })
    }

    @Test func readsItsOwnText() throws {
        let id = PaymentID(at: Timestamp(seconds: 1_780_000_000), random: Array(1...10))
        #expect(PaymentID(id.text) == id)
        #expect(id.description == id.text)
        let last = "pay_7ZZZZZZZZZZZZZZZZZZZZZZZZZ"
        #expect(PaymentID(last)?.text == last)
    }

    /// 26 digits hold 130 bits, and an id is 128.
    @Test(arguments: "89ABCDEFGHJKMNPQRSTVWXYZ") func refusesWhatIsLongerThanAnID(_ first: Character) {
        #expect(PaymentID("pay_\(first)0000000000000000000000000") == nil)
    }

    @Test(arguments: [
        "", "pay_", "pay_0000000000000000000000000", "pay_000000000000000000000000000", "00000000000000000000000000",
        "op_00000000000000000000000000", "PAY_00000000000000000000000000", "pay-00000000000000000000000000",
        "pay_0000000000000000000000000a", "pay_0000000000000000000000000I", "pay_0000000000000000000000000L",
        "pay_0000000000000000000000000O", "pay_0000000000000000000000000U", "pay_0000000000000000000000000é",
        "pay_ 0000000000000000000000000", " pay_00000000000000000000000000", "pay_00000000000000000000000000\n",
        "pay_pay_0000000000000000000000", "pay_٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠", "pay_'; DROP TABLE payments;--",
    ])
    func refusesWhatIsNoID(_ text: String) {
        #expect(PaymentID(text) == nil)
    }

    @Test func takesTheAlphabetAndNothingElse() {
        for byte in 0...127 as ClosedRange<UInt8> {
            let character = Character(UnicodeScalar(byte))
            let text = "pay_0000000000000000000000000\(character)"
            #expect((PaymentID(text) != nil) == Self.alphabet.contains(character), "\(byte)")
        }
    }
}
