//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import Clients
import ConnectorKit
import Hosts
import Payments

extension CommWebClient.Details {
    /// What is known about a payment, within the limits of the API reference: what is too long is cut, what can't be
    /// valid is left out.
    init(_ details: ChargeDetails, _ acceptor: CardAcceptor, movesMoney: Bool) {
        self.init()
        self.reference = FieldText.plain(details.orderReference, max: 40)
        self.description = FieldText.plain(details.description, max: 127)
        self.statementDescriptor = FieldText.plain(details.statementDescriptor ?? acceptor.descriptor, max: 100)
        self.merchantCategoryCode = FieldText.whole(acceptor.categoryCode, 4...4, where: ASCII.isDigit)
        if movesMoney { self.certainty = details.certainty.map { $0 == .final ? .final : .estimated } }
        self.customer.email = FieldText.email(details.customer.email)
        self.customer.givenName = FieldText.plain(details.customer.firstName, max: 50)
        self.customer.familyName = FieldText.plain(details.customer.lastName, max: 50)
        self.customer.phone = Self.phone(details.customer.phone)
        self.customer.ipAddress = FieldText.whole(
            details.customer.ipAddress, 7...45, where: IPAddress.isCharacter)
        self.customer.userAgent = FieldText.plain(details.customer.userAgent, max: 2048)
        self.nameOnCard = FieldText.plain(details.cardholderName, max: 256)
        self.billing = details.billing.map(Self.address)
        self.shipping = details.shipping.map(Self.address)
        self.shippingContact.givenName = FieldText.plain(details.shipping?.firstName, max: 50)
        self.shippingContact.familyName = FieldText.plain(details.shipping?.lastName, max: 50)
        self.shippingContact.email = FieldText.email(details.shipping?.email)
        self.shippingContact.phone = Self.phone(details.shipping?.phone)
        self.location = details.terminal.map(Self.place)
        self.callerNumber = FieldText.whole(details.device.callerNumber, 1...10, where: ASCII.isVisible)
        self.phoneModel = FieldText.plain(details.device.phoneModel, max: 255)
    }

    private static func place(_ terminal: TerminalPlace) -> Location {
        switch terminal {
        case .merchantOnPremises: .merchantOnPremises
        case .merchantOffPremises: .merchantOffPremises
        case .payerOnPremises: .payerOnPremises
        case .payerOffPremises: .payerOffPremises
        case .noTerminal: .noTerminal
        }
    }

    private static func address(_ address: PostalAddress) -> Address {
        var fields = Address()
        let lines = FieldText.lines(address.lines, 2, max: 100)
        fields.street = lines.first
        fields.street2 = lines.dropFirst().first
        fields.company = FieldText.plain(address.company, max: 100)
        fields.city = FieldText.plain(address.city, max: 100)
        fields.stateProvince = FieldText.plain(address.mainDivision, max: 20)
        fields.postcodeZip = FieldText.whole(address.postalCode, 1...10, where: Self.isPostcodeCharacter)
        fields.country = FieldText.countryAlpha3(address.countryCode)
        return fields
    }

    /// "+", the country's code, a space and the rest, with single spaces, at most 15 digits (ITU-T E.123, as the API
    /// reference has it). A number without that space does not say where the country ends.
    static func phone(_ text: String?) -> String? {
        guard let text, text.hasPrefix("+") else { return nil }
        let groups = text.dropFirst().split(separator: " ", omittingEmptySubsequences: false)
        guard groups.count >= 2, (1...3).contains(groups[0].utf8.count),
            groups.allSatisfy({ ASCII.isDigits($0) }),
            (5...15).contains(groups.reduce(0) { $0 + $1.utf8.count })
        else { return nil }
        return text
    }

    private static func isPostcodeCharacter(_ byte: UInt8) -> Bool {
        ASCII.isAlphanumeric(byte) || byte == UInt8(ascii: " ") || byte == UInt8(ascii: "-")
    }
}
