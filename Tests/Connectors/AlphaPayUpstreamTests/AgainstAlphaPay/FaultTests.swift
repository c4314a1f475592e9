//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AlphaPayUpstream
import ConnectorKit
import Money
import Payments
import SimulatorAcquirer
import TestGateway
import TestUpstream
import Testing

/// Payments through a network that cuts, garbles and repeats: whatever happens to `pay`, what is said of it is so.
///
/// An order is asked for over a sound network, since it moves no money.
@Suite struct FaultTests {
    /// One payment.
    private struct Sale: Sendable {
        let request: AcquirerRequest
        let original: OriginalOperation
    }

    private struct Scene: Sendable {
        let vendor: Vendor
        let proxy: FaultyProxy
        /// Over a sound network.
        let direct: any Acquirer

        /// An order that can be paid.
        func sale(_ number: Int) async throws -> Sale {
            let amount = try Bench.money(3010)
            let random =
                [0, 0, 0, 0, 0, 0, 0] + [UInt8(number >> 16 & 0xFF), UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)]
            let id = OperationID(at: Bench.at, random: random)
            let request = Bench.request(
                .authorize(
                    Charge(instrument: try self.vendor.instrument(amount), network: .visa, captures: true)), amount,
                operation: id)
            guard case .ready(let memo) = await self.direct.prepare(request) else { throw NotPrepared() }
            return Sale(
                request: request.with(memo), original: Bench.original(.authorization, amount, id: id, memo: memo))
        }

        func pay(_ sale: Sale, through fault: FaultyProxy.Fault) async throws -> AcquirerOutcome {
            self.proxy.set(fault)
            let (swallowed, continuation) = AsyncStream<Void>.makeStream()
            self.proxy.onSwallowed { continuation.finish() }
            // The deadline passes when the answer has been lost.
            let client = UpstreamClient { _ in for await _ in swallowed {} }
            let outcome = await (try self.vendor.acquirer(client, port: self.proxy.port)).perform(sale.request)
            await client.shutdown()
            return outcome
        }

