//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Why an account cannot be made or changed as somebody wants it. Nothing was done.
public struct AccountPlanError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A stable name.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        case credentialUnknown = "credential_unknown"
        case credentialInvalid = "credential_invalid"
        /// It is no password or key, and stays what it is.
        case credentialFixed = "credential_fixed"
        /// The one before is still accepted, and has to be revoked first.
        case credentialOverlaps = "credential_overlaps"
        /// There is none that could be revoked.
        case credentialNotReplaced = "credential_not_replaced"
        case keyTaken = "account_key_taken"
        case settingUnknown = "setting_unknown"
        case settingFixed = "setting_fixed"
        case settingInvalid = "setting_invalid"
        case settingMissing = "setting_missing"
        case settingForSandbox = "setting_for_sandbox"
    }

    public let code: Code
    /// What was wrong, and what to do. Never a secret.
    public let message: String

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { self.message }
}
