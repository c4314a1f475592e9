//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import DialectConformance
import DialectKit
import Money
import Payments
import Radial
import Redaction
import SimulatorAcquirer
import TestGateway
import TestUpstream
import Testing
import WalletSimulator

@testable import RadialUpstream

/// Another gateway that speaks Radial's language, with a store of this one's and the key to its tokens.
struct OtherRadial: Sendable {
    let other: OtherGateway
    /// The store; tokens are encrypted to its key.
    let store: TestMerchant
    let dialect: Radial

    var test: TestGateway { self.other.test }

    static func open(usesLists: Bool = true) async throws -> OtherRadial {
        let test = try await TestGateway.open()
        let draft = Radial.accountDraft(
            apiKey: Redacted(Bench.apiKey), webhookURL: "https://pay.example/acquirers/a/notices",
            webhookCredentials: (user: Bench.noticeUser, password: Redacted(Bench.noticePassword)),
            usesLists: usesLists)
        let store = try await test.addMerchant(
            dialect: Radial.dialectName, key: Bench.storeID, settings: draft.settings, secrets: draft.secrets,
            countryCode: "US")
        return OtherRadial(
            other: OtherGateway(test) { Radial(gateway: $0) }, store: store, dialect: Radial(gateway: test.gateway))
    }

    /// Serves while a body runs with an acquirer that talks to it.
    func withAcquirer<Value: Sendable>(
        settings: [String: String] = [:], _ body: (any Acquirer) async throws -> Value
    ) async throws -> Value {
        try await self.other.serving { port in
            let client = Bench.client()
            let account = Bench.account(host: "http://127.0.0.1:\(port)", settings: settings)
            let acquirer = try RadialConnector(client: client).open(account)
            let result: Result<Value, any Error>
            do { result = .success(try await body(acquirer)) } catch { result = .failure(error) }
            await client.shutdown()
            return try result.get()
        }
    }

    // MARK: - The wallet

    /// A token for an amount, which this gateway cannot open.
    func charge(_ amount: Money, card: SimulatedCard = .visa) throws -> Charge {
        let minted = try self.test.mint(amount, for: self.store, card: card)
        return Charge(
            instrument: .sealedApplePayToken(
                SealedApplePayToken(
                    paymentData: Redacted(Array(minted.paymentDataText.utf8)),
                    transactionIdentifier: minted.transactionIdentifier)),
            network: .visa, details: ChargeDetails(customer: Bench.customer, billing: Bench.billing))
    }

    // MARK: - Events

    /// Sends the events that are due, as they would be posted, and gives back what the connector makes of them.
    func reports(answering status: Int = 200) async throws -> [AcquirerNotice] {
        let account = Bench.account(host: "http://127.0.0.1:1")
        var notices: [AcquirerNotice] = []
        _ = try await self.test.deliverAll(through: self.dialect) { notification in
            var headers: [String: String] = [:]
            for header in notification.headers { headers[header.name.lowercased()] = header.value }
            let call = NoticeCall(headers: headers, body: notification.body)
            switch RadialConnector(client: Bench.client()).read(call, for: account) {
            case .notices(let read, let answer):
                notices += read
                return (status == 200 ? answer.status : status, "")
            case .refused(let answer, let word):
                Issue.record("refused: \(word)")
                return (answer.status, "")
            case nil:
                Issue.record("not taken")
                return (404, "")
            }
        }
        return notices
    }

    // MARK: - The book

    /// What its acquirer has booked, by the order's name; nothing for an order that it does not know.
    func positions() async throws -> [String: SimulatorPosition] {
        var positions: [String: SimulatorPosition] = [:]
        for payment in try await self.test.payments() {
            guard let order = payment.operations.first?.labels.reference else { continue }
            positions[order] = try await self.test.book.position(payment.id)
        }
        return positions
    }
}
