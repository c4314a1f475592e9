//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
@_spi(Administration) public import Gateway
public import Money
public import Payments
public import Redaction
import Synchronization
public import TestGateway
import Testing

/// A gateway whose acquirer is another one: the end where payments are made.
public struct FrontGateway: Sendable {
    public let test: TestGateway
    public let account: AcquirerAccountID
    private let merchant: MerchantContext
    private let callsCount = CallsCount()

    private static let dialect = DialectName("testwire")

    /// Each call has a key of its own.
    private final class CallsCount: Sendable {
        private let value = Mutex(0)

        func next() -> Int {
            self.value.withLock { value in
                value += 1
                return value
            }
        }
    }

    /// - Parameter settings: of the account, of the merchant's identifier at Apple.
    public static func open(
        _ connector: any Connector, countryCode: String, secrets: [String: Redacted<String>],
        settings: (_ merchantIdentifier: String) -> [String: String]
    ) async throws -> FrontGateway {
        let test = try await TestGateway.open(seed: 2) { $0.connectors = [connector] }
        let merchant = try await test.addMerchant(
            dialect: self.dialect, key: "shop", certified: false, acquirer: nil, countryCode: countryCode)
        let administration = test.gateway.administration
        let account = try await administration.putAcquirerAccount(
            AcquirerAccountDraft(
                name: connector.name.text, connector: connector.name, settings: settings(merchant.merchantIdentifier),
                secrets: secrets), of: merchant.id)
        try await administration.setRoutes(of: merchant.id, to: [Route(number: 1, account: account.id)])
        let context = try #require(try await test.gateway.account(dialect: self.dialect, key: "shop"))
        return FrontGateway(test: test, account: account.id, merchant: context)
    }

    // MARK: - Payments

    private func context(_ operation: String) -> CallContext {
        CallContext(
            merchant: self.merchant,
            idempotency: .init(
                operation: operation, key: "key-\(self.callsCount.next())", digest: requestDigest("contents".utf8)))
    }

    public func authorize(
        _ amount: Money, _ instrument: AuthorizationInstrument, sale: Bool = false,
        details: ChargeDetails = ChargeDetails()
    ) async throws -> OperationOutcome {
        try await self.test.gateway.authorize(
            AuthorizeCommand(
                context: self.context("authorize"), instrument: instrument, amount: amount,
                purpose: sale ? .sale : .authorization, details: details))
    }

    public func follow(_ action: FollowUpCommand.Action, of payment: PaymentID) async throws -> OperationOutcome {
        try await self.test.gateway.followUp(
            FollowUpCommand(context: self.context("follow"), payment: .payment(payment), action: action))
    }

    // MARK: - Looking

    public func payment(_ id: PaymentID) async throws -> Payment {
        try #require(try await self.test.store.read { try $0.payment(id) })
    }

    /// The payment of an operation, as it stands now.
    public func payment(of operation: PaymentOperation) async throws -> Payment? {
        try await self.test.store.read { reader in
            try reader.paymentID(ofOperation: operation.id).flatMap { try reader.payment($0) }
        }
    }

    /// What the acquirer has sent to the account's address.
    public func receive(_ call: NoticeCall) async -> NoticeAnswer {
        await self.test.gateway.receive(call, for: self.account)
    }

    /// What a check of the books finds.
    public func bookProblems() async throws -> [String] {
        try await LedgerAudit.run(store: self.test.store).problems
    }
}
