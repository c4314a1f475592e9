//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON

/// A contact of a payment, as Apple Pay JS hands it out (`ApplePayPaymentContact`).
enum PaymentContactFile {
    private static let bytesMax = 16 * 1024
    private static let texts: Set = [
        "administrativeArea", "country", "countryCode", "emailAddress", "familyName", "givenName", "locality",
        "phoneNumber", "phoneticFamilyName", "phoneticGivenName", "postalCode", "subAdministrativeArea", "subLocality",
    ]

    /// - Throws: `file_unreadable`, `contact_malformed`.
    static func read(_ path: String) throws -> JSON {
        let bytes = try InputFile.bytes(of: path, what: "contact", bytesMax: self.bytesMax)
        guard let json = try? JSON.parse(bytes, limits: JSONLimits(bytesMax: self.bytesMax)), let object = json.object
        else { throw self.malformed("\(path) must hold a JSON object.") }
        for (name, value) in object.members {
            if name == "addressLines" {
                guard let lines = value.array, lines.allSatisfy({ $0.string != nil }) else {
                    throw self.malformed("addressLines must be a list of texts.")
                }
            } else if self.texts.contains(name) {
                guard value.string != nil else { throw self.malformed("\(name) must be a text.") }
            } else {
                throw self.malformed("\(name) is no member of an ApplePayPaymentContact.")
            }
        }
        return json
    }

    private static func malformed(_ message: String) -> CommandFailure {
        CommandFailure(.contactMalformed, stage: .mint, message)
    }
}
