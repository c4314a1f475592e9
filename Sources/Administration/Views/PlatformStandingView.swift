//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
public import StrictJSON

extension PlatformStanding {
    /// The integrator, what the merchant is called at Apple, its registration, and to whom tokens may be encrypted.
    public var view: JSONObject {
        var object = JSONObject()
        object["platform"] = .string(self.platform)
        object["identifier"] = .string(self.identifier)
        object["registered"] =
            self.registration.map { registration in
                [
                    "merchantName": .string(registration.merchantName),
                    "domainNames": .array(registration.domainNames.map { .string($0) }),
                    "encryptTo": .string(self.recipient ?? registration.encryptTo),
                    "merchantURL": .string(orNull: registration.merchantURL),
                ]
            } ?? .null
        object["recipients"] = .array(self.recipients.map { .string($0) })
        return object
    }
}
