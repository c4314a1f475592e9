//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit
public import Gateway
public import Logging
import Payments
public import ServiceLifecycle
import Time

/// Notifies merchants of what happened to their payments: takes what is due from the outbox, has the dialect write it,
/// sends it, and records how that ended. Of one payment, events go out one after the other, in order.
///
/// An event is sent at least once: a crash between an answer and its record sends it again.
public struct WebhookWorker: Service {
    private let gateway: Gateway
    private let dialects: [DialectName: any Dialect]
    private let settings: WebhookSettings
    private let sender: NotificationSender
    private let places: TargetPlaces
    private let steadyNanoseconds: @Sendable () -> Int64
    private let wait: @Sendable (_ milliseconds: Int64) async throws -> Void
    private let logger: Logger

    /// - Parameters:
    ///   - resolver: finds the addresses of merchants' hosts.
    ///   - steadyNanoseconds: of a clock that nobody sets, by which it is measured how long an attempt takes.
    ///   - wait: how the worker passes the time when nothing is due. A commit of this process that makes something due
    ///     ends it (``DueSignal``); what others have committed is found when it is over.
    ///   - passAttempt: passes the time that an attempt may take.
    public init(
        gateway: Gateway, dialects: [any Dialect], settings: WebhookSettings = WebhookSettings(),
        resolver: Resolver = .system, logger: Logger, steadyNanoseconds: @escaping @Sendable () -> Int64,
        wait: @escaping @Sendable (_ milliseconds: Int64) async throws -> Void = {
            try await Task.sleep(for: .milliseconds($0))
        },
        passAttempt: @escaping @Sendable (_ seconds: Int64) async throws -> Void = {
            try await Task.sleep(for: .seconds($0))
        }
    ) {
        self.gateway = gateway
        self.dialects = Dictionary(dialects.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        self.settings = settings
        self.sender = NotificationSender(
            check: TargetCheck(resolver: resolver), timeoutSeconds: settings.timeoutSeconds, sleep: passAttempt)
        self.places = TargetPlaces(settings)
        self.steadyNanoseconds = steadyNanoseconds
        self.wait = wait
        self.logger = logger
    }

    private enum LoopEvent: Sendable {
        case attemptEnded
        case waited
        case woken
    }

    /// Works until the service is asked to stop; what is under way then is brought to its end.
    ///
    /// It looks at the outbox once at a time: what becomes due during a look is found by one more, however much it is.
    public func run() async throws {
        await withTaskGroup(of: LoopEvent.self) { group in
            var underWayCount = 0
            var (isWaiting, isListening) = (false, false)
            while !Task.isShuttingDownGracefully, !Task.isCancelled {
                let room = self.settings.concurrencyMax - underWayCount
                let deliveries = room > 0 ? await self.lease(limit: room) : []
                for addressed in deliveries {
                    underWayCount += 1
                    group.addTask {
                        _ = await self.deliver(addressed)
                        return .attemptEnded
                    }
                }
                if !isWaiting {
                    isWaiting = true
                    group.addTask {
                        try? await cancelWhenGracefulShutdown { try await self.wait(self.settings.idleMilliseconds) }
                        return .waited
                    }
                }
                if !isListening {
                    isListening = true
                    group.addTask {
                        await cancelWhenGracefulShutdown { await self.gateway.deliveriesDue.wait() }
                        return .woken
                    }
                }
                switch await group.next() {
                case .attemptEnded: underWayCount -= 1
                case .woken: isListening = false
                case .waited, nil: isWaiting = false
                }
            }
        }
    }

    /// One pass over what is due: at most ``WebhookSettings/concurrencyMax`` notifications.
    @discardableResult
    public func deliverDue() async -> WebhookReport {
        let deliveries = await self.lease(limit: self.settings.concurrencyMax)
        return await withTaskGroup(of: WebhookReport.self) { group in
            for addressed in deliveries { group.addTask { await self.deliver(addressed) } }
            return await group.reduce(into: WebhookReport()) { total, one in
                total.deliveredCount += one.deliveredCount
                total.failedCount += one.failedCount
                total.unrecordedCount += one.unrecordedCount
            }
        }
    }

    /// The most that is taken of a backlog, and put back, before what may be sent is.
    private static let leaseRoundsMax = 16

    /// What is to be sent, and what is known of its merchant.
    private struct Addressed: Sendable {
        /// On its way to ``address``, where there is one.
        let delivery: Delivery
        /// `nil` where the account cannot be opened, or the dialect is not spoken here.
        let merchant: Result<MerchantContext?, any Error>
        /// `nil` where the account is to name one, and names none.
        let address: String?
    }

    /// Whose accounts have been looked up, each once in a look at the outbox.
    private struct Merchants {
        struct Name: Hashable {
            let merchant: MerchantID
            let dialect: DialectName

            init(_ event: OutboxEvent) {
                self.merchant = event.merchantID
                self.dialect = event.dialect
            }
        }

        var known: [Name: Result<MerchantContext?, any Error>] = [:]
    }

    /// Looks up the accounts that are not known yet, at once: they are waited for while the deliveries are leased.
    private func lookUp(_ due: [Delivery], for merchants: inout Merchants) async {
        let missing = Dictionary(due.map { (Merchants.Name($0.event), $0) }) { first, _ in first }
            .filter { name, _ in self.dialects[name.dialect] != nil && merchants.known[name] == nil }
        typealias Found = (name: Merchants.Name, merchant: Result<MerchantContext?, any Error>)
        let found = await withTaskGroup(of: Found.self) { group in
            for (name, delivery) in missing {
                group.addTask {
                    do {
                        return (name, .success(try await self.gateway.merchantContext(for: delivery)))
                    } catch {
                        // One account that cannot be read keeps nobody else's notifications: the attempt ends by it.
                        return (name, .failure(error))
                    }
                }
            }
            return await group.reduce(into: [Found]()) { $0.append($1) }
        }
        for one in found { merchants.known[one.name] = one.merchant }
    }

    /// Where a delivery goes now: its server's places are asked for before it is sent.
    private func addressed(_ delivery: Delivery, _ merchants: Merchants) -> Addressed {
        let event = delivery.event
        guard let dialect = self.dialects[event.dialect] else {
            return Addressed(delivery: delivery, merchant: .success(nil), address: event.target)
        }
        let merchant = merchants.known[Merchants.Name(event)] ?? .success(nil)
        guard case .success(let context?) = merchant else {
            return Addressed(delivery: delivery, merchant: merchant, address: event.target)
        }
        let address = dialect.notifyURL(for: delivery, merchant: context)
        return Addressed(
            delivery: address.map(delivery.addressed(to:)) ?? delivery, merchant: merchant, address: address)
    }

    /// Takes what is due, but not what a server that is slow or silent would keep: that is due again later.
    private func lease(limit: Int) async -> [Addressed] {
        var admitted: [Addressed] = []
        var merchants = Merchants()
        do {
            for _ in 0..<Self.leaseRoundsMax where admitted.count < limit {
                // Not one by one, where one place is free and a long backlog waits for a slow server.
                let batch = min(max(limit - admitted.count, 16), self.settings.concurrencyMax)
                let due = try await self.gateway.leaseDeliveries(limit: batch)
                var held: [(delivery: Delivery, seconds: Int64)] = []
                await self.lookUp(due, for: &merchants)
                for delivery in due {
                    let addressed = self.addressed(delivery, merchants)
                    if let seconds = addressed.address.flatMap(self.places.holdSeconds) {
                        held.append((delivery, seconds))
                    } else {
                        admitted.append(addressed)
                    }
                }
                guard !held.isEmpty else { break }
                try await self.gateway.postpone(held)
            }
        } catch {
            self.logger.error("notifications cannot be taken from the outbox", metadata: ["reason": "\(error)"])
        }
        return admitted
    }

    private func deliver(_ addressed: Addressed) async -> WebhookReport {
        let delivery = addressed.delivery
        var sending: TargetPlaces.Sending?
        defer { if let address = addressed.address { self.places.ended(address, sending) } }
        do {
            let begun = self.steadyNanoseconds()
            let attempt = try await self.attempt(addressed)
            sending = attempt.sending
            try await self.gateway.record(
                attempt.result, of: delivery, messagesCount: attempt.messagesCount,
                milliseconds: self.milliseconds(since: begun))
            self.log(attempt.result, of: delivery)
            switch attempt.result {
            case .delivered: return WebhookReport(deliveredCount: 1)
            case .failed: return WebhookReport(failedCount: 1)
            }
        } catch {
            self.logger.error(
                "notification is unrecorded and will be sent again",
                metadata: ["event": "\(delivery.event.id)", "reason": "\(error)"])
            return WebhookReport(unrecordedCount: 1)
        }
    }

    private func milliseconds(since begun: Int64) -> Int64 { (self.steadyNanoseconds() - begun) / 1_000_000 }

    /// How an attempt ended.
    private struct Attempt {
        let result: DeliveryResult
        /// How many messages the dialect makes of the event.
        let messagesCount: Int
        /// What the merchant's server did; `nil` where nothing was sent to it.
        var sending: TargetPlaces.Sending?
    }

    /// - Throws: `GatewayRefusal` when the store cannot be read.
    private func attempt(_ addressed: Addressed) async throws -> Attempt {
        var delivery = addressed.delivery
        guard let dialect = self.dialects[delivery.event.dialect] else {
            // Another process may speak it. There is no schedule to go by: an hour.
            let retryAt = self.gateway.now().adding(seconds: 3600)
            return Attempt(result: .failed("dialect_not_loaded", retryAt: retryAt), messagesCount: 1)
        }
        guard var merchant = try addressed.merchant.get() else {
            return Attempt(result: self.failure("account_not_found", of: delivery, dialect), messagesCount: 1)
        }
        let messagesCount = dialect.notificationsCount(for: delivery)
        guard messagesCount > delivery.event.messageIndex else {
            return Attempt(result: .delivered(OutboxEvent.noMessageResult), messagesCount: messagesCount)
        }
        // The merchant has taken the address away: it is tried as if a server were gone, so that an address that is set again
        // in time loses nothing, and is dead, for a person to send, where none is.
        guard addressed.address != nil else {
            return Attempt(result: self.failure("no_address", of: delivery, dialect), messagesCount: messagesCount)
        }
        if !merchant.hasWebhookSecret {
            // An account of before there were such secrets, or one that is notified for the first time.
            try await self.gateway.ensureWebhookSecret(
                of: delivery.event.merchantID, dialect: delivery.event.dialect)
            merchant = try await self.gateway.merchantContext(for: delivery) ?? merchant
            // The account is read anew: its present secrets go to its present address alone.
            guard let address = dialect.notifyURL(for: delivery, merchant: merchant) else {
                return Attempt(result: self.failure("no_address", of: delivery, dialect), messagesCount: messagesCount)
            }
            delivery = delivery.addressed(to: address)
        }
        let (result, sending) = await self.send(delivery, dialect, merchant)
        return Attempt(result: result, messagesCount: messagesCount, sending: sending)
    }

    private func send(
        _ delivery: Delivery, _ dialect: any Dialect, _ merchant: MerchantContext
    ) async -> (DeliveryResult, TargetPlaces.Sending?) {
        let notification: OutgoingNotification
        do {
            notification = try dialect.notification(for: delivery, merchant: merchant)
                .signed(as: delivery, by: merchant, at: self.gateway.now())
        } catch {
            self.logger.error(
                "notification cannot be written",
                metadata: [
                    "event": "\(delivery.event.id)", "merchant": "\(merchant.merchant.id)", "reason": "\(error)",
                ])
            return (self.failure("not_writable", of: delivery, dialect), nil)
        }
        let begun = self.steadyNanoseconds()
        func sending(hasTimedOut: Bool = false) -> TargetPlaces.Sending {
            TargetPlaces.Sending(milliseconds: self.milliseconds(since: begun), hasTimedOut: hasTimedOut)
        }
        do throws(SendFailure) {
            let answer = try await self.sender.send(
                notification, to: delivery.event.target,
                within: self.settings.allowsPrivateTargets && delivery.payment.mode == .sandbox
                    ? .anywhere : .publicInternet)
            if dialect.isAcknowledged(status: answer.status, body: answer.body) {
                return (.delivered("http_\(answer.status)"), sending())
            }
            let word = answer.status == 200 ? "not_acknowledged" : "http_\(answer.status)"
            return (self.failure(word, of: delivery, dialect), sending())
        } catch {
            return (self.failure(error.rawValue, of: delivery, dialect), sending(hasTimedOut: error == .timedOut))
        }
    }

    private func failure(_ word: String, of delivery: Delivery, _ dialect: any Dialect) -> DeliveryResult {
        let delay = dialect.retrySchedule.delaySeconds(
            afterAttempts: delivery.event.attemptsCount + 1)
        return .failed(word, retryAt: delay.map { self.gateway.now().adding(seconds: $0) })
    }

    private func log(_ result: DeliveryResult, of delivery: Delivery) {
        var metadata: Logger.Metadata = [
            "event": "\(delivery.event.id)", "kind": "\(delivery.event.kind.rawValue)",
            "attempt": "\(delivery.event.attemptsCount + 1)",
        ]
        switch result {
        case .delivered(let word):
            metadata["result"] = "\(word)"
            self.logger.info("merchant notified", metadata: metadata)
        case .failed(let word, let retryAt):
            metadata["result"] = "\(word)"
            metadata["retry"] = retryAt.map { "\($0)" } ?? "never"
            self.logger.warning("merchant not notified", metadata: metadata)
        }
    }
}
