//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Money
import Payments
import Redaction
import TestRandom
import Time

/// A shop: makes calls one after the other, on whatever node the load balancer picks, mostly about few payments that
/// other shops are busy with too.
struct Shop: Sendable {
    static let notifyURL = "https://shop.example/notify"

    let world: World
    let receipts: Receipts
    let wallet: Wallet
    let number: Int

    func run() async {
        let callsCount = self.world.draw { Int.random(in: self.world.settings.callsPerShop, using: &$0) }
        for _ in 0..<callsCount {
            // Often two shops act in the same moment.
            let pause: ClosedRange<Int64> = self.world.happens(percent: 50) ? 0...50 : 50...9000
            guard (try? await self.world.sleep(milliseconds: pause)) != nil else { return }
            await self.act()
        }
    }

    private func act() async {
        switch self.world.draw({ Int.random(in: 0..<100, using: &$0) }) {
        case 0..<16: await self.make(self.nextAuthorization())
        case 16..<58: await self.make(self.nextFollowUp())
        case 58..<66: await self.makeSeveral()
        case 66..<78: await self.repeatACall()
        case 78..<82: await self.askForSomethingElse()
        case 82..<87: await self.planCapture()
        case 87..<90: await self.withdrawCapture()
        case 90..<94: await self.keepToken()
        default: await self.lookUp()
        }
    }

    private func make(_ request: ShopRequest?) async {
        guard let request else { return }
        await self.send(request)
        // A shop that has not heard how it ended asks again, at once or never.
        guard request.isRepeatable, self.world.happens(percent: 30) else { return }
        await self.send(request)
    }

    /// At the same time.
    private func makeSeveral() async {
        let requests = (0..<4).compactMap { _ in self.nextFollowUp() }
        await withTaskGroup { group in
            for request in requests { group.addTask { await self.send(request) } }
            await group.waitForAll()
        }
    }

    func send(_ request: ShopRequest) async {
        let index = self.anyNode()
        self.world.note("shop \(self.number): \(request.number) \(request.name) to n\(index)")
        let hadEnded = self.receipts.hasEnded(request)
        let reply = await self.world.call(index) { (gateway) async throws(GatewayRefusal) in
            try await request.send(to: gateway)
        }
        self.receipts.file(reply, to: request, hadEnded: hadEnded)
    }

    func anyNode() -> Int {
        self.world.draw { Int.random(in: 0..<1_000_000, using: &$0) } % self.world.nodesCount
    }

    // MARK: - Calls

    private func nextAuthorization() -> ShopRequest? {
        guard let (instrument, amount) = self.wallet.next(self.world) else { return nil }
        let choice = self.world.draw { Int.random(in: 0..<100, using: &$0) }
        let isVerification = choice >= 95
        let purpose: AuthorizeCommand.Purpose = isVerification ? .verification : choice < 35 ? .sale : .authorization
        let order =
            self.world.happens(percent: 25)
            ? OrderBinding.named("N-\(self.world.number(in: 1...2))") : nil
        let acceptsPart = self.world.happens(percent: 50)
        let dueIn: Int64? = self.world.happens(percent: 15) ? self.world.number(in: 1...120) : nil
        let dueAt = purpose == .authorization ? dueIn.map { self.now.adding(seconds: $0) } : nil
        let asked = isVerification ? Money.zero(amount.currency) : amount
        return self.receipts.makeRequest(
            "\(purpose) \(asked)", isRepeatable: self.world.happens(percent: 90),
            .authorize { context in
                AuthorizeCommand(
                    context: context, instrument: instrument, amount: asked, order: order, purpose: purpose,
                    acceptsPartialApproval: acceptsPart, captureDueAt: dueAt,
                    labels: OperationLabels(notifyURL: Self.notifyURL))
            })
    }

    private func nextFollowUp() -> ShopRequest? {
        guard let payment = self.anyPayment() else { return nil }
        let special: [Int64] = [58_58, 63_63, 57_57, 59_59, 61_61, 1, 50_00, 100_00]
        let amount =
            self.world.happens(percent: 35)
            ? cad(self.world.draw { special.randomElement(using: &$0) } ?? 1)
            : cad(self.world.number(in: 1...60_00))
        let part = self.world.happens(percent: 20) ? nil : amount
        let action: FollowUpCommand.Action
        switch self.world.draw({ Int.random(in: 0..<100, using: &$0) }) {
        case 0..<48: action = .capture(part, isFinal: self.world.happens(percent: 15))
        case 48..<52: action = .void(nil)
        case 52..<65: action = .void(self.anyOperation(of: payment).map { .operation($0) })
        case 65..<72: action = .adjust(amount)
        default: action = .refund(part)
        }
        return self.receipts.makeRequest(
            "\(action)", isRepeatable: self.world.happens(percent: 90),
            .followUp { context in
                FollowUpCommand(
                    context: context, payment: .payment(payment), action: action,
                    labels: OperationLabels(notifyURL: Self.notifyURL))
            })
    }

