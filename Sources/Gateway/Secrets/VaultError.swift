//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Why a secret cannot be sealed or opened: an operator's trouble, never a caller's.
public struct VaultError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: String, Hashable, Sendable {
        case masterKeyLength = "master_key_length"
        case masterKeyWrong = "master_key_wrong"
        case dataKeyUnknown = "data_key_unknown"
        case boxDamaged = "box_damaged"
        case auditKeyMissing = "audit_key_missing"
        case accountChanged = "account_changed"
        case accountUnsealed = "account_unsealed"
        case accountBindingGone = "account_binding_gone"
    }

    public let code: Code

    public init(code: Code) {
        self.code = code
    }

    public var description: String {
        switch self.code {
        case .masterKeyLength: "the master key must have 32 bytes"
        case .masterKeyWrong: "the master key does not open this store's data keys: it is another store's"
        case .dataKeyUnknown: "a secret is sealed under a data key that the store does not have"
        case .boxDamaged: "a sealed secret has been damaged or moved"
        case .accountChanged:
            "the account's settings, names or mode are not as they were sealed: somebody has changed the store; "
                + "look at them with pomona merchant settings, and put them right"
        case .accountUnsealed:
            "the seal of the account's settings is gone: somebody has changed the store; "
                + "look at them with pomona merchant settings, and put them right"
        case .accountBindingGone:
            "what says that all accounts are sealed is gone, and the audit log has it: somebody has changed the store"
        case .auditKeyMissing:
            "the audit log has entries, and the key that they were made with is gone: somebody has changed the store"
        }
    }
}
