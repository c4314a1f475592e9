//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CryptoExtras
import StrictJSON

/// A value of a demo account that the person who starts the sandbox may choose.
struct CredentialChoice: Sendable {
    /// As the sandbox announces it.
    let name: String
    /// In the words of an error message.
    let allowed: String
    let fits: @Sendable (String) -> Bool

    /// What may stand in a URL's path and in a form.
    static func identifier(_ name: String, max: Int) -> CredentialChoice {
        CredentialChoice(name: name, allowed: "1 to \(max) letters, digits, hyphens and underscores") { value in
            (1...max).contains(value.utf8.count)
                && value.utf8.allSatisfy {
                    Self.isDigit($0) || Self.isLetter($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
                }
        }
    }

    static func number(_ name: String, digitsMax: Int) -> CredentialChoice {
        CredentialChoice(name: name, allowed: "1 to \(digitsMax) digits, the first not 0") { value in
            (1...digitsMax).contains(value.utf8.count) && value.utf8.allSatisfy(Self.isDigit) && !value.hasPrefix("0")
        }
    }

    static func secret(_ name: String) -> CredentialChoice {
        CredentialChoice(name: name, allowed: "8 to 128 visible ASCII characters") { value in
            (8...128).contains(value.utf8.count) && value.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        }
    }

    static func rsaKey(_ name: String) -> CredentialChoice {
        CredentialChoice(name: name, allowed: "an RSA private key of at least 2048 bits, PEM") { value in
            ((try? _RSA.Signing.PrivateKey(pemRepresentation: value))?.keySizeInBits ?? 0) >= 2048
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}

/// The file of `pomona sandbox --credentials`: by dialect, the values that its demo account has.
///
/// A message names the dialect and the value that is wrong, and never shows what was written: it may be a secret.
struct CredentialsFile: Sendable {
    /// By the dialect's name, by the value's.
    let values: [String: [String: String]]

    /// - Throws: ``CommandFailure`` `credentials_malformed`, `credentials_name_unknown`, `credentials_value_invalid`.
    init(_ text: String, for modules: [DialectModule] = DialectModule.all) throws(CommandFailure) {
        guard let json = try? JSON.parse(text), let object = json.object else {
            throw Self.failure("malformed", "The file must be a JSON object with an object for each dialect.")
        }
        var values: [String: [String: String]] = [:]
        for member in object.members {
            guard let module = modules.first(where: { $0.name == member.name }) else {
                let names = modules.map(\.name).joined(separator: ", ")
                throw Self.failure("name_unknown", "The file names a dialect that there is not; there are \(names).")
            }
            guard let account = member.value.object else {
                throw Self.failure("malformed", "\(module.name) must be a JSON object of names and texts.")
            }
            values[module.name] = try Self.values(of: account, for: module)
        }
        self.values = values
    }

    private static func values(
        of account: JSONObject, for module: DialectModule
    ) throws(CommandFailure) -> [String: String] {
        var values: [String: String] = [:]
        for member in account.members {
            guard let choice = module.demo.choices.first(where: { $0.name == member.name }) else {
                let names = module.demo.choices.map(\.name).joined(separator: ", ")
                throw Self.failure(
                    "name_unknown", "\(module.name) has a value that cannot be chosen; those that can are \(names).")
            }
            guard let value = member.value.string, choice.fits(value) else {
                throw Self.failure(
                    "value_invalid", "\(module.name).\(choice.name) must be a text: \(choice.allowed).")
            }
            values[choice.name] = value
        }
        return values
    }

    private static func failure(_ code: String, _ message: String) -> CommandFailure {
        CommandFailure("credentials_\(code)", stage: "credentials", message)
    }
}
