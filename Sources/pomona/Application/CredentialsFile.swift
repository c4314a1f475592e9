//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import StrictJSON

/// The file of `pomona sandbox --credentials`: by dialect, the values that its demo account has.
///
/// A message names the dialect and the value that is wrong, and never shows what was written: it may be a secret.
struct CredentialsFile: Sendable {
    /// By the dialect's name, by the value's.
    let values: [String: [String: String]]

    /// - Throws: ``CommandFailure`` `credentials_malformed`, `credentials_name_unknown`, `credentials_value_invalid`.
    init(_ text: String, for modules: [DialectModule] = DialectModule.all) throws(CommandFailure) {
        guard let json = try? JSON.parse(text), let object = json.object else {
            throw Self.failure(.credentialsMalformed, "The file must be a JSON object with an object for each dialect.")
        }
        var values: [String: [String: String]] = [:]
        for member in object.members {
            guard let module = modules.first(where: { $0.name == member.name }) else {
                let names = modules.map(\.name).joined(separator: ", ")
                throw Self.failure(
                    .credentialsNameUnknown, "The file names a dialect that there is not; there are \(names).")
            }
            guard let account = member.value.object else {
                throw Self.failure(.credentialsMalformed, "\(module.name) must be a JSON object of names and texts.")
            }
            values[module.name] = try Self.values(of: account, for: module)
        }
        self.values = values
    }

    private static func values(
        of account: JSONObject, for module: DialectModule
    ) throws(CommandFailure) -> [String: String] {
        let choices = module.plan.credentials.filter { $0.choice == .everybody }
        var values: [String: String] = [:]
        for member in account.members {
            guard let choice = choices.first(where: { $0.name == member.name }) else {
                let names = choices.map(\.name).joined(separator: ", ")
                throw Self.failure(
                    .credentialsNameUnknown,
                    "\(module.name) has a value that cannot be chosen; those that can are \(names).")
            }
            guard let value = member.value.string, choice.form.fits(value, .cryptographic) else {
                throw Self.failure(
                    .credentialsValueInvalid, "\(module.name).\(choice.name) must be a text: \(choice.form.allowed).")
            }
            values[choice.name] = value
        }
        return values
    }

    private static func failure(_ code: CommandFailure.Code, _ message: String) -> CommandFailure {
        CommandFailure(code, stage: .credentials, message)
    }
}
