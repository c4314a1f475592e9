//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import CP256Table
import Crypto
import Foundation
import StrictJSON
import Testing

@testable import ApplePayToken

/// Tables are made on x86-64 with BMI2, ADX and AVX (Broadwell, Zen and what came after them); elsewhere swift-crypto judges
/// every signature.
let makesTables: Bool = {
    let table = pomona_p256_table_make_generator()
    defer { pomona_p256_table_free(table) }
    return table != nil
}()

@Suite struct SignerKeyTests {
    private struct Signer {
        let key = P256.Signing.PrivateKey()

        func sign(_ message: String) throws -> (signature: [UInt8], digest: SHA256Digest) {
            let digest = SHA256.hash(data: Array(message.utf8))
            return (Array(try self.key.signature(for: digest).rawRepresentation), digest)
        }

        /// A key that has a table, where tables are made.
        func known() throws -> SignerKey {
            let known = SignerKey(self.key.publicKey)
            for number in 0..<SignerKey.usesBeforeTable {
                let (signature, digest) = try self.sign("\(number)")
                #expect(known.isValidSignature(signature, for: digest))
            }
            return known
        }
    }

    /// A version of swift-crypto whose functions have other names would take the tables away, and nothing else would fail.
    @Test func tablesAreMadeWhereTheProcessorHasWhatTheyTake() throws {
        let processor = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let flags = processor.split(separator: "\n").first { $0.hasPrefix("flags") }?.split(separator: " ") ?? []
        #expect(makesTables == ["avx", "bmi2", "adx"].allSatisfy { flags.contains(Substring($0)) })
    }

    @Test(.enabled(if: makesTables)) func aKeyThatSignsManyTokensHasATable() throws {
        let signer = Signer()
        let key = SignerKey(signer.key.publicKey)
        for number in 1...SignerKey.usesBeforeTable {
            #expect(!key.hasTable)
            let (signature, digest) = try signer.sign("\(number)")
            #expect(key.isValidSignature(signature, for: digest))
        }
        #expect(key.hasTable)
    }

    /// What is no signature asks for no work.
    @Test func signaturesThatAreWrongMakeNoTable() throws {
        let signer = Signer()
        let key = SignerKey(signer.key.publicKey)
        let (signature, digest) = try Signer().sign("another's")
        for _ in 0..<2 * SignerKey.usesBeforeTable { #expect(!key.isValidSignature(signature, for: digest)) }
        #expect(!key.hasTable)
    }

    @Test func aTableSaysWhatSwiftCryptoSays() throws {
        let signer = Signer()
        let key = try signer.known()
        for number in 0..<100 {
            let (signature, digest) = try signer.sign("message \(number)")
            #expect(key.isValidSignature(signature, for: digest))
            #expect(!key.isValidSignature(signature, for: SHA256.hash(data: Array(digest))))
            var changed = signature
            changed[number % 64] ^= 1 << UInt8(number % 8)
            #expect(!key.isValidSignature(changed, for: digest), "byte \(number % 64)")
        }
        let (another, digest) = try Signer().sign("another's")
        #expect(!key.isValidSignature(another, for: digest))
    }

    @Test func whatHasAnotherLengthIsNoSignature() throws {
        let signer = Signer()
        let key = try signer.known()
        let (signature, digest) = try signer.sign("one")
        #expect(!key.isValidSignature([], for: digest))
        #expect(!key.isValidSignature(Array(signature.dropLast()), for: digest))
        #expect(!key.isValidSignature(signature + [0], for: digest))
    }
}

/// The equation itself, where few signatures come by themselves: `p256-signatures.json`.
@Suite(.enabled(if: makesTables)) struct P256TableTests {
    @Test func tablesJudgeAsFIPS186Asks() throws {
        let generator = try #require(pomona_p256_table_make_generator())
        defer { pomona_p256_table_free(generator) }
        var counts = [true: 0, false: 0]
        for group in try #require(try Vectors.json("p256-signatures.json").array) {
            let what = group["what"]?.string ?? ""
            for (number, vector) in (group["signatures"]?.array ?? []).enumerated() {
                let table = try #require(pomona_p256_table_make(try VectorText.hex(vector, "key")))
                defer { pomona_p256_table_free(table) }
                let answer = pomona_p256_table_verify(
                    generator, table, try VectorText.hex(vector, "digest"), try VectorText.hex(vector, "signature"))
                #expect(answer == vector["isValid"]?.bool, "\(what): \(number)")
                counts[answer, default: 0] += 1
            }
        }
        #expect(counts == [true: 147, false: 86])
    }
}
