//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Logging
public import Payments
public import Time

extension GatewaySettings {
    /// When an event is sent for the first time.
    func firstAttempt(of event: OutboxEvent) -> Timestamp {
        event.createdAt.adding(seconds: self.notificationDelaysSeconds[event.dialect] ?? 0)
    }

    /// How long from now a notification that nobody has tried yet is due at the latest, or the end of whoever tries it.
    fileprivate var deliverySecondsMax: Int64 {
        max(self.deliveryLeaseSeconds, self.notificationDelaysSeconds.values.max() ?? 0)
    }

    /// How long from now any is due at the latest, by the clock of whichever node may act by the time. What is due later was
    /// put there by a clock that has been set back since.
    var deliveryAheadSecondsMax: Int64 {
        max(self.deliverySecondsMax, self.notificationStepSecondsMax) + ClockTrust.differenceSecondsMax
    }
}

/// How an attempt to notify a merchant ended. The text is a word for the record ("http_200", "timeout"), never a body.
public enum DeliveryResult: Hashable, Sendable {
    case delivered(String)
    /// `nil`: the dialect's schedule is at its end, and the event is put aside as dead.
    case failed(String, retryAt: Timestamp?)
}

extension Gateway {
    /// Takes what is due to be sent: of every payment the oldest event that is not delivered, so that events arrive in
    /// order.
    public func leaseDeliveries(limit: Int) async throws(GatewayRefusal) -> [Delivery] {
        let now = self.clock()
        let leaseEnd = now.adding(seconds: self.settings.deliveryLeaseSeconds)
        let earlier = self.latestDelivery.isFollowed(by: now)
        return try await self.writing { transaction in
            // What was taken by the clock as it stood would have to wait until it stands there again.
            if let earlier {
                let settings = self.settings
                try transaction.makeDue(.deliver, at: now, dueBy: earlier.adding(seconds: settings.deliverySecondsMax))
                let latest = now.adding(seconds: settings.deliveryAheadSecondsMax)
                try transaction.makeDue(.deliver, at: now, dueAfter: latest)
            }
            return try transaction.lease(.deliver, dueBy: now, until: leaseEnd, limit: limit).compactMap { job in
                do {
                    return try self.delivery(for: job, at: now, in: transaction)
                } catch let error as StoreError {
                    // Rows of one payment that nobody can read keep nobody else's notifications: it is tried again when
                    // its lease ends.
                    guard case .corrupt = error else { throw error }
                    self.logger.error(
                        "a payment's notifications cannot be read",
                        metadata: ["payment": "\(job.paymentID)", "reason": "\(error)"])
                    return nil
                }
            }
        }
    }

    private func delivery(
        for job: Job, at now: Timestamp, in transaction: any StoreTransaction
    ) throws -> Delivery? {
        guard let event = try transaction.events(of: job.paymentID).first(where: { $0.state == .pending }),
            let delivery = try Gateway.delivery(of: event, in: transaction)
        else {
            try transaction.delete(.deliver, of: job.paymentID)
            return nil
        }
        // It has followed an earlier one. An event of a clock that was set back since waits no longer.
        let firstAttempt = self.settings.firstAttempt(of: event)
        guard event.attemptsCount > 0 || event.messageIndex > 0 || firstAttempt <= now || event.createdAt > now else {
            try transaction.update(Job(kind: .deliver, paymentID: job.paymentID, dueAt: firstAttempt))
            return nil
        }
        return delivery
    }

    /// An event as it is sent, for whoever asks what it says: with the payment in the version that it is about.
    ///
    /// - Returns: `nil` where there is no such operation.
    public func delivery(of event: OutboxEvent) async throws(GatewayRefusal) -> Delivery? {
        try await self.reading { try Gateway.delivery(of: event, in: $0) }
    }

    private static func delivery(of event: OutboxEvent, in reader: any StoreReader) throws -> Delivery? {
        guard let latest = try reader.payment(event.paymentID) else { return nil }
        let payment = latest.asOf(version: event.paymentVersion).asKnown
        guard let operation = payment.operation(event.operationID) else { return nil }
        let hasFailedSince = operation.state == .succeeded && latest.currentState(of: operation) != .succeeded
        let order = try payment.orderID.flatMap { try reader.order($0) }
        return Delivery(
            event: event, payment: payment, operation: operation, order: order, hasFailedSince: hasFailedSince)
    }

    /// Makes an event due, from its first message and with all tries of its dialect's schedule. One that is pending is tried
    /// sooner, and that try is none of its schedule's.
    @_spi(Administration)
    public static func resend(
        _ event: OutboxEvent, at now: Timestamp, in transaction: any StoreTransaction
    ) throws {
        var event = event
        if event.state != .pending {
            event.state = .pending
            event.messageIndex = 0
            event.attemptsCount = 0
            try transaction.update(event)
        } else if event.attemptsCount > 0, try self.isTriedSooner(event, at: now, in: transaction) {
            event.attemptsCount -= 1
            try transaction.update(event)
        }
        try transaction.schedule(Job(kind: .deliver, paymentID: event.paymentID, dueAt: now))
    }

