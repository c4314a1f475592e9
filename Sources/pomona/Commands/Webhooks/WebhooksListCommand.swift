//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ArgumentParser
import Payments
import StrictJSON

/// `pomona webhooks list`: the newest events of the outbox.
struct WebhooksListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List notifications, newest first.",
        usage: "pomona webhooks list [<options>]",
        discussion: """
            A dead one has failed at every try of its dialect's schedule; pomona webhooks resend has it sent again. Of \
            the address that it goes to only the host is shown: the rest may hold a secret of the merchant's.
            """)

    @OptionGroup var directory: DataOptions

    @Option(help: ArgumentHelp("Only this merchant's.", valueName: "name"))
    var merchant: String?

    @Option(help: "Only those in this state.")
    var state: EventStateOption?

    @Option(help: ArgumentHelp("Only those about this payment (pay_…).", valueName: "id"))
    var payment: String?

    @OptionGroup var page: LimitOption

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    func validate() throws {
        if let payment = self.payment, PaymentID(payment) == nil {
            throw ValidationError("\(payment) is no payment's id: pay_ and 26 characters.")
        }
    }

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            let store = try await DirectoryAccess.readOnly(self.directory.directory)
            let (name, limit) = (self.merchant, self.page.limit)
            // One more than is shown, to know whether there are more.
            let asked = OutboxQuery(
                state: self.state?.state, paymentID: self.payment.flatMap { PaymentID($0) }, limit: limit + 1)
            let page = try await store.read { reader in
                var query = asked
                if let name { query.merchantID = try Administration.merchant(named: name, in: reader).id }
                if let id = query.paymentID, try reader.payment(id) == nil {
                    throw CommandFailure(.paymentUnknown, stage: .store, "The store has no payment with that id.")
                }
                let events = try reader.events(query)
                return EventPage(
                    events: try events.prefix(limit).withWaits(in: reader), hasMore: events.count > limit,
                    merchantNames: try Administration.merchantNames(in: reader))
            }
            if self.json {
                console.line(page.json.text(pretty: true))
            } else {
                page.write(to: console)
            }
        }
    }
}

/// The states of an event, as an option's values.
enum EventStateOption: String, ExpressibleByArgument, CaseIterable, Sendable {
    case pending
    case delivered
    case dead

    var state: OutboxEvent.State {
        switch self {
        case .pending: .pending
        case .delivered: .delivered
        case .dead: .dead
        }
    }
}
