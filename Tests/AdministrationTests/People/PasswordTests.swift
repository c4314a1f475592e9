//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Redaction
import Testing

@testable import Administration

/// What a password may be, and what it is proved by.
@Suite struct PasswordTests {
    private static func bytes(_ text: String) -> Redacted<[UInt8]> { Redacted(Array(text.utf8)) }

    // MARK: - scrypt

    /// RFC 7914, section 12, but the first vector, whose password is empty: nobody's is.
    @Test(arguments: [
        (
            "password", "NaCl", 10, 8, 16,
            "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830da"
                + "c727afb94a83ee6d8360cbdfa2cc0640"
        ),
        (
            "pleaseletmein", "SodiumChloride", 14, 8, 1,
            "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9"
                + "e61e85dc0d651e40dfcf017b45575887"
        ),
    ])
    func derivesAsTheStandardSays(
        _ password: String, _ salt: String, _ logRounds: Int, _ blockSize: Int, _ parallelism: Int, _ wanted: String
    ) throws {
        let cost = try #require(
            ScryptCost(logRounds: logRounds, blockSize: blockSize, parallelism: parallelism))
        let derived = try PasswordVerifier.derive(
            Self.bytes(password), salt: Array(salt.utf8), cost, bytesCount: 64)
        #expect(derived.map { String(UInt32($0) + 256, radix: 16).dropFirst() }.joined() == wanted)
    }

    @Test func productionTakes128MiB() {
        let cost = ScryptCost.production
        #expect(128 * cost.blockSize << cost.logRounds == 128 << 20)
        #expect(PeopleSettings().passwordCost == cost && PeopleSettings().derivationsMax == 2)
    }

    @Test func verifierIsReadBackAndMatchesItsPasswordAlone() throws {
        let cost = try #require(ScryptCost(logRounds: 4, blockSize: 8, parallelism: 1))
        let salt: [UInt8] = [1, 2, 3]
        let hash = try PasswordVerifier.derive(Self.bytes("right"), salt: salt, cost)
        let text = PasswordVerifier(cost: cost, salt: salt, hash: hash).text
        #expect(text.reveal().hasPrefix("$scrypt$ln=4,r=8,p=1$AQID$"))
        let read = try #require(PasswordVerifier(text))
        #expect(read.cost == cost && read.salt == salt && read.hash == hash)
        #expect(try read.matches(Self.bytes("right")))
        for wrong in ["wrong", "Right", "right ", ""] { #expect(try !read.matches(Self.bytes(wrong))) }
    }

    @Test(arguments: [
        "", "$", "$scrypt$", "scrypt$ln=4,r=8,p=1$AQID$", "$argon2id$ln=4,r=8,p=1$AQID$HASH",
        "$scrypt$ln=21,r=8,p=1$AQID$HASH", "$scrypt$ln=0,r=8,p=1$AQID$HASH", "$scrypt$ln=4,r=9,p=1$AQID$HASH",
        "$scrypt$ln=4,r=8,p=17$AQID$HASH", "$scrypt$ln=04,r=8,p=1$AQID$HASH", "$scrypt$r=8,ln=4,p=1$AQID$HASH",
        "$scrypt$ln=4,r=8,p=1$$HASH", "$scrypt$ln=4,r=8,p=1$AQID$AQID", "$scrypt$ln=4,r=8,p=1$AQ!D$HASH",
        "$scrypt$ln=4,r=8,p=1$AQID$HASH$", "$scrypt$ln=4,r=8$AQID$HASH",
    ])
    func whatIsNoVerifierIsNone(_ text: String) {
        let hash = String(repeating: "A", count: 43)
        #expect(PasswordVerifier(Redacted(text.replacing("HASH", with: hash))) == nil)
    }

    // MARK: - Rules

    private static func refuses(_ password: String, userName: String = "alice") -> Bool {
        do throws(AdministrationError) {
            _ = try PasswordRules.checked(Redacted(password), userName: userName)
            return false
        } catch {
            return error.code == .passwordWeak && (password.isEmpty || !error.message.contains(password))
        }
    }

    @Test(arguments: [
        "a glass of cold cider", "482913746501", "correct pony battery staple", "Пароль-надёжный", "密码密碼是一个很长的好密码",
        "🍏🍐🍊🍋🍌🍉🍇🍓🫐🍈🍒🍑", "Tr0ub4dor&3 is short", "alice has a little lamb", "             xyz1 7", "passwordless gate",
    ])
    func lengthCountsAndCompositionDoesNot(_ password: String) {
        #expect(!Self.refuses(password))
    }

    @Test(arguments: [
        "", "short", "elevenchars", "éééééééééée\u{301}", "password1234", "Password2026!", "PASSWORDPASSWORD",
        "passwordpassword12",
        "qwertyuiop12", "123456789012", "098765432109", "abcdefghijkl", "zyxwvutsrqpon", "aaaaaaaaaaaa", "abababababab",
        "abcabcabcabc", "1234123412341234", "welcome12345", "changeme!!!!!!", "letmein_letmein", "iloveyou2024",
        "alicealicealice",
        "alice1234567", "1Alice-alice1", "pomona-pomona", "administrator1", "correcthorsebatterystaple",
        "correct horse battery staple", "tab\tis a control", "nul\u{0} is one too", "\u{E000}private use area",
    ])
    func whatIsGuessedFirstOrTooShortIsRefused(_ password: String) {
        #expect(Self.refuses(password), "\(password)")
    }

    @Test func sixtyFourCharactersOfAnyScriptAreTakenAndNoEndlessText() {
        let long = (0..<64).map { String(UnicodeScalar(0x1F300 + $0 * 37 % 64).map(Character.init) ?? "x") }.joined()
        #expect(long.utf8.count == 256 && !Self.refuses(long))
        #expect(Self.refuses(long + "x") && Self.refuses(String(repeating: "long ", count: 1_000_000)))
    }

    @Test func isComparedComposedWithPlainSpaces() {
        let composed = PasswordRules.prepared(Redacted("caf\u{E9} au lait"))
        #expect(composed == PasswordRules.prepared(Redacted("cafe\u{301}\u{A0}au\u{3000}lait")))
        #expect(composed != PasswordRules.prepared(Redacted("cafe au lait")))
        // Case counts (RFC 8265, section 4.2.2).
        #expect(composed != PasswordRules.prepared(Redacted("Caf\u{E9} au lait")))
    }

    // MARK: - A few at a time

    private func passwords(running: Int, waiting: Int) throws -> Passwords {
        Passwords(
            cost: try #require(ScryptCost(logRounds: 4)),
            gate: DerivationGate(runningMax: running, waitingMax: waiting), salt: [1])
    }

    @Test func noneMatchesTheDecoyAndEachTakesOneDerivation() async throws {
        let passwords = try self.passwords(running: 1, waiting: 0)
        let verifier = try await passwords.verifier(of: Self.bytes("right"), salt: [7])
        #expect(passwords.gate.begunCount == 1)
        for (password, known, isRight) in [
            ("right", verifier, true), ("wrong", verifier, false), ("right", nil, false), (nil, verifier, false),
            (nil, nil, false), ("right", Redacted("no verifier"), false),
        ] as [(String?, Redacted<String>?, Bool)] {
            let before = passwords.gate.begunCount
            #expect(try await passwords.matches(password.map(Self.bytes), known) == isRight)
            #expect(passwords.gate.begunCount == before + 1)
        }
    }

    @Test func soManyRunSoManyWaitAndTheRestAreRefused() async throws {
        let gate = DerivationGate(runningMax: 2, waitingMax: 3)
        let doors = (0..<5).map { _ in Door() }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for (index, door) in doors.enumerated() {
                group.addTask {
                    try await gate.run {
                        door.pass()
                        return index
                    }
                }
                // One after the other, so that it is known who waits.
                while gate.begunCount + gate.waitingCount < index + 1 { await Task.yield() }
            }
            #expect(gate.begunCount == 2 && gate.waitingCount == 3)
            await #expect(throws: DerivationGate.Busy.self) { try await gate.run {} }
            for door in doors { door.open() }
            var found: Set<Int> = []
            for try await index in group { found.insert(index) }
            #expect(found == Set(0..<5))
        }
        #expect(gate.begunCount == 5 && gate.waitingCount == 0)
        try await gate.run {}
    }

    @Test func aFailureGivesItsPlaceBack() async throws {
        struct Failure: Error {}
        let gate = DerivationGate(runningMax: 1, waitingMax: 0)
        for _ in 0..<3 { await #expect(throws: Failure.self) { try await gate.run { throw Failure() } } }
        #expect(try await gate.run { 1 } == 1)
    }
}
