//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Clients
import DialectKit
import Gateway
public import Payments
import Redaction
import StrictJSON
import TestGateway

/// All that a shop can say of a payment, each value unlike every other; and the law that the acquirer is handed of it
/// what the language has a field for, whole.
///
/// ```swift
/// try await suite.checkCharge(SaidInFull(extra: […]) { details in details.shipping?.email = nil })
/// ```
public struct SaidInFull: Sendable {
    /// What a client can say of it only in this language.
    public let extra: [ExtraField]
    /// Takes out of the whole what the language has no field for, and changes what it says in another way.
    public let changed: @Sendable (inout ChargeDetails) -> Void

    public init(extra: [ExtraField] = [], _ changed: @escaping @Sendable (inout ChargeDetails) -> Void) {
        self.extra = extra
        self.changed = changed
    }

    /// The whole.
    public static let details = ChargeDetails(
        orderReference: "order-1", description: "Two pounds of apples", statementDescriptor: "APPLES",
        certainty: .final,
        initiator: .customer(agreement: PaymentAgreement(kind: .recurring, id: "box-7")), source: .internet,
        authentication: PayerAuthentication(status: .authenticated, transactionID: "c2f1a9"),
        customer: Customer(
            id: "c-17", firstName: "Ada", lastName: "Brown", email: "ada@shop.example", phone: "+1 6105550100",
            ipAddress: "203.0.113.7", userAgent: "Mozilla/5.0 (iPhone)"),
        cardholderName: "A BROWN",
        billing: PostalAddress(
            company: "Brown Ltd", lines: ["1 Main St", "Building 2"], city: "Philadelphia", mainDivision: "PA",
            postalCode: "19019", countryCode: "US"),
        shipping: PostalAddress(
            firstName: "Cyd", lastName: "Davis", company: "Davis Inc", email: "cyd@shop.example",
            phone: "+1 7755550199",
            lines: ["3 High St", "Dock 4"], city: "Reno", mainDivision: "NV", postalCode: "89501", countryCode: "US"))

    /// Says the whole as clients of every language can.
    func say(in charge: inout ChargeFields) {
        let details = Self.details
        charge.order = details.orderReference ?? ""
        charge.description = details.description
        charge.customer.id = details.customer.id
        charge.customer.givenName = details.customer.firstName
        charge.customer.familyName = details.customer.lastName
        charge.customer.email = details.customer.email
        charge.customer.phone = details.customer.phone
        charge.customer.ipAddress = details.customer.ipAddress
        charge.customer.userAgent = details.customer.userAgent
        charge.billing = details.billing.map(Self.fields)
        charge.shipping = details.shipping.map(Self.fields)
        charge.extra += self.extra
    }

    private static func fields(_ address: PostalAddress) -> AddressFields {
        var fields = AddressFields()
        fields.givenName = address.firstName
        fields.familyName = address.lastName
        fields.company = address.company
        fields.email = address.email
        fields.phone = address.phone
        fields.lines = address.lines
        fields.city = address.city
        fields.region = address.mainDivision
        fields.postalCode = address.postalCode
        fields.countryCode = address.countryCode
        return fields
    }
}

/// The acquirer is handed something else than the shop has said.
public struct SaidOtherwise: Error, CustomStringConvertible {
    public let description: String
}

extension DialectConformance {
    /// A shop says all that it can, and the acquirer is handed it.
    ///
    /// - Throws: ``SaidOtherwise``, and what the driver throws.
    public func checkCharge(_ said: SaidInFull) async throws {
        let acquirer = NotingAcquirer()
        let shop = try await DialectShop.open(self.driver) { parts in
            parts.connectors = [SharedAcquirerConnector(acquirer, takesLive: true)]
        }
        let amount = shop.money(1099)
        let token = try shop.token(amount)
        let call = DialectCall(
            self.driver.has(.sale) ? .pay(amount, token) : .authorize(amount, token), payment: "order-1",
            key: "order-1-1")
        let request = try await self.driver.clientRequest(call, in: shop) { said.say(in: &$0) }
        let answer = try self.driver.read(await shop.send(request), to: request, of: call, in: shop)
        guard answer.verdict == .approved else { throw SaidOtherwise(description: "the payment was \(answer.verdict)") }
        guard let charge = acquirer.charges.first, acquirer.charges.count == 1 else {
            throw SaidOtherwise(description: "\(acquirer.charges.count) charges")
        }
        var expected = SaidInFull.details
        said.changed(&expected)
        guard charge.details == expected else {
            throw SaidOtherwise(description: "wanted \(expected)\nfound \(charge.details)")
        }
        let payment = try await shop.test.payments().first
        guard charge.network == .visa, charge.captures == self.driver.has(.sale),
            case .networkToken(let card) = charge.instrument,
            case .cryptogram = card.proof, let summary = payment?.instrument,
            card.pan.reveal().hasSuffix(summary.maskedPAN.suffix), card.expiryYearMonth == summary.expiryYearMonth
        else { throw SaidOtherwise(description: "another instrument, network or capture") }
    }
}
