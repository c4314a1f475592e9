//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import CryptoExtras
import Foundation
import Redaction

/// How much work a password's proof takes (scrypt, RFC 7914). It stands in every verifier, so that it can rise.
public struct ScryptCost: Hashable, Sendable {
    /// The logarithm of N to the base 2.
    public let logRounds: Int
    /// r.
    public let blockSize: Int
    /// p.
    public let parallelism: Int

    /// - Returns: `nil` for more than 1 GiB of memory, and for what no library takes.
    public init?(logRounds: Int, blockSize: Int = 8, parallelism: Int = 1) {
        guard (1...20).contains(logRounds), (1...8).contains(blockSize), (1...16).contains(parallelism) else {
            return nil
        }
        self.init(logRounds, blockSize, parallelism)
    }

    private init(_ logRounds: Int, _ blockSize: Int, _ parallelism: Int) {
        self.logRounds = logRounds
        self.blockSize = blockSize
        self.parallelism = parallelism
    }

    /// 128 MiB and a third of a second (OWASP Password Storage Cheat Sheet, "scrypt").
    public static let production = ScryptCost(17, 8, 1)
}

/// What a password is proved by, as a PHC string (github.com/P-H-C/phc-string-format):
/// `$scrypt$ln=17,r=8,p=1$<salt>$<hash>`, both in base64 without padding.
struct PasswordVerifier: Sendable {
    static let saltBytesCount = 16
    static let hashBytesCount = 32

    let cost: ScryptCost
    let salt: [UInt8]
    let hash: [UInt8]

    init(cost: ScryptCost, salt: [UInt8], hash: [UInt8]) {
        self.cost = cost
        self.salt = salt
        self.hash = hash
    }

    init?(_ text: Redacted<String>) {
        let parts = text.reveal().split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt" else { return nil }
        let numbers = parts[2].split(separator: ",", omittingEmptySubsequences: false)
        guard numbers.count == 3, let rounds = Self.number(numbers[0], "ln="),
            let block = Self.number(numbers[1], "r="),
            let lanes = Self.number(numbers[2], "p="),
            let cost = ScryptCost(logRounds: rounds, blockSize: block, parallelism: lanes),
            let salt = Base64.decode(String(parts[3]), padding: .optional), !salt.isEmpty,
            let hash = Base64.decode(String(parts[4]), padding: .optional), hash.count == Self.hashBytesCount
        else { return nil }
        self.init(cost: cost, salt: salt, hash: hash)
    }

    private static func number(_ text: Substring, _ name: String) -> Int? {
        guard text.hasPrefix(name), let number = Int(text.dropFirst(name.count)), "\(name)\(number)" == text else {
            return nil
        }
        return number
    }

    var text: Redacted<String> {
        let numbers = "ln=\(self.cost.logRounds),r=\(self.cost.blockSize),p=\(self.cost.parallelism)"
        return Redacted("$scrypt$\(numbers)$\(Self.base64(self.salt))$\(Self.base64(self.hash))")
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        String(Base64.encode(bytes).prefix { $0 != "=" })
    }

    /// Whether it is of that password, found out in a time that does not depend on where the two differ.
    func matches(_ password: Redacted<[UInt8]>) throws -> Bool {
        let derived = try Self.derive(password, salt: self.salt, self.cost)
        return zip(derived, self.hash).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Blocks for as long as the cost says.
    static func derive(
        _ password: Redacted<[UInt8]>, salt: [UInt8], _ cost: ScryptCost, bytesCount: Int = Self.hashBytesCount
    ) throws -> [UInt8] {
        // The library cannot take nothing; no password is empty, so that what stands for it is nobody's.
        let bytes = password.reveal().isEmpty ? [0] : password.reveal()
        let key = try KDF.Scrypt.deriveKey(
            from: bytes, salt: salt, outputByteCount: bytesCount, rounds: 1 << cost.logRounds,
            blockSize: cost.blockSize, parallelism: cost.parallelism)
        return key.withUnsafeBytes { Array($0) }
    }
}
