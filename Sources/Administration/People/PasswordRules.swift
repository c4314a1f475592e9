//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Redaction

/// What a password may be: NIST SP 800-63B, section 5.1.1.2. Length counts, composition does not; what is guessed first is
/// refused.
enum PasswordRules {
    static let charactersMin = 12
    /// At least 64 characters must be taken whatever their script, of which UTF-8 needs up to four bytes for each.
    static let bytesMax = 256

    /// A password as it is compared: the profile OpaqueString (RFC 8265, section 4.2).
    ///
    /// - Returns: `nil` for what the profile does not allow: nothing, control characters, more than ``bytesMax``.
    static func prepared(_ password: Redacted<String>) -> Redacted<[UInt8]>? {
        // A bound before any work; composing makes no text three times as long (UAX 15, section 12).
        guard password.reveal().utf8.count <= 3 * Self.bytesMax else { return nil }
        var scalars = String.UnicodeScalarView()
        for scalar in password.reveal().unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .unassigned, .surrogate, .privateUse, .lineSeparator, .paragraphSeparator: return nil
            case .spaceSeparator: scalars.append(" ")
            default: scalars.append(scalar)
            }
        }
        let bytes = Array(String(scalars).precomposedStringWithCanonicalMapping.utf8)
        guard !bytes.isEmpty, bytes.count <= Self.bytesMax else { return nil }
        return Redacted(bytes)
    }

    /// A new password as it is kept.
    ///
    /// - Throws: ``AdministrationError`` `password_weak`, which says why, and nothing of the password.
    static func checked(
        _ password: Redacted<String>, userName: String
    ) throws(AdministrationError) -> Redacted<[UInt8]> {
        guard let prepared = Self.prepared(password) else {
            throw AdministrationError(
                .passwordWeak, "A password has at most \(Self.bytesMax) bytes and no control characters.")
        }
        let text = String(decoding: prepared.reveal(), as: UTF8.self)
        guard text.unicodeScalars.count >= Self.charactersMin else {
            throw AdministrationError(
                .passwordWeak, "A password has at least \(Self.charactersMin) characters. A few words are a good one.")
        }
        guard !Self.isGuessedFirst(text.lowercased(), userName: userName) else {
            throw AdministrationError(
                .passwordWeak,
                "This password is among the first that are guessed: it is a common one, a row of keys, a repetition, or "
                    + "your user name. A few words are a good one.")
        }
        return prepared
    }

    private static func isGuessedFirst(_ text: String, userName: String) -> Bool {
        // "alice-alice-2026": what is left without the name, and without what everybody adds, says how much there is to
        // guess.
        let name = userName.prefix { $0 != "@" }
        let rest = name.count >= 3 ? text.replacingOccurrences(of: name, with: "") : text
        if rest.count < 8 && rest != text { return true }
        let letters = String(rest.unicodeScalars.filter(\.properties.isAlphabetic))
        if Self.commonest.contains(Self.unit(of: letters)) { return true }
        if Self.commonest.contains(Self.unit(of: text)) { return true }
        return Self.unit(of: text).count <= 4 || Self.isSequence(text)
    }

    /// What a text repeats: "abc" of "abcabcabc"; all of it where it repeats nothing.
    private static func unit(of text: String) -> String {
        let characters = Array(text)
        for length in stride(from: 1, through: characters.count / 2, by: 1) {
            if characters.indices.dropFirst(length).allSatisfy({ characters[$0] == characters[$0 - length] }) {
                return String(characters.prefix(length))
            }
        }
        return text
    }

    /// Whether each character is the one after, or before, the last: "abcdefghijkl", "987654321098".
    private static func isSequence(_ text: String) -> Bool {
        let values = text.unicodeScalars.map { Int($0.value) }
        let steps = Set(zip(values, values.dropFirst()).map { $1 - $0 })
        // After 9 comes 0.
        return steps.isSubset(of: [1, -9]) || steps.isSubset(of: [-1, 9])
    }

    /// The commonest, without the digits and signs at their ends: those of the lists that are tried first (Have I Been
    /// Pwned, NCSC's top 100,000), and the names of what is signed in to.
    private static let commonest: Set<String> = [
        "password", "passwort", "passw", "passwd", "pass", "qwerty", "qwertyuiop", "qwertyuiopasdfghjkl", "qwertz",
        "qwertzuiop", "azerty", "azertyuiop", "asdfghjkl", "asdfgh", "zxcvbnm", "qazwsxedc", "qazwsx", "qwerasdf",
        "qwertyasdfgh", "qweasdzxc", "letmein", "letmeinplease", "welcome", "welcometo", "willkommen", "admin",
        "administrator", "administration", "root", "superuser", "operator", "owner", "guest", "test", "testing", "user",
        "username", "login", "signin", "secret", "topsecret", "changeme", "changemeplease", "default", "master",
        "iloveyou", "iloveyousomuch", "ihateyou", "sunshine", "princess", "dragon", "monkey", "football", "baseball",
        "basketball", "superman", "batman", "spiderman", "trustno", "trustnoone", "starwars", "whatever", "shadow",
        "michael", "jennifer", "jordan", "charlie", "ashley", "hunter", "killer", "liverpool", "chelsea", "arsenal",
        "abc", "abcdef", "abcdefg", "abcdefgh", "abcdefghi", "hello", "helloworld", "internet", "computer", "mustang",
        "correcthorsebatterystaple", "tobeornottobe", "theworldisyours", "company",
        "summer", "winter", "spring", "autumn", "january", "monday", "friday", "christmas", "money", "business",
        "pomona", "pomonaadmin", "pomonapassword", "applepay", "apple", "payment", "payments", "gateway", "merchant",
        "portal", "sandbox", "mypassword", "thepassword", "newpassword", "passwordpassword", "adminpassword",
        "adminadmin", "securepassword", "strongpassword", "secretpassword", "yourpassword", "nopassword",
    ]
}