        func found(_ sale: Sale) async -> AcquirerQueryOutcome { await self.direct.query(Bench.query(sale.original)) }
    }

    private struct NotPrepared: Error {}

    /// Runs a body, and then a judgement when all that has come is worked on.
    private static func with<Value: Sendable>(
        _ body: (Scene) async throws -> Value, then judge: (Value, Scene) async throws -> Void
    ) async throws {
        let vendor = try await Vendor.open()
        let client = Bench.client()
        let value = try await vendor.other.serving { port in
            let proxy = try await FaultyProxy(to: port)
            let scene = Scene(vendor: vendor, proxy: proxy, direct: try vendor.acquirer(client, port: port))
            let value = try await body(scene)
            await proxy.close()
            return (value, proxy)
        }
        try await vendor.other.serving { port in
            let direct = try vendor.acquirer(client, port: port)
            try await judge(value.0, Scene(vendor: vendor, proxy: value.1, direct: direct))
        }
        await client.shutdown()
        #expect(try await vendor.test.bookProblems().isEmpty)
    }

    private static func isPaid(_ found: AcquirerQueryOutcome) -> Bool {
        if case .approved = found { true } else { false }
    }

    // MARK: - Cut

    /// Every byte of the head and of what the body begins with; what follows is little more than one long text.
    private static let everyByteUpTo = 1000

    /// The same payment again and again, of which less than all arrives each time: nothing is ever booked, and nothing
    /// that was begun is called not processed.
    @Test func requestCutAnywhere() async throws {
        try await Self.with { scene in
            // Another one, to see how long it is.
            _ = try await scene.pay(try await scene.sale(0), through: .none)
            let sale = try await scene.sale(1)
            let rest = stride(from: Self.everyByteUpTo, to: scene.proxy.counts.request - 64, by: 47)
            for count in Array(0..<Self.everyByteUpTo) + Array(rest) {
                let outcome = try await scene.pay(sale, through: .cutRequest(after: count))
                guard case .unknown = outcome else {
                    Issue.record("\(count): \(outcome)")
                    continue
                }
            }
            return sale
        } then: { sale, scene in
            #expect(await scene.found(sale) == .unknown(.unclear("in_process")))
            let positions = try await scene.vendor.positions()
            #expect(positions[sale.request.operationID.text] == nil)
        }
    }

    /// The last bytes, each with a payment of its own: some arrive whole, because no two tokens are of one length.
    @Test func requestCutNearItsEnd() async throws {
        try await Self.with { scene in
            _ = try await scene.pay(try await scene.sale(0), through: .none)
            let length = scene.proxy.counts.request
            var sales: [(Sale, AcquirerOutcome)] = []
            for count in (length - 64)...(length + 8) {
                let sale = try await scene.sale(sales.count + 1)
                sales.append((sale, try await scene.pay(sale, through: .cutRequest(after: count))))
            }
            return sales
        } then: { sales, scene in
            try await Self.judge(sales, scene)
        }
    }

    /// What is cut off an answer leaves nothing that is believed; the same call again is the same payment.
    @Test func answerCutAnywhere() async throws {
        try await Self.with { scene in
            let sale = try await scene.sale(1)
            let whole = try await scene.pay(sale, through: .none)
            guard case .approved = whole else {
                Issue.record("\(whole)")
                return sale
            }
            for count in stride(from: 0, through: scene.proxy.counts.answer, by: 5) {
                let outcome = try await scene.pay(sale, through: .cutAnswer(after: count))
                if outcome == whole { continue }
                guard case .unknown = outcome else {
                    Issue.record("\(count): \(outcome)")
                    continue
                }
            }
            return sale
        } then: { sale, scene in
            #expect(Self.isPaid(await scene.found(sale)))
            let count = try await scene.vendor.test.bookedCount(.authorization)
            #expect(count == 1)
        }
    }

    // MARK: - Garbled, repeated, lost

    private static func judge(_ sales: [(Sale, AcquirerOutcome)], _ scene: Scene) async throws {
        let positions = try await scene.vendor.positions()
        for (sale, outcome) in sales {
            let isBooked = positions[sale.request.operationID.text]?.captured.isPositive == true
            let found = await scene.found(sale)
            switch outcome {
            case .approved(let approval):
                #expect(isBooked && found == .approved(approval))
            case .notProcessed(let not):
                #expect(!isBooked && found == .unknown(.unclear("in_process")), "\(not.word)")
            case .unknown(let unknown): #expect(isBooked == Self.isPaid(found), "\(unknown.word)")
            case .declined, .accepted: Issue.record("\(outcome)")
            }
        }
    }

    private static func check(
        _ faults: (_ counts: (request: Int, answer: Int)) -> [FaultyProxy.Fault]
    ) async throws {
        try await self.with { scene in
            let first = try await scene.sale(0)
            var sales = [(first, try await scene.pay(first, through: .none))]
            for fault in faults(scene.proxy.counts) {
                let sale = try await scene.sale(sales.count)
                sales.append((sale, try await scene.pay(sale, through: fault)))
            }
            return sales
        } then: { sales, scene in
            try await Self.judge(sales, scene)
        }
    }

    @Test func garbledAnswers() async throws {
        try await Self.check { counts in
            // Signatures are not all of one length when they are written for a header.
            stride(from: 0, to: counts.answer, by: 17).map { .garbleAnswer(at: $0, of: counts.answer - 64) }
        }
    }

    @Test func garbledRequests() async throws {
        try await Self.check { counts in stride(from: 0, to: counts.request, by: 61).map { .garbleRequest(at: $0) } }
    }

    @Test func repeatedRequestsAndLostAnswers() async throws {
        try await Self.check { _ in
            Array(repeating: .repeatRequest, count: 10) + Array(repeating: .swallowAnswer, count: 10)
        }
    }
}
