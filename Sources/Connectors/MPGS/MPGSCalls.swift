//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Redaction

/// The calls of one account.
struct MPGSCalls: Sendable {
    let account: MPGSAccount
    let client: UpstreamClient
    let deadlines: MPGSDeadlines
    let now: @Sendable () -> ContinuousClock.Instant

    /// Of an operation for which an issuer is asked.
    var chargeBudget: UpstreamBudget {
        UpstreamBudget(milliseconds: self.deadlines.chargeMilliseconds, now: self.now)
    }

    var budget: UpstreamBudget { UpstreamBudget(milliseconds: self.deadlines.otherMilliseconds, now: self.now) }

    /// Submits a transaction. The URL is its key: the identical request is answered again and done once.
    func put(
        _ orderID: String, _ transactionID: String, _ body: Redacted<[UInt8]>, within budget: UpstreamBudget
    ) async -> UpstreamEnding {
        await self.send("PUT", self.account.transactionURL(orderID, transactionID), body: body, within: budget)
    }

    func getTransaction(_ orderID: String, _ transactionID: String) async -> UpstreamEnding {
        await self.send("GET", self.account.transactionURL(orderID, transactionID))
    }

    func getOrder(_ orderID: String) async -> UpstreamEnding {
        await self.send("GET", self.account.orderURL(orderID))
    }

    /// Whether the gateway is there; it asks nobody's password for that.
    func getInformation() async -> UpstreamEnding {
        await self.client.exchange(
            self.request(
                "GET", self.account.versionURL + "/information", nil, nil, self.deadlines.otherMilliseconds))
    }

    /// With one of the passwords and no other.
    func getTransaction(
        _ orderID: String, _ transactionID: String, as entry: MPGSCredentials.Entry
    ) async -> UpstreamEnding {
        await self.client.exchange(
            self.request(
                "GET", self.account.transactionURL(orderID, transactionID), entry, nil,
                self.deadlines.otherMilliseconds))
    }

    /// What one password is refused for is sent with the other: a 401 says that nothing was done.
    private func send(
        _ method: String, _ url: String, body: Redacted<[UInt8]>? = nil, within budget: UpstreamBudget? = nil
    ) async -> UpstreamEnding {
        let budget = budget ?? self.budget
        var ending = UpstreamEnding.notSent("no_time_left")
        for (index, entry) in self.account.credentials.inOrder {
            let milliseconds = budget.remainingMilliseconds
            guard milliseconds > 0 else { return ending }
            ending = await self.client.exchange(self.request(method, url, entry, body, milliseconds))
            guard case .answered(let answer) = ending else { return ending }
            guard answer.status == 401 else {
                self.account.credentials.noteTaken(index)
                return ending
            }
        }
        return ending
    }

    private func request(
        _ method: String, _ url: String, _ entry: MPGSCredentials.Entry?, _ body: Redacted<[UInt8]>?,
        _ deadlineMilliseconds: Int64
    ) -> UpstreamRequest {
        var headers = [(name: "Accept", value: Redacted("application/json"))]
        if body != nil { headers.append((name: "Content-Type", value: Redacted("application/json"))) }
        // At once, without a round that is answered 401.
        if let authorization = entry?.authorization { headers.append((name: "Authorization", value: authorization)) }
        return UpstreamRequest(
            method: method, url: url, headers: headers, body: body, tls: self.account.tls,
            allowsPlainHTTP: self.account.address.isPlain, deadlineMilliseconds: deadlineMilliseconds)
    }
}
