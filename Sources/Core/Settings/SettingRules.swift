//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money

/// What values of settings may be. Each says what is wrong in the words of an error message.
public enum SettingRules {
    public static func text(_ max: Int) -> SettingDescription.Rule {
        { value in
            let isPlain = value.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
            return (1...max).contains(value.unicodeScalars.count) && isPlain
                ? nil : "must be 1 to \(max) characters, none of them a control character"
        }
    }

    public static let flag: SettingDescription.Rule = SettingRules.choice(["true", "false"])

    public static func choice(_ choices: [String]) -> SettingDescription.Rule {
        { choices.contains($0) ? nil : "must be one of: " + choices.joined(separator: ", ") }
    }

    /// Some of a few words, separated by commas.
    public static func list(of words: [String]) -> SettingDescription.Rule {
        { value in
            SettingRules.elements(value).allSatisfy(words.contains)
                ? nil : "must be some of these, separated by commas: " + words.joined(separator: ", ")
        }
    }

    public static func digits(_ count: ClosedRange<Int>) -> SettingDescription.Rule {
        { value in
            count.contains(value.utf8.count) && value.utf8.allSatisfy(SettingRules.isDigit)
                ? nil
                : count.count == 1
                    ? "must be \(count.lowerBound) digits" : "must be \(count.lowerBound) to \(count.upperBound) digits"
        }
    }

    public static let digitLists: SettingDescription.Rule = { value in
        SettingRules.elements(value).allSatisfy {
            (1...10).contains($0.utf8.count) && $0.utf8.allSatisfy(SettingRules.isDigit)
        }
            ? nil : "must be numbers of 1 to 10 digits, separated by commas"
    }

    public static let currencies: SettingDescription.Rule = { value in
        let codes = SettingRules.elements(value)
        return !codes.isEmpty && codes.allSatisfy { Currency.alphabetic($0) != nil }
            ? nil : "must be currency codes of ISO 4217, separated by commas"
    }

    /// SHA-256 of certificates, with or without colons.
    public static let fingerprints: SettingDescription.Rule = { value in
        SettingRules.elements(value).allSatisfy { element in
            let hex = element.filter { $0 != ":" }
            return hex.utf8.count == 64 && hex.allSatisfy { $0.isASCII && $0.isHexDigit }
        } ? nil : "must be SHA-256 digests of 64 hexadecimal digits, separated by commas"
    }

    public static let offset: SettingDescription.Rule = { value in
        let bytes = Array(value.utf8)
        let isSound =
            bytes.count == 6 && (bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-"))
            && bytes[3] == UInt8(ascii: ":") && [1, 2, 4, 5].allSatisfy { SettingRules.isDigit(bytes[$0]) }
            && (Int(value.dropFirst().prefix(2)) ?? 99) <= 14 && (Int(value.suffix(2)) ?? 99) <= 59
        return isSound ? nil : "must be an offset from UTC like -08:00"
    }

    public static let publicKey: SettingDescription.Rule = { value in
        value.hasPrefix("-----BEGIN PUBLIC KEY-----") && value.contains("-----END PUBLIC KEY-----")
            && value.utf8.count <= 8192
            ? nil : "must be an RSA public key as PEM; read it from a file with NAME=@FILE"
    }

    static func elements(_ value: String) -> [String] {
        value.split(separator: ",", omittingEmptySubsequences: false).map { String($0.filter { $0 != " " }) }
    }

    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
