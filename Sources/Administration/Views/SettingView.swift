//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Settings
public import StrictJSON

extension SettingDescription {
    /// `document`: whether it is a text of several lines, such as a certificate.
    public var view: JSON {
        [
            "name": .string(self.name), "meaning": .string(self.meaning), "required": .bool(self.isRequired),
            "document": .bool(self.isDocument),
        ]
    }
}

extension SecretDescription {
    /// `alternative`: of secrets with different ones, an account needs those of one alone.
    public var view: JSON {
        [
            "name": .string(self.name), "meaning": .string(self.meaning), "required": .bool(self.isRequired),
            "alternative": .string(orNull: self.alternative), "document": .bool(self.isDocument),
        ]
    }
}
