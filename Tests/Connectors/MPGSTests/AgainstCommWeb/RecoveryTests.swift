//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import CommWeb
import ConnectorKit
import Gateway
import Money
import Payments
import Redaction
import SimulatorAcquirer
import TestGateway
import TestUpstream
import Testing

@testable import MPGS

/// A whole gateway whose acquirer is another gateway, over this connector: what becomes of a sale of two calls that
/// nobody heard the end of, once its recovery has asked and reversed.
@Suite struct RecoveryTests {
    /// Where the network breaks, by what of the two calls has passed.
    enum Break: CaseIterable {
        case beforeTheAuthorizationArrives
        case beforeTheAuthorizationIsAnswered
        case beforeTheCaptureArrives
        case beforeTheCaptureIsAnswered
        case nowhere

        /// What happens, and to which of the two.
        var fault: (FaultyProxy.Fault, exchange: Int) {
            switch self {
            case .beforeTheAuthorizationArrives: (.cutRequest(after: 100), 0)
            case .beforeTheAuthorizationIsAnswered: (.cutAnswer(after: 100), 0)
            case .beforeTheCaptureArrives: (.cutRequest(after: 100), 1)
            case .beforeTheCaptureIsAnswered: (.cutAnswer(after: 100), 1)
            case .nowhere: (.none, 0)
            }
        }

        var stands: Bool { self == .nowhere || self == .beforeTheCaptureIsAnswered }
    }

    /// A gateway that speaks CommWeb too, so that the same calls reach it.
    private static func front(of port: Int, _ client: UpstreamClient) async throws -> OtherGateway {
        let test = try await TestGateway.open(seed: 2) { $0.connectors = [MPGSConnector(client: client)] }
        let draft = CommWeb.accountDraft(password: Redacted(Bench.password))
        let merchant = try await test.addMerchant(
            dialect: CommWeb.dialectName, key: Bench.merchantID, settings: draft.settings, secrets: draft.secrets,
            certified: false, acquirer: nil, countryCode: "AU")
        let account = try await test.gateway.administration.addAcquirerAccount(
            AcquirerAccountDraft(
                name: "bank", connector: MPGSConnector.connectorName,
                settings: ["host": "http://127.0.0.1:\(port)", "merchantId": Bench.merchantID, "pay": "false"],
                secrets: ["password": Redacted(Bench.password)]),
            to: merchant.id)
        try await test.gateway.administration.setRoutes(of: merchant.id, to: [Route(number: 1, account: account.id)])
        return OtherGateway(test) { CommWeb(gateway: $0) }
    }

    @Test(arguments: Break.allCases) func endsWhatNobodyHeardTheEndOf(_ place: Break) async throws {
        let amount = try Bench.money(5000)
        let other = try await OtherGateway.openWithoutPay()
        let payment = try await other.serving { port in
            let proxy = try await FaultyProxy(to: port)
            proxy.set(place.fault.0, to: place.fault.exchange)
            let client = Bench.client()
            let front = try await Self.front(of: proxy.port, client)
            _ = try await front.withAcquirer { acquirer in
                await acquirer.perform(Bench.authorization(1, amount, captures: true))
            }
            proxy.set(.none)
            await front.test.recover()
            await client.shutdown()
            await proxy.close()
            let payments = try await front.test.payments()
            #expect(payments.count == 1)
            return try #require(payments.first)
        }
        let open = payment.operations.filter { !$0.state.isResolved }
        #expect(open.isEmpty, "\(payment.state)")
        #expect((payment.state == .captured) == place.stands, "\(payment.state)")
        #expect(place.stands || !payment.capturedAmount.isPositive)
        let positions = try await other.positions()
        let booked = positions[try #require(payment.operations.first).id.text]
        // The network broke where it should: what has arrived was taken back, or stands.
        #expect((booked?.authorized == amount) == (place != .beforeTheAuthorizationArrives))
        let zero = Money.zero(amount.currency)
        #expect((booked?.captured ?? zero) == (place.stands ? amount : zero))
        #expect((booked?.held ?? zero) == zero)
        #expect(try await other.test.bookProblems().isEmpty)
    }
}
