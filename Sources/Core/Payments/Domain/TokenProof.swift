//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Time

/// What the verification of a payment's token showed, for whoever looks at the payment later: nothing of the card, no
/// signature, no key.
///
/// It is written with every payment and read with few, so it is one text, taken apart when somebody asks.
public struct TokenProof: Hashable, Sendable {
    /// The fields in their order, a space between two.
    public let text: String

    private enum Field: Int, CaseIterable {
        case version, checks, verifiedAt, signedAt, anchor, publicKeyHash, leafDigest, intermediateDigest
        case transactionIdentifier
    }

    /// - Parameters:
    ///   - version: "EC_v1" or "RSA_v1".
    ///   - checks: a bit for each check that the token has passed; which is which knows who made them.
    ///   - anchor, publicKeyHash, leafDigest, intermediateDigest, transactionIdentifier: hexadecimal.
    public init(
        version: String, checks: UInt32, verifiedAt: Timestamp, signedAt: Timestamp, anchor: String,
        publicKeyHash: String, leafDigest: String, intermediateDigest: String, transactionIdentifier: String
    ) {
        self.text = """
            \(version) \(String(checks, radix: 16)) \(verifiedAt.milliseconds) \(signedAt.milliseconds) \(anchor) \
            \(publicKeyHash) \(leafDigest) \(intermediateDigest) \(transactionIdentifier)
            """
    }

    /// As a store or a vault has kept it.
    /// - Returns: `nil` for what ``text`` never was.
    public init?(text: String) {
        self.text = text
        let fields = self.fields
        guard fields.count == Field.allCases.count, fields.allSatisfy({ !$0.isEmpty }),
            UInt32(Substring(fields[Field.checks.rawValue]), radix: 16) != nil,
            Int64(Substring(fields[Field.verifiedAt.rawValue])) != nil,
            Int64(Substring(fields[Field.signedAt.rawValue])) != nil
        else { return nil }
    }

    public var version: String { self.field(.version) }
    public var checks: UInt32 { UInt32(self.field(.checks), radix: 16) ?? 0 }
    public var verifiedAt: Timestamp { self.moment(.verifiedAt) }
    /// The signing time, in whole seconds.
    public var signedAt: Timestamp { self.moment(.signedAt) }
    /// SHA-256 of the root's public key.
    public var anchor: String { self.field(.anchor) }
    public var publicKeyHash: String { self.field(.publicKeyHash) }
    /// SHA-256 of the certificate that signed the token, and of the one that issued that.
    public var leafDigest: String { self.field(.leafDigest) }
    public var intermediateDigest: String { self.field(.intermediateDigest) }
    public var transactionIdentifier: String { self.field(.transactionIdentifier) }

    /// By bytes, as is ``field(_:)``: what separates the fields is one, and every payment reads some of them.
    private var fields: [Substring.UTF8View] {
        self.text.utf8.split(separator: Self.separator, omittingEmptySubsequences: false)
    }

    private static let separator = UInt8(ascii: " ")

    private func field(_ field: Field) -> String {
        var rest = self.text.utf8[...]
        for _ in 0..<field.rawValue {
            guard let end = rest.firstIndex(of: Self.separator) else { return "" }
            rest = rest[rest.index(after: end)...]
        }
        return String(Substring(rest.prefix { $0 != Self.separator }))
    }

    private func moment(_ field: Field) -> Timestamp { Timestamp(milliseconds: Int64(self.field(field)) ?? 0) }
}
