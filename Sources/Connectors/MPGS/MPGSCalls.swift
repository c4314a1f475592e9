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
    let calls: ClientCalls

    /// Of an operation for which an issuer is asked.
    var chargeBudget: UpstreamBudget { self.calls.chargeBudget }

    var budget: UpstreamBudget { self.calls.budget }

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
        return await self.exchange(entry.client.information(), within: self.budget)
    }

    /// With one of the passwords and no other.
    func getTransaction(
        _ orderID: String, _ transactionID: String, as entry: MPGSCredentials.Entry
    ) async -> UpstreamEnding {
        await self.exchange(
            entry.client.retrieve(order: orderID, transaction: transactionID), within: self.budget)
    }

    /// What one password is refused for is sent with the other: a 401 says that nothing was done.
    private func send(
        within budget: UpstreamBudget, _ request: (CommWebClient) -> ClientRequest
    ) async -> UpstreamEnding {
        var ending = UpstreamEnding.notSent("no_time_left")
        for (index, entry) in self.account.credentials.inOrder {
            guard budget.remainingMilliseconds > 0 else { return ending }
            ending = await self.exchange(request(entry.client), within: budget)
            guard case .answered(let answer) = ending else { return ending }
            guard answer.status == 401 else {
                self.account.credentials.noteTaken(index)
                return ending
            }
        }
        return ending
    }

    private func exchange(_ request: ClientRequest, within budget: UpstreamBudget) async -> UpstreamEnding {
        var request = request
        request.headers.insert((name: "Accept", value: Redacted("application/json")), at: 0)
        return await self.calls.exchange(request, within: budget)
    }
}
