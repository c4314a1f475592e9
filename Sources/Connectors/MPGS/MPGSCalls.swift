//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import ConnectorKit
import HTTPTypes
import Redaction
import StrictJSON

/// The calls of one account.
struct MPGSCalls: Sendable {
    let account: MPGSAccount
    let client: UpstreamClient
    let deadlines: UpstreamDeadlines
    let now: @Sendable () -> ContinuousClock.Instant

    /// Of an operation for which an issuer is asked.
    var chargeBudget: UpstreamBudget {
        UpstreamBudget(milliseconds: self.deadlines.chargeMilliseconds, now: self.now)
    }

    var budget: UpstreamBudget { UpstreamBudget(milliseconds: self.deadlines.otherMilliseconds, now: self.now) }

    /// Submits a transaction. The URL is its key: the identical request is answered again and done once.
    func put(
        _ orderID: String, _ transactionID: String, _ body: Redacted<JSON>, within budget: UpstreamBudget
    ) async -> UpstreamEnding {
        await self.send(within: budget) { $0.put(body.reveal(), order: orderID, transaction: transactionID) }
    }

    func getTransaction(_ orderID: String, _ transactionID: String) async -> UpstreamEnding {
        await self.send(within: self.budget) { $0.retrieve(order: orderID, transaction: transactionID) }
    }

    func getOrder(_ orderID: String) async -> UpstreamEnding {
        await self.send(within: self.budget) { $0.retrieve(order: orderID) }
    }

    /// Whether the gateway is there; it asks nobody's password for that.
    func getInformation() async -> UpstreamEnding {
        guard let entry = self.account.credentials.entries.first else { return .notSent("no_credentials") }
        return await self.client.exchange(
            self.request(entry.client.information(), self.deadlines.otherMilliseconds))
    }

    /// With one of the passwords and no other.
    func getTransaction(
        _ orderID: String, _ transactionID: String, as entry: MPGSCredentials.Entry
    ) async -> UpstreamEnding {
        await self.client.exchange(
            self.request(
                entry.client.retrieve(order: orderID, transaction: transactionID), self.deadlines.otherMilliseconds))
    }

    /// What one password is refused for is sent with the other: a 401 says that nothing was done.
    private func send(
        within budget: UpstreamBudget, _ request: (CommWebClient) -> ClientRequest
    ) async -> UpstreamEnding {
        var ending = UpstreamEnding.notSent("no_time_left")
        for (index, entry) in self.account.credentials.inOrder {
            let milliseconds = budget.remainingMilliseconds
            guard milliseconds > 0 else { return ending }
            ending = await self.client.exchange(self.request(request(entry.client), milliseconds))
            guard case .answered(let answer) = ending else { return ending }
            guard answer.status == 401 else {
                self.account.credentials.noteTaken(index)
                return ending
            }
        }
        return ending
    }

    private func request(_ request: ClientRequest, _ deadlineMilliseconds: Int64) -> UpstreamRequest {
        UpstreamRequest(
            method: request.method.rawValue, url: self.account.address.origin + request.path,
            headers: [(name: "Accept", value: Redacted("application/json"))] + request.headers,
            body: request.body.reveal().isEmpty ? nil : request.body, tls: self.account.tls,
            allowsPlainHTTP: self.account.address.isPlain, deadlineMilliseconds: deadlineMilliseconds)
    }
}
