//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import SimulatorAcquirer
import Testing

@Suite("Cards whose number decides")
struct TestCardTests {
    @Test(arguments: [
        ("4895380000000519", "declined insufficientFunds 51"), ("5204240000000500", "declined doNotHonor 05"),
        ("4242421602184242", "declined doNotHonor 05"), ("4242422204184242", "declined systemError 96"),
        ("4242424010264242", "declined invalidOperation 94"), ("4242424612284242", "declined notPermitted 03"),
        ("4242426418294242", "declined exceedsLimit 13"), ("4242427622294242", "declined invalidOperation 26"),
        ("4242428826394242", "declined unspecified 06"),
    ])
    func declinesWhateverTheAmount(_ pan: String, _ answer: String) async throws {
        for amount: Int64 in [1, 1000, 5656] {
            let desk = try Desk()
            #expect(words(await desk.authorize(amount, with: Desk.card(pan: pan))) == answer)
            #expect(try await desk.book.position(desk.paymentID) == desk.position())
        }
    }

    @Test func losesTheAnswerOfAnApproval() async throws {
        let desk = try Desk()
        let card = Desk.card(pan: "4895370000000684")
        #expect(words(await desk.authorize(1000, with: card)) == "unknown timed_out")
        #expect(words(await desk.query(0)) == "approved 1000 00")
    }

    /// What the amount says of a decline stands.
    @Test func losesNoAnswerOfADecline() async throws {
        let outcome = try await Desk().authorize(5757, with: Desk.card(pan: "4895370000000684"))
        #expect(words(outcome) == "declined doNotHonor 05")
    }
}
