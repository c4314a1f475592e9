//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments

extension ConnectorError {
    /// The name of the setting for whose value an account is refused; `nil` where it is taken. Any other refusal is its
    /// own text.
    public static func refusedSetting(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch ConnectorError.settingNotAllowed(let name, let must) {
            return must.isEmpty || must.hasPrefix("must") ? "badly worded" : name
        } catch {
            return "\(error)"
        }
    }
}
