//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import StrictJSON

extension Finding {
    /// Without the command that does what is advised: that is another one from another place.
    public var view: JSONObject {
        var object = JSONObject()
        object["area"] = .string(self.area.rawValue)
        object["code"] = .string(self.code)
        object["severity"] = .string(self.severity.rawValue)
        object["merchant"] = self.merchant.map(JSON.string)
        object["subject"] = self.subject.map(JSON.string)
        object["text"] = .string(self.text)
        object["reason"] = .string(self.reason)
        object["advice"] = self.advice.map(JSON.string)
        return object
    }
}
