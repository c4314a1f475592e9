//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Money
import Payments
import SimulatorAcquirer
import TestGateway
import Testing

/// What shops write beside a payment is kept and shown as it comes: never with the number that it is paid with.
struct CardNumberInTextTests {
    private static let number = "4111111111111111"

    private static func command(
        _ shop: Shop, _ change: (inout AuthorizeCommand) -> Void
    ) -> AuthorizeCommand {
        var command = shop.command(.opened(Shop.cardNumber()), money(10_00))
        change(&command)
        return command
    }

    @Test(arguments: [
        Self.number, "card 4111 1111 1111 1111!", "4111-1111-1111-1111", "No. 4 41111 1111 11111-11",
        "4111\r\n1111\t1111\n1111",
        "99\(Self.number)99",
    ])
    func aTextWithTheCardsNumberIsRefusedAndNothingIsKept(text: String) async throws {
        let shop = try await Shop.open()
        let commands: [(GatewayRefusal.TextPlace, AuthorizeCommand)] = [
            (.orderName, Self.command(shop) { $0.order = .named(text) }),
            (.orderName, Self.command(shop) { $0.details.orderReference = text }),
            (.description, Self.command(shop) { $0.details.description = text }),
            (.other, Self.command(shop) { $0.details.statementDescriptor = text }),
            (.other, Self.command(shop) { $0.labels.reference = text }),
            (.other, Self.command(shop) { $0.labels.memo = text }),
            (.other, Self.command(shop) { $0.labels.fields = ["a": "b", "customer": text] }),
            (.other, Self.command(shop) { $0.references = [ReferenceName(kind: "txid", value: text)] }),
        ]
        for (place, command) in commands {
            await expectRefusal(.cardNumberInText(place)) { _ = try await shop.gateway.authorize(command) }
        }
        #expect(try await shop.payments().isEmpty)
        #expect(shop.script.count(of: .authorize) == 0)
    }

    /// Of a token that the merchant has opened, too.
    @Test func theNumberOfADeviceIsOne() async throws {
        let shop = try await Shop.open()
        let order = OrderBinding.named("order \(Shop.devicePAN)")
        await expectRefusal(.cardNumberInText(.orderName)) {
            _ = try await shop.pay(with: Shop.deviceToken(), money(10_00), order: order)
        }
    }

    /// Others' numbers are nothing that the call knows to be one, and what is masked is none.
    @Test(arguments: [
        "5555555555554444", "411111xxxxxx1111", "411111111111111", "4111 1111 / 1111 1111", "４１１１１１１１１１１１１１１１", "",
    ])
    func otherTextsAreTakenAsTheyAre(text: String) async throws {
        let shop = try await Shop.open()
        let outcome = try await shop.gateway.authorize(
            Self.command(shop) { command in
                command.labels.fields = ["text": text]
                command.details.description = text
            })
        #expect(outcome.payment.state == .authorized)
        #expect(try await shop.operation(outcome).labels.fields == ["text": text])
    }
}
