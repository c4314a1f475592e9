//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Payments
import Testing
import Time

@Suite struct AnswerFactsTests {
    /// All that an acquirer may say.
    private static let whole = AcquirerAnswer(
        reference: "1", authorizationCode: "2", responseCode: "3", stan: "4", networkReference: "5", addressCheck: "6",
        securityCodeCheck: "7", fundingPANSuffix: "8", fundingExpiryYearMonth: "9", paymentAccountReference: "10",
        merchantAdviceCode: "11", eci: "12", reconciliationID: "13", acquirerReferenceNumber: "14", processor: "15",
        authorizationExpiresAt: Timestamp(seconds: 1_800_000_000), vendorCode: "16", vendorText: "17")

    /// What is shown with the card (see ``AcquirerAnswer/facts``).
    private static let ofTheCard = ["fundingPANSuffix", "fundingExpiryYearMonth"]

    @Test func everyMemberIsAFact() {
        let members = Mirror(reflecting: Self.whole).children
        let said = members.filter { "\($0.value)" != "nil" }
        #expect(said.count == members.count, "the test says all that there is")
        let facts = Self.whole.facts
        #expect(facts.count == members.count - Self.ofTheCard.count)
        #expect(facts.map(\.name) == AcquirerAnswer.factNames)
        #expect(Set(facts.map(\.value)).count == facts.count, "each from a member of its own")
        #expect(facts.contains { $0.name == "authorizationExpiresAt" && $0.value == "2027-01-15T08:00:00Z" })
    }

    @Test func whatIsNotSaidIsNoFact() { #expect(AcquirerAnswer(stan: "4").facts.map(\.name) == ["stan"]) }
}
