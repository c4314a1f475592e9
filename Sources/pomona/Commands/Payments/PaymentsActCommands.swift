//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ArgumentParser
import Foundation
import Gateway
import Money
import Payments
import StrictJSON

/// `pomona payments capture`: takes what is authorized.
struct PaymentsCaptureCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "capture", abstract: "Capture a payment, or a part of it.",
        usage: "pomona payments capture PAYMENT [--amount AMOUNT] [--final] [<options>] --data DIR",
        discussion: PaymentActOptions.discussion)

    @OptionGroup var options: PaymentActOptions

    @Option(help: ArgumentHelp(PaymentActOptions.amountHelp, valueName: "amount"))
    var amount: String?

    @Flag(help: "Give the rest of the authorization back.")
    var final = false

    func run() async throws {
        try await self.options.run { act in
            try await act.administration.capture(
                act.payment.id, amount: try act.amount(self.amount), isFinal: self.final, key: act.key,
                reason: self.options.reason, plans: act.plans)
        }
    }
}

/// `pomona payments void`: takes an authorization back.
struct PaymentsVoidCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "void", abstract: "Take an authorization back, or a whole sale before it is refunded.",
        usage: "pomona payments void PAYMENT [--reason TEXT] [--key KEY] [--override REASON] --data DIR",
        discussion: PaymentActOptions.discussion)

    @OptionGroup var options: PaymentActOptions

    @OptionGroup var overriding: OverrideOption

    func run() async throws {
        try await self.options.run { act in
            try await self.overriding.applied(to: act.administration).void(
                act.payment.id, key: act.key, reason: self.options.reason, plans: act.plans)
        }
    }
}

/// `pomona payments refund`: gives captured money back.
struct PaymentsRefundCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refund", abstract: "Refund a payment, or a part of it.",
        usage:
            "pomona payments refund PAYMENT [--amount AMOUNT] [--capture OPERATION] [<options>] --data DIR",
        discussion: PaymentActOptions.discussion)

    @OptionGroup var options: PaymentActOptions

    @OptionGroup var overriding: OverrideOption

    @Option(help: ArgumentHelp(PaymentActOptions.amountHelp, valueName: "amount"))
    var amount: String?

    @Option(
        help: ArgumentHelp(
            """
            Of several captures the one to take it from (op_…); without it, the one of which just that much is left, else the \
            smallest that has enough.
            """, valueName: "operation"))
    var capture: String?

    func validate() throws {
        guard self.capture.map({ OperationID($0) != nil }) ?? true else {
            throw ValidationError("--capture is the id of an operation: it begins with op_.")
        }
    }

    func run() async throws {
        try await self.options.run { act in
            try await self.overriding.applied(to: act.administration).refund(
                act.payment.id, amount: try act.amount(self.amount), of: self.capture.flatMap { OperationID($0) },
                key: act.key, reason: self.options.reason, plans: act.plans)
        }
    }
}