    private func repeatACall() async {
        let repeatable = self.receipts.all.map(\.request).filter(\.isRepeatable)
        guard let request = self.world.draw({ repeatable.randomElement(using: &$0) }) else { return }
        await self.send(request)
    }

    /// The key of an earlier call, with other contents.
    private func askForSomethingElse() async {
        let begun = self.receipts.all.filter { $0.operationID != nil && $0.request.isRepeatable }.map(\.request)
        guard let request = self.world.draw({ begun.randomElement(using: &$0) }) else { return }
        let reply = await self.world.call(self.anyNode()) { (gateway) async throws(GatewayRefusal) in
            try await request.send(to: gateway, changed: true)
        }
        switch reply {
        case .lost, .refused(.idempotencyConflict), .refused(.storeUnavailable): return
        case .refused(let refusal):
            self.world.record.violation("the key of call \(request.number), used otherwise, is refused: \(refusal)")
        case .answered:
            self.world.record.violation("the key of call \(request.number) is good for something else")
        }
    }

    private func planCapture() async {
        guard let payment = self.anyPayment() else { return }
        let dueAt = self.now.adding(seconds: self.world.number(in: 1...120))
        let reply = await self.world.call(self.anyNode()) { (gateway) async throws(GatewayRefusal) in
            guard let account = try await gateway.account(dialect: World.dialect, key: World.accountKey) else { return }
            _ = try await gateway.scheduleCapture(of: .payment(payment), at: dueAt, merchant: account)
        }
        self.world.note("shop \(self.number): plans the capture of \(payment): \(reply.word)")
    }

    private func withdrawCapture() async {
        guard let payment = self.anyPayment() else { return }
        let reply = await self.world.call(self.anyNode()) { (gateway) async throws(GatewayRefusal) in
            guard let account = try await gateway.account(dialect: World.dialect, key: World.accountKey) else {
                return false
            }
            return try await gateway.withdrawCapture(of: .payment(payment), merchant: account)
        }
        self.world.note("shop \(self.number): withdraws the capture of \(payment): \(reply.word)")
    }

    private func keepToken() async {
        guard self.world.usesTokens, let (token, id) = self.wallet.keep(self.world) else { return }
        let reply = await self.world.call(self.anyNode()) { (gateway) async throws(GatewayRefusal) in
            guard let account = try await gateway.account(dialect: World.dialect, key: World.accountKey) else { return }
            _ = try await gateway.keepToken(
                KeepTokenCommand(
                    instrument: .applePay(token), merchant: account, kind: Wallet.keptKind, id: id,
                    lifetimeSeconds: 90, isAmountPending: false))
        }
        self.world.note("shop \(self.number): keeps token \(id): \(reply.word)")
    }

    /// What a shop was answered it finds again, whichever node it asks.
    private func lookUp() async {
        let ended = self.receipts.all.compactMap(\.ended)
        guard let first = self.world.draw({ ended.randomElement(using: &$0) }) else { return }
        let reply = await self.world.call(self.anyNode()) { (gateway) async throws(GatewayRefusal) in
            let account = try await gateway.account(dialect: World.dialect, key: World.accountKey)
            guard let account else { throw .storeUnavailable }
            return try await gateway.operation(.operation(first.operation.id), merchant: account)
        }
        switch reply {
        case .lost, .refused(.storeUnavailable): return
        case .refused(let refusal):
            self.world.record.violation("\(first.operation.id), which a shop was answered with, is refused: \(refusal)")
        case .answered(let found) where found.payment.operations.contains { $0.kind == .lateFailure }:
            // It is shown as it is known by now; its repeat is answered as at first.
            if found.operation.state != found.payment.currentState(of: first.operation) {
                self.world.record.violation("\(first.operation.id) is shown as \(found.operation.state)")
            }
        case .answered(let found) where found.operation != first.operation:
            self.world.record.violation("\(first.operation.id) is not what a shop was answered")
        case .answered(let found) where found.payment.asOf(version: first.payment.version) != first.payment:
            self.world.record.violation("\(first.payment.id) was not what a shop was answered")
        case .answered: return
        }
    }

    // MARK: - Choices

    private var now: Timestamp { World.start.adding(milliseconds: self.world.scheduler.milliseconds) }

    /// One of the last few, so that shops meet.
    private func anyPayment() -> PaymentID? {
        let payments = self.receipts.livePayments.suffix(3)
        return self.world.draw { payments.randomElement(using: &$0) }
    }

    private func anyOperation(of payment: PaymentID) -> OperationID? {
        let own = self.receipts.all.compactMap(\.ended).filter { $0.payment.id == payment }.map(\.operation.id)
        return self.world.draw { own.randomElement(using: &$0) }
    }
}

extension Reply {
    fileprivate var word: String {
        switch self {
        case .answered(let value): "\(value)"
        case .refused(let refusal): "refused \(refusal)"
        case .lost: "no answer"
        }
    }
}
