//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import Gateway
import Payments
import Redaction

/// A PaymentAccountUniqueId of ours: "4054131ImpMJ6965", after the seed's sample.
///
/// The first six digits and the last four are those of the account number, as PCI DSS 4.0, 3.4.1 lets be shown; between
/// them stand a digit and five letters from the random source. The letters make sure that it is never taken for a card
/// number; the six together name the authorization, once for each merchant.
struct AccountToken: Hashable, Sendable {
    /// The kind of the reference whose value is name.
    static let referenceKind = "account"
    /// How many random bytes a name takes.
    static let randomBytesCount = 12

    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

    /// Of a token that only the acquirer opens: the number's digits are not known here.
    private static let unknownPrefix = "000000"
    private static let unknownSuffix = "0000"

    let prefix: String
    let name: String
    let suffix: String

    var text: String { self.prefix + self.name + self.suffix }

    init(name: String, _ instrument: InstrumentSummary) {
        let number = instrument.maskedPAN
        self.prefix = number.prefix.isEmpty ? Self.unknownPrefix : number.prefix
        self.name = name
        self.suffix = number.suffix.isEmpty ? Self.unknownSuffix : number.suffix
    }

    /// A token that a merchant sends back; `nil` for what cannot be one.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 16, bytes[..<7].allSatisfy(ASCII.isDigit), bytes[12...].allSatisfy(ASCII.isDigit),
            bytes[7..<12].allSatisfy(Self.letters.contains)
        else { return nil }
        self.prefix = String(decoding: bytes[..<6], as: UTF8.self)
        self.name = String(decoding: bytes[6..<12], as: UTF8.self)
        self.suffix = String(decoding: bytes[12...], as: UTF8.self)
    }

    /// A name from random bytes: a digit and five letters.
    static func name(random bytes: [UInt8]) -> String {
        let numbers = stride(from: 0, to: bytes.count - 1, by: 2).map { Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]) }
        guard let first = numbers.first else { return "" }
        let name =
            [UInt8(ascii: "0") + UInt8(first % 10)] + numbers.dropFirst().map { Self.letters[$0 % Self.letters.count] }
        return String(decoding: name, as: UTF8.self)
    }

    static func reference(_ name: String) -> ReferenceName { ReferenceName(kind: Self.referenceKind, value: name) }
}
