//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
public import Payments
public import StrictJSON
import Time

extension AuditEntry {
    public var view: JSONObject {
        var object = JSONObject()
        object["number"] = JSON(self.number)
        object["at"] = .string(self.at.description)
        object["actor"] = .string(self.actor)
        object["act"] = .string(self.act.name)
        object["subject"] = .string(self.subject)
        object["details"] = .object(JSONObject(texts: self.details))
        object["digest"] = .string(Hex.encode(self.digest))
        return object
    }
}

extension AuditReport {
    public var view: JSONObject {
        var object = JSONObject()
        object["sound"] = .bool(self.isSound)
        object["entries"] = JSON(self.entriesCount)
        object["head"] = .string(Hex.encode(self.head))
        object["firstBreak"] =
            self.firstBreak.map { ["number": JSON($0.number), "reason": .string($0.reason.rawValue)] } ?? .null
        return object
    }
}
