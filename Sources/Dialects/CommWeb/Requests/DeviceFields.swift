//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import DialectKit
import Hosts

/// `device.*`: what the merchant knows of the device that pays. Returned with the transaction.
struct DeviceFields: Hashable, Sendable {
    /// The fields, the most characters each may have, and which.
    static let limits: [(name: String, charactersMax: Int, form: TextForm)] = [
        ("ani", 10, .line), ("aniCallType", 2, .line), ("browser", 2048, .text), ("fingerprint", 4000, .line),
        ("hostname", 60, .line), ("ipAddress", 45, .line), ("mobilePhoneModel", 255, .text),
    ]

    /// By name, without "device.".
    let values: [String: String]

    init(values: [String: String]) {
        self.values = values
    }

    init(reading fields: RequestFields) throws(CommWebError) {
        var values: [String: String] = [:]
        for (name, charactersMax, form) in Self.limits {
            values[name] = try fields.text("device." + name, max: charactersMax, as: form)
        }
        if let address = values["ipAddress"], !Self.isAddress(address) {
            throw .invalid("device.ipAddress", "must be an IPv4 or IPv6 address")
        }
        self.values = values
    }

    /// An address of IPv6, or four numbers up to 255, which may begin with zeros.
    private static func isAddress(_ text: String) -> Bool {
        if text.contains(":") { return IPAddress(text) != nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { ASCII.isDigits($0, 1...3) && UInt8($0) != nil }
    }
}
