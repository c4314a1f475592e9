//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What the gateway keeps for itself under a name, sealed.
public enum StoreSecretRow {
    public static func select(_ parameters: Parameters) -> String {
        "SELECT key_id, box FROM store_secrets WHERE name = \(parameters(1))"
    }

    public static func insert(_ parameters: Parameters) -> String {
        "INSERT INTO store_secrets (name, key_id, box) VALUES (\(parameters.list(3)))"
    }
}
