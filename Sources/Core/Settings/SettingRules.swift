//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import Countries
import Money

/// What values of settings may be. Each says what is wrong in the words of an error message.
public enum SettingRules {
    public static func text(_ max: Int) -> SettingDescription.Rule {
        { value in
            let isPlain = value.unicodeScalars.allSatisfy { !ASCII.isControl($0) }
            return (1...max).contains(value.unicodeScalars.count) && isPlain
                ? nil : "must be 1 to \(max) characters, none of them a control character"
        }
    }

    /// What an operator writes beside an act: a line of 1 to 255 characters, for the audit log and whoever reads it.
    public static func isLine(_ text: String) -> Bool {
        (1...255).contains(text.unicodeScalars.count)
            && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    /// What commands call a new thing: never what they would take for an option, nor for standard input. Things that an earlier
    /// version has made may begin with a hyphen.
    public static let name: SettingDescription.Rule = { name in
        let hyphen = UInt8(ascii: "-")
        let isPlain = name.utf8.allSatisfy { ASCII.isSmallLetter($0) || ASCII.isDigit($0) || $0 == hyphen }
        return (1...64).contains(name.utf8.count) && isPlain && name.utf8.first != hyphen
            ? nil : "must be 1 to 64 lower-case letters, digits and hyphens, and not begin with a hyphen"
    }

    public static let country: SettingDescription.Rule = { code in
        Country.alpha2Codes.contains(code)
            ? nil : "must be a country's two capital letters (ISO 3166-1 alpha-2), such as AU"
    }

    /// A merchant identifier, as Apple's developer portal writes it, or a platform integrator's.
    public static let merchantIdentifier: SettingDescription.Rule = { identifier in
        let isPlain = identifier.utf8.allSatisfy(ASCII.isVisible)
        let hasPrefix = ["merchant.", "platformintegrator."].contains {
            identifier.hasPrefix($0) && identifier.utf8.count > $0.utf8.count
        }
        return hasPrefix && identifier.utf8.count <= 255 && isPlain
            ? nil
            : "must begin with “merchant.”, as Apple's developer portal writes it (a platform integrator's with "
                + "“platformintegrator.”)"
    }

    public static let flag: SettingDescription.Rule = SettingRules.choice(["true", "false"])

    public static func choice(_ choices: [String]) -> SettingDescription.Rule {
        { choices.contains($0) ? nil : "must be one of: " + choices.joined(separator: ", ") }
    }

    /// Values of a rule, separated by commas.
    public static func list(each rule: @escaping SettingDescription.Rule) -> SettingDescription.Rule {
        { value in
            SettingRules.elements(value).lazy.compactMap(rule).first.map {
                "must be values separated by commas, each of which \($0)"
            }
        }
    }

    /// A SHA-256 digest in base64.
    public static let sha256Base64: SettingDescription.Rule = { value in
        let digits = value.utf8.dropLast()
        let isSound =
            value.utf8.count == 44 && value.hasSuffix("=")
            && digits.allSatisfy {
                ASCII.isDigit($0) || ASCII.isLetter($0) || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/")
            }
        return isSound ? nil : "must be a SHA-256 digest in base64, 44 characters"
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
            ASCII.isDigits(value, count)
                ? nil
                : count.count == 1
                    ? "must be \(count.lowerBound) digits" : "must be \(count.lowerBound) to \(count.upperBound) digits"
        }
    }

    public static let digitLists: SettingDescription.Rule = { value in
        SettingRules.elements(value).allSatisfy { ASCII.isDigits($0, 1...10) }
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
            return hex.utf8.count == 64 && hex.utf8.allSatisfy(ASCII.isHexDigit)
        } ? nil : "must be SHA-256 digests of 64 hexadecimal digits, separated by commas"
    }

    public static let offset: SettingDescription.Rule = { value in
        let bytes = Array(value.utf8)
        let isSound =
            bytes.count == 6 && (bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-"))
            && bytes[3] == UInt8(ascii: ":") && [1, 2, 4, 5].allSatisfy { ASCII.isDigit(bytes[$0]) }
            && (Int(value.dropFirst().prefix(2)) ?? 99) <= 14 && (Int(value.suffix(2)) ?? 99) <= 59
        return isSound ? nil : "must be an offset from UTC like -08:00"
    }

    public static let publicKey: SettingDescription.Rule = { value in
        value.hasPrefix("-----BEGIN PUBLIC KEY-----") && value.contains("-----END PUBLIC KEY-----")
            && value.utf8.count <= 8192
            ? nil : "must be an RSA public key as PEM; read it from a file with NAME=@FILE"
    }

    /// What stands between the commas of a list.
    public static func elements(_ value: String) -> [String] {
        value.split(separator: ",", omittingEmptySubsequences: false).map { String($0.filter { $0 != " " }) }
    }
}
