//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import BaseEncoding
import Gateway
import Redaction
import StrictJSON
import Time

/// A payment session: fields of a payment to come, gathered by the payer's device and the merchant's server.
struct Session: Sendable {
    /// `session.updateStatus`: how the last attempt to change it ended.
    enum UpdateStatus: String, Hashable, Sendable {
        case noUpdate = "NO_UPDATE"
        case success = "SUCCESS"
        case failure = "FAILURE"
    }

    static let idPrefix = "SESSION"
    static let authenticationLimitDefault = 5
    /// With 0 nobody may authenticate with the session's id.
    static let authenticationLimits = 0...25

    let id: String
    var fields = RequestFields()
    /// The fields of the order and the transaction that the merchant's password or certificate has set.
    var merchantPaths: Set<String> = []
    var updateStatus = UpdateStatus.noUpdate
    /// Counts the changes of the fields.
    var revision = 1
    /// How many calls may authenticate with the session's id, and how many have.
    var authenticationLimit = Session.authenticationLimitDefault
    var authenticationsCount = 0
    let aes256Key: Redacted<String>
    /// Whether its payment details have paid; they are gone then.
    var isUsed = false
    /// The transaction that is paying with its details, by its key; no other may until that has ended.
    var claim: String?
    /// Which version of it the gateway keeps; `nil` while it keeps none.
    var keptVersion: Int?
    var expiresAt: Timestamp?

    init(id: String, aes256Key: Redacted<String>, authenticationLimit: Int) {
        self.id = id
        self.aes256Key = aes256Key
        self.authenticationLimit = authenticationLimit
    }

    /// Ten characters that change with every change of the fields.
    var version: String {
        Hex.encode(requestDigest("\(self.id)/\(self.revision)".utf8).prefix(5))
    }

    /// 31 to 35 characters of ASCII, as the vendor's.
    static func isID(_ text: String) -> Bool {
        (31...35).contains(text.utf8.count) && text.hasPrefix(self.idPrefix)
            && text.utf8.allSatisfy { ASCII.isDigit($0) || ASCII.isCapital($0) }
    }

    /// What a session is kept under: whoever reads the store must not learn an id, which authenticates.
    static func storedName(of id: String) -> String { Hex.encode(requestDigest(id.utf8)) }

    /// - Parameter random: 15 bytes, which make 24 characters.
    static func makeID(random: [UInt8]) -> String {
        let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
        var text: [UInt8] = []
        var accumulator: UInt32 = 0
        var bitsCount: UInt32 = 0
        for byte in random {
            accumulator = (accumulator << 8 | UInt32(byte)) & 0xFFFF
            bitsCount += 8
            while bitsCount >= 5 {
                bitsCount -= 5
                text.append(alphabet[Int(accumulator >> bitsCount) & 31])
            }
        }
        return self.idPrefix + String(decoding: text, as: UTF8.self)
    }
}

// MARK: - As it is kept

extension Session {
    /// The session in bytes, to be sealed by the gateway.
    var encoded: Redacted<[UInt8]> {
        self.fields.canonical.map { fields in
            let json: JSON = [
                "fields": fields, "updateStatus": .string(self.updateStatus.rawValue),
                "revision": JSON(self.revision), "authenticationLimit": JSON(self.authenticationLimit),
                "authenticationsCount": JSON(self.authenticationsCount), "aes256Key": .string(self.aes256Key.reveal()),
                "isUsed": .bool(self.isUsed), "claim": self.claim.map(JSON.string) ?? .null,
                "merchantPaths": .array(self.merchantPaths.sorted().map(JSON.string)),
            ]
            return json.serialized()
        }
    }

    /// - Returns: `nil` for bytes that are no session.
    init?(id: String, decoding bytes: Redacted<[UInt8]>) {
        guard let json = try? JSON.parse(bytes.reveal()), let fields = json["fields"]?.object,
            let status = json["updateStatus"]?.string.flatMap(UpdateStatus.init(rawValue:)),
            let revision = json["revision"]?.integer, let limit = json["authenticationLimit"]?.integer,
            let count = json["authenticationsCount"]?.integer, let key = json["aes256Key"]?.string,
            let isUsed = json["isUsed"]?.bool, let merchantPaths = json["merchantPaths"]?.array
        else { return nil }
        self.init(id: id, aes256Key: Redacted(key), authenticationLimit: Int(limit))
        self.fields = RequestFields(
            leaves: Dictionary(fields.members.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 }))
        self.updateStatus = status
        self.revision = Int(revision)
        self.authenticationsCount = Int(count)
        self.isUsed = isUsed
        self.claim = json["claim"]?.string
        self.merchantPaths = Set(merchantPaths.compactMap(\.string))
    }
}
