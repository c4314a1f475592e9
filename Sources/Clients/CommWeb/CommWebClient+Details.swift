//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON

extension CommWebClient {
    /// What is known about a payment beside the card and the amount. A payment can do without each of these fields; some
    /// need a privilege of the merchant's profile.
    ///
    /// They are sent as they are: limits are those of the API reference, and the caller's to keep.
    public struct Details: Hashable, Sendable {
        public enum Certainty: String, Hashable, Sendable, CaseIterable {
            case final = "FINAL"
            case estimated = "ESTIMATED"
        }

        /// Where the terminal is, in relation to the merchant's premises.
        public enum Location: String, Hashable, Sendable, CaseIterable {
            case merchantOffPremises = "MERCHANT_TERMINAL_OFF_PREMISES"
            case merchantOnPremises = "MERCHANT_TERMINAL_ON_PREMISES"
            case noTerminal = "NO_TERMINAL_VOICE_OR_AUDIO_RESPONSE"
            case payerOffPremises = "PAYER_TERMINAL_OFF_PREMISES"
            case payerOnPremises = "PAYER_TERMINAL_ON_PREMISES"
        }

        public struct Address: Hashable, Sendable {
            /// At most 100 characters.
            public var street: String?
            /// At most 100.
            public var street2: String?
            /// At most 100.
            public var company: String?
            /// At most 100.
            public var city: String?
            /// At most 20.
            public var stateProvince: String?
            /// At most 10 letters, digits, blanks and hyphens.
            public var postcodeZip: String?
            /// ISO 3166-1 alpha-3.
            public var country: String?

            public init() {}
        }

        /// At most 40 characters.
        public var reference: String?
        /// At most 127.
        public var description: String?
        /// At most 100.
        public var statementDescriptor: String?
        /// Four digits.
        public var merchantCategoryCode: String?
        public var certainty: Certainty?
        /// What stands on the card: at most 256 characters.
        public var nameOnCard: String?
        /// Names of at most 50 characters; the phone as "+", the country's code, a space and the rest. `id` has no field.
        public var customer = CustomerFields()
        public var billing: Address?
        public var shipping: Address?
        /// Who is there. Limits are the customer's; `id`, `ipAddress` and `userAgent` have no field.
        public var shippingContact = CustomerFields()
        public var location: Location?
        /// At most 10 characters.
        public var callerNumber: String?
        /// At most 255.
        public var phoneModel: String?

        public init() {}

        /// The objects and fields that are set here.
        private static let paths = [
            "billing", "customer", "device", "order.certainty", "order.description", "order.merchantCategoryCode",
            "order.reference", "order.statementDescriptor", "posTerminal", "shipping",
            "sourceOfFunds.provided.card.nameOnCard",
        ]

        /// Whether a field that the gateway complains of is one of them.
        public static func has(_ path: String?) -> Bool {
            guard let path else { return false }
            return self.paths.contains { path == $0 || path.hasPrefix($0 + ".") }
        }

        func set(_ fields: inout JSONFields) {
            fields.set("order.reference", self.reference)
            fields.set("order.description", self.description)
            fields.set("order.statementDescriptor.name", self.statementDescriptor)
            fields.set("order.merchantCategoryCode", self.merchantCategoryCode)
            fields.set("order.certainty", self.certainty?.rawValue)
            fields.set("sourceOfFunds.provided.card.nameOnCard", self.nameOnCard)
            Self.set(self.customer, under: "customer", &fields)
            fields.set("device.ipAddress", self.customer.ipAddress)
            fields.set("device.browser", self.customer.userAgent)
            fields.set("device.ani", self.callerNumber)
            fields.set("device.mobilePhoneModel", self.phoneModel)
            fields.set("posTerminal.location", self.location?.rawValue)
            Self.set(self.billing, under: "billing.address", &fields)
            Self.set(self.shipping, under: "shipping.address", &fields)
            Self.set(self.shippingContact, under: "shipping.contact", &fields)
        }

        private static func set(_ person: CustomerFields, under path: String, _ fields: inout JSONFields) {
            fields.set("\(path).email", person.email)
            fields.set("\(path).firstName", person.givenName)
            fields.set("\(path).lastName", person.familyName)
            fields.set("\(path).phone", person.phone)
        }

        private static func set(_ address: Address?, under path: String, _ fields: inout JSONFields) {
            fields.set("\(path).street", address?.street)
            fields.set("\(path).street2", address?.street2)
            fields.set("\(path).company", address?.company)
            fields.set("\(path).city", address?.city)
            fields.set("\(path).stateProvince", address?.stateProvince)
            fields.set("\(path).postcodeZip", address?.postcodeZip)
            fields.set("\(path).country", address?.country)
        }
    }
}
