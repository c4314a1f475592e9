//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Settings

extension SettingRules {
    /// Where a merchant may be notified.
    public static let url: SettingDescription.Rule = { value in
        NotificationTarget(value) == nil ? "must be an absolute https or http URL" : nil
    }
}
