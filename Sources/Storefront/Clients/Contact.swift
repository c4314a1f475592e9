//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import StrictJSON

/// Who buys, as far as payment services ask. Everything has a value that they take: the sheet may give none.
public struct Contact: Hashable, Sendable {
    public var givenName = "Demo"
    public var familyName = "Customer"
    public var email = "demo@example.com"
    public var phone = "6101234567"
    public var line = "123 Main St"
    public var city = "Philadelphia"
    public var region = "PA"
    public var postalCode = "19019"
    /// ISO 3166-1 alpha-2.
    public var countryCode: String?

    public init() {}

    /// `ApplePayPaymentContact` (Apple Pay on the Web). What is missing, too long or not printable stays as it is
    /// without.
    public init(_ json: JSON?) {
        self.init()
        func take(_ name: String, _ field: WritableKeyPath<Contact, String>, _ max: Int = 40) {
            guard let text = json?[name]?.string, Self.isPlain(text), (1...max).contains(text.count) else { return }
            self[keyPath: field] = text
        }
        take("givenName", \.givenName)
        take("familyName", \.familyName)
        take("emailAddress", \.email, 70)
        take("phoneNumber", \.phone, 20)
        take("locality", \.city)
        take("administrativeArea", \.region, 20)
        take("postalCode", \.postalCode, 10)
        if let line = json?["addressLines"]?.array?.first?.string, Self.isPlain(line), (1...70).contains(line.count) {
            self.line = line
        }
        if let code = json?["countryCode"]?.string?.uppercased(), code.utf8.count == 2,
            code.utf8.allSatisfy({ (0x41...0x5A).contains($0) })
        {
            self.countryCode = code
        }
        if self.familyName.count < 2 { self.familyName = "Customer" }
    }

    private static func isPlain(_ text: String) -> Bool {
        !text.allSatisfy(\.isWhitespace) && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    }
}
