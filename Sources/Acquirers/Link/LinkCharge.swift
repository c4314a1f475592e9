//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StrictJSON

// What is charged and what is known about it, on the wire.

extension JSON {
    static func link(_ charge: Charge) -> JSON {
        .link([
            "instrument": .link(charge.instrument), "network": .string(charge.network.rawValue),
            "captures": .bool(charge.captures), "acceptsPartialApproval": .bool(charge.acceptsPartialApproval),
            "orderReference": charge.details.orderReference.map(JSON.string),
            "description": charge.details.description.map(JSON.string),
            "statementDescriptor": charge.details.statementDescriptor.map(JSON.string),
            "certainty": charge.details.certainty.map { .string($0.rawValue) },
            "initiator": .link(charge.details.initiator),
            "source": charge.details.source.map { .string($0.rawValue) },
            "authentication": charge.details.authentication.map(JSON.link),
            "customer": .link(charge.details.customer),
            "cardholderName": charge.details.cardholderName.map(JSON.string),
            "billing": charge.details.billing.map(JSON.link), "shipping": charge.details.shipping.map(JSON.link),
            "terminal": charge.details.terminal.map { .string($0.rawValue) }, "device": .link(charge.details.device),
        ])
    }

    private static func link(_ initiator: PaymentInitiator) -> JSON {
        let isMerchant = if case .merchant = initiator { true } else { false }
        return .link([
            "isMerchant": .bool(isMerchant),
            "agreement": initiator.agreement.map { agreement in
                .link([
                    "kind": agreement.kind.map { .string($0.rawValue) }, "id": agreement.id.map(JSON.string),
                    "networkReference": agreement.networkReference.map(JSON.string),
                ])
            },
        ])
    }

    private static func link(_ authentication: PayerAuthentication) -> JSON {
        .link([
            "status": authentication.status.map { .string($0.rawValue) },
            "transactionID": authentication.transactionID.map(JSON.string),
        ])
    }

    private static func link(_ customer: Customer) -> JSON {
        .link([
            "id": customer.id.map(JSON.string), "firstName": customer.firstName.map(JSON.string),
            "lastName": customer.lastName.map(JSON.string), "email": customer.email.map(JSON.string),
            "phone": customer.phone.map(JSON.string), "ipAddress": customer.ipAddress.map(JSON.string),
            "userAgent": customer.userAgent.map(JSON.string),
        ])
    }

    private static func link(_ device: PayerDevice) -> JSON {
        .link([
            "callerNumber": device.callerNumber.map(JSON.string), "phoneModel": device.phoneModel.map(JSON.string),
        ])
    }

    private static func link(_ address: PostalAddress) -> JSON {
        .link([
            "firstName": address.firstName.map(JSON.string), "lastName": address.lastName.map(JSON.string),
            "company": address.company.map(JSON.string), "email": address.email.map(JSON.string),
            "phone": address.phone.map(JSON.string), "lines": .array(address.lines.map(JSON.string)),
            "city": address.city.map(JSON.string), "mainDivision": address.mainDivision.map(JSON.string),
            "postalCode": address.postalCode.map(JSON.string), "countryCode": address.countryCode.map(JSON.string),
        ])
    }
}

extension LinkReader {
    mutating func charge() throws(LinkViolation) -> Charge {
        var reader = try self.reader("charge")
        let charge = Charge(
            instrument: try reader.instrument(), network: try reader.choice("network"),
            captures: try reader.flag("captures"),
            acceptsPartialApproval: try reader.flag("acceptsPartialApproval"), details: try reader.details())
        try reader.end()
        return charge
    }

    private mutating func details() throws(LinkViolation) -> ChargeDetails {
        ChargeDetails(
            orderReference: try self.optionalLongText("orderReference"),
            description: try self.optionalLongText("description"),
            statementDescriptor: try self.optionalLongText("statementDescriptor"),
            certainty: try self.optionalChoice("certainty"), initiator: try self.initiator(),
            source: try self.optionalChoice("source"), authentication: try self.authentication(),
            customer: try self.customer(), cardholderName: try self.optionalLongText("cardholderName"),
            billing: try self.address("billing"), shipping: try self.address("shipping"),
            terminal: try self.optionalChoice("terminal"), device: try self.device())
    }

    private mutating func device() throws(LinkViolation) -> PayerDevice {
        var reader = try self.reader("device")
        let device = PayerDevice(
            callerNumber: try reader.optionalLongText("callerNumber"),
            phoneModel: try reader.optionalLongText("phoneModel"))
        try reader.end()
        return device
    }

    private mutating func initiator() throws(LinkViolation) -> PaymentInitiator {
        var reader = try self.reader("initiator")
        let isMerchant = try reader.flag("isMerchant")
        var agreement: PaymentAgreement?
        if var members = try reader.optionalReader("agreement") {
            agreement = PaymentAgreement(
                kind: try members.optionalChoice("kind"), id: try members.optionalLongText("id"),
                networkReference: try members.optionalText("networkReference"))
            try members.end()
        }
        try reader.end()
        guard isMerchant else { return .customer(agreement: agreement) }
        guard let agreement else { throw LinkViolation("no_agreement") }
        return .merchant(agreement)
    }

    private mutating func authentication() throws(LinkViolation) -> PayerAuthentication? {
        guard var reader = try self.optionalReader("authentication") else { return nil }
        let authentication = PayerAuthentication(
            status: try reader.optionalChoice("status"), transactionID: try reader.optionalLongText("transactionID"))
        try reader.end()
        return authentication
    }

    private mutating func customer() throws(LinkViolation) -> Customer {
        var reader = try self.reader("customer")
        let customer = Customer(
            id: try reader.optionalLongText("id"),
            firstName: try reader.optionalLongText("firstName"),
            lastName: try reader.optionalLongText("lastName"),
            email: try reader.optionalLongText("email"),
            phone: try reader.optionalLongText("phone"),
            ipAddress: try reader.optionalLongText("ipAddress"),
            userAgent: try reader.optionalLongText("userAgent"))
        try reader.end()
        return customer
    }

    private mutating func address(_ name: String) throws(LinkViolation) -> PostalAddress? {
        guard var reader = try self.optionalReader(name) else { return nil }
        let address = PostalAddress(
            firstName: try reader.optionalLongText("firstName"), lastName: try reader.optionalLongText("lastName"),
            company: try reader.optionalLongText("company"), email: try reader.optionalLongText("email"),
            phone: try reader.optionalLongText("phone"), lines: try reader.texts("lines"),
            city: try reader.optionalLongText("city"),
            mainDivision: try reader.optionalLongText("mainDivision"),
            postalCode: try reader.optionalLongText("postalCode"),
            countryCode: try reader.optionalLongText("countryCode"))
        try reader.end()
        return address
    }
}
