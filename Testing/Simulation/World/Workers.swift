//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
import Payments
import SimulatorAcquirer
import Synchronization
import Time

/// What a node does by itself, as `pomona serve` does: recovery, captures that are due, and webhooks.
extension World {
    func startWorkers(of process: NodeProcess) {
        var works: [@Sendable (Gateway) async -> Void] = [
            { await self.recover($0) },
            { _ = await $0.captureDue(limit: 8) },
            { await self.deliver($0, process) },
        ]
        // Notices come at any time, to any node: they race calls, recovery, crashes and each other.
        if !self.behavior.recovery.reversesUnknown { works.append { await self.reportOpen($0) } }
        for work in works {
            Task(executorPreference: process.executor) {
                while let gateway = process.gateway {
                    guard (try? await self.sleep(milliseconds: 500...6000)) != nil else { return }
                    guard self.state.withLock({ $0.workersAreOn }), process.isAlive else { return }
                    await work(gateway)
                }
            }
        }
    }

    private func recover(_ gateway: Gateway) async {
        guard self.settings.bug != .recoveryIsOff else { return }
        _ = await gateway.recover(limit: 8)
    }

    private func deliver(_ gateway: Gateway, _ process: NodeProcess) async {
        let deliveries: [Delivery]
        do throws(GatewayRefusal) {
            deliveries = try await gateway.leaseDeliveries(limit: 4)
        } catch {
            return
        }
        for delivery in deliveries {
            let result = await self.send(delivery, from: process)
            do throws(GatewayRefusal) {
                try await gateway.record(result, of: delivery)
            } catch {
                self.note("\(process.name) could not record a delivery")
            }
        }
    }

    private func send(_ delivery: Delivery, from process: NodeProcess) async -> DeliveryResult {
        guard process.isAlive else { return .failed("gone", retryAt: nil) }
        let retryAt = self.clock(of: process.index).adding(milliseconds: self.number(in: 100...20_000))
        try? await self.sleep(milliseconds: 1...200)
        guard process.isAlive else { return .failed("gone", retryAt: nil) }
        if self.strikes(.webhookRefused, percent: \.webhooks, process.name) {
            return .failed("http_503", retryAt: retryAt)
        }
        self.note("\(process.name) delivers \(delivery.event.kind.rawValue) of \(delivery.event.operationID)")
        self.webhooks.receive(delivery.event)
        if self.strikes(.webhookAnswerLost, percent: \.webhooks, process.name) {
            return .failed("timeout", retryAt: retryAt)
        }
        return .delivered("http_200")
    }

    // MARK: - To the end

    /// What an acquirer reports that answers no queries, and what an operator decides of what it has never heard of: longer
    /// after it was begun than a message can be on its way and clocks can be off.
    private func reportOpen(_ gateway: Gateway) async {
        guard !self.behavior.recovery.reversesUnknown else { return }
        for payment in await self.store.allPayments() {
            for operation in payment.operations where !operation.state.isResolved {
                let id = operation.id
                let entry = try? await self.book.entry(id)
                if let entry, let outcome = entry.reported {
                    let notice = AcquirerNotice(.operation(id), .resolved(outcome))
                    _ = await gateway.receive(notice, for: payment.accountID, by: payment.acquirer)
                } else if abs(gateway.now().milliseconds(since: operation.begunAt)) > Self.decidedAfterMilliseconds {
                    _ = try? await gateway.decide(id, .failed, reason: "the acquirer has never heard of it")
                }
            }
        }
    }

    private static let decidedAfterMilliseconds: Int64 = 14_400_000

    /// A planned capture whose ends a person decides, hours later each, is tried two dozen times.
    private static let roundsMax = 20_000

    /// Works off every job there is, whenever it is due, until none is left.
    func workOff() async {
        for _ in 0..<Self.roundsMax {
            guard let dueAt = await self.store.nextDue() else { return }
            let wait = dueAt.milliseconds(since: Self.start) - self.scheduler.milliseconds
            guard (try? await self.scheduler.sleep(milliseconds: max(0, wait) + 1)) != nil else { return }
            let index = self.draw { Int.random(in: 0..<1_000_000, using: &$0) } % self.nodesCount
            guard let process = self.process(index), let gateway = process.gateway else {
                self.record.violation("node \(index) is not up although the weather is calm")
                return
            }
            await Task(executorPreference: process.executor) {
                await self.recover(gateway)
                _ = await gateway.captureDue(limit: 8)
                await self.deliver(gateway, process)
                await self.reportOpen(gateway)
            }.value
        }
    }
}

extension SimulatorEntry {
    /// What an acquirer reports of it; `nil` for what it does not know the end of itself.
    var reported: AcquirerQueryOutcome? {
        if let approvedAmount {
            return .approved(AcquirerApproval(amount: approvedAmount, answer: self.answer))
        }
        return self.declineReason.map { .declined(AcquirerDecline(reason: $0, answer: self.answer)) }
    }
}