    /// Whether it makes a difference that a pending event is made due: what is due already, and what waits for an earlier one,
    /// is tried no sooner.
    private static func isTriedSooner(
        _ event: OutboxEvent, at now: Timestamp, in transaction: any StoreTransaction
    ) throws -> Bool {
        guard let job = try transaction.job(.deliver, of: event.paymentID), job.dueAt > now else { return false }
        return try transaction.events(of: event.paymentID).first { $0.state == .pending }?.id == event.id
    }

    /// Deletes what merchants were notified of long enough ago (``GatewaySettings/eventsKeptSeconds``). What is still to be
    /// sent, and what was given up, stays whatever its age.
    ///
    /// - Parameter place: what was left to look at when it was done before. What stays is not walked over again: it may be
    ///   much. `nil` for the beginning, where there may be something again that was sent once more.
    /// - Returns: the place for the next time.
    @discardableResult
    public func deleteDeliveredEvents(after place: EventID? = nil) async throws(GatewayRefusal) -> EventID? {
        let moment = self.clock().adding(seconds: -self.settings.eventsKeptSeconds)
        var delivered = OutboxQuery(state: .delivered, after: place, limit: 1)
        delivered.to = moment
        delivered.oldestFirst = true
        // In small commits, for which no payment waits long; what is left after many waits for the next time.
        for _ in 0..<Self.deletionsMax {
            let query = delivered
            guard let first = try await self.reading({ try $0.events(query) }).first?.id else { break }
            let isDone = try await self.writing { transaction in
                guard try self.mayActByTime(in: transaction) else { return false }
                try transaction.deleteDeliveredEvents(from: first, before: moment, limit: Self.deletionBatch)
                return true
            }
            guard isDone else { break }
            delivered.after = first
        }
        return delivered.after
    }

    private static let deletionBatch = 500
    private static let deletionsMax = 2000

    /// Gives back what was taken and not tried. It is due again after so many seconds, or at once if somebody has asked
    /// for that meanwhile.
    public func postpone(_ held: [(delivery: Delivery, seconds: Int64)]) async throws(GatewayRefusal) {
        let now = self.clock()
        try await self.writing { transaction in
            for (delivery, seconds) in held {
                guard var job = try transaction.job(.deliver, of: delivery.payment.id), job.dueAt > now else {
                    continue
                }
                job.dueAt = now.adding(seconds: seconds)
                try transaction.update(job)
            }
        }
    }

    /// Records an attempt, and makes the event's next message due, or the next event of the payment, or this one again.
    ///
    /// - Parameters:
    ///   - delivery: on its way to the address to which it went.
    ///   - messagesCount: how many messages the dialect makes of the event.
    ///   - milliseconds: how long the attempt took.
    public func record(
        _ result: DeliveryResult, of delivery: Delivery, messagesCount: Int = 1, milliseconds: Int64? = nil
    ) async throws(GatewayRefusal) {
        let now = self.clock()
        try await self.writing { transaction in
            guard var event = try transaction.event(delivery.event.id), event.state == .pending,
                event.messageIndex == delivery.event.messageIndex
            else { return }
            try Gateway.observe(result, of: event, milliseconds: milliseconds, at: now, in: transaction)
            event.attemptsCount += 1
            event.target = delivery.event.target
            var nextDue = now
            switch result {
            case .delivered(let word):
                event.lastResult = word
                if event.messageIndex + 1 < messagesCount {
                    event.messageIndex += 1
                    event.attemptsCount = 0
                } else {
                    event.state = .delivered
                }
            case .failed(let word, let retryAt):
                event.lastResult = word
                if let retryAt { nextDue = retryAt } else { event.state = .dead }
            }
            try transaction.update(event)
            let hasMore = try transaction.events(of: event.paymentID).contains { $0.state == .pending }
            if hasMore {
                try transaction.update(Job(kind: .deliver, paymentID: event.paymentID, dueAt: nextDue))
            } else {
                try transaction.delete(.deliver, of: event.paymentID)
            }
        }
    }

    /// What is written of an attempt, for whoever asks what became of a webhook.
    private static func observe(
        _ result: DeliveryResult, of event: OutboxEvent, milliseconds: Int64?, at now: Timestamp,
        in transaction: any StoreTransaction
    ) throws {
        let earlier = try transaction.observations(
            .delivery, of: event.merchantID, subject: event.id.text, limit: Self.attemptsMax)
        // A webhook that is sent again and again by hand keeps its first attempts, and the last one.
        let number = min((earlier.last?.number ?? 0) + 1, Self.attemptsMax)
        let word =
            switch result {
            case .delivered(let word), .failed(let word, _): word
            }
        var facts = ["message": "\(event.messageIndex)", "result": word]
        facts["milliseconds"] = milliseconds.map { "\($0)" }
        try transaction.upsert(
            Observation(
                kind: .delivery, merchantID: event.merchantID, subject: event.id.text, number: number, at: now,
                facts: facts))
    }

    private static let attemptsMax = 1000
}
