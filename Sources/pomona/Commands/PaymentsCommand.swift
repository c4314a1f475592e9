//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser

/// `pomona payments`: what the store holds, what an operator does to a payment, and what a person has to decide; also
/// beside a running server.
struct PaymentsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "payments",
        abstract: "List and show payments; capture, void or refund one, or decide how one ended.",
        subcommands: [
            PaymentsListCommand.self, PaymentsShowCommand.self, PaymentsCaptureCommand.self, PaymentsVoidCommand.self,
            PaymentsRefundCommand.self, PaymentsResolveCommand.self,
        ])
}
