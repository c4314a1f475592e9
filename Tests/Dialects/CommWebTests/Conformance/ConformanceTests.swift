//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import DialectConformance
import Payments
import StrictJSON
import Testing

@Suite struct ConformanceTests {
    static let suite = DialectConformance(CommWebDriver(), testFile: #filePath)

    @Test(arguments: Self.suite.checks)
    func passes(_ check: DialectCheck) async throws {
        try await Self.suite.check(check)
    }

    /// All that this language has a field for beside the description.
    private static let wholePayment: [ExtraField] = [
        ("order.reference", "order-1"), ("order.statementDescriptor.name", "APPLES"), ("order.certainty", "FINAL"),
        ("agreement.id", "box-7"), ("agreement.type", "RECURRING"), ("transaction.source", "INTERNET"),
        ("sourceOfFunds.provided.card.nameOnCard", "A BROWN"),
        ("customer.firstName", "Ada"), ("customer.lastName", "Brown"), ("customer.email", "ada@shop.example"),
        ("customer.phone", "+1 6105550100"), ("customer.mobilePhone", "+1 6105550199"),
        ("device.ipAddress", "203.0.113.7"), ("device.browser", "Mozilla/5.0 (iPhone)"),
        ("device.ani", "6105550100"), ("device.mobilePhoneModel", "iPhone17,1"),
        ("posTerminal.location", "PAYER_TERMINAL_ON_PREMISES"),
        ("billing.address.company", "Brown Ltd"), ("billing.address.street", "1 Main St"),
        ("billing.address.street2", "Building 2"), ("billing.address.city", "Philadelphia"),
        ("billing.address.stateProvince", "PA"), ("billing.address.postcodeZip", "19019"),
        ("billing.address.country", "USA"), ("shipping.contact.firstName", "Cyd"),
        ("shipping.contact.lastName", "Davis"), ("shipping.contact.email", "cyd@shop.example"),
        ("shipping.contact.mobilePhone", "+1 7755550199"), ("shipping.address.company", "Davis Inc"),
        ("shipping.address.street", "3 High St"), ("shipping.address.street2", "Dock 4"),
        ("shipping.address.city", "Reno"), ("shipping.address.stateProvince", "NV"),
        ("shipping.address.postcodeZip", "89501"), ("shipping.address.country", "USA"),
    ].map { ExtraField($0, .string($1)) }

    @Test func whatTheShopSaysReachesTheAcquirer() async throws {
        try await Self.suite.checkCharge(
            SaidInFull(extra: Self.wholePayment) { details in
                (details.authentication, details.customer.id) = (nil, nil)
                details.terminal = .payerOnPremises
                details.device = PayerDevice(callerNumber: "6105550100", phoneModel: "iPhone17,1")
            }
        )
    }

    @Test func everyLawApplies() {
        #expect(Self.suite.notApplicable.isEmpty)
    }
}
