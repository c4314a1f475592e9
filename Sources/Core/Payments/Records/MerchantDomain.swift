//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Time

/// A domain on which a merchant shows the Apple Pay button, with the file by which Apple verifies it ("Configuring Your
/// Environment", Apple Pay on the Web).
public struct MerchantDomain: Hashable, Sendable {
    /// How it was when it was last looked at from outside.
    public struct Check: Hashable, Sendable {
        public let at: Timestamp
        public let isGood: Bool
        /// A finding's: "domain_served".
        public let code: String
        public let text: String
        /// What to do; `nil` where it is as it should be.
        public let advice: String?

        public init(at: Timestamp, isGood: Bool, code: String, text: String, advice: String? = nil) {
            self.at = at
            self.isGood = isGood
            self.code = code
            self.text = text
            self.advice = advice
        }
    }

    public let merchantID: MerchantID
    /// The host's name, in lower case.
    public let name: String
    /// As Apple gave it.
    public let file: String
    public let registeredAt: Timestamp
    public var check: Check?

    public init(merchantID: MerchantID, name: String, file: String, registeredAt: Timestamp, check: Check? = nil) {
        self.merchantID = merchantID
        self.name = name
        self.file = file
        self.registeredAt = registeredAt
        self.check = check
    }
}
