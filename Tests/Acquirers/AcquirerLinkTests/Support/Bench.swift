//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Logging
import Money
import NIOPosix
import Payments
import Redaction
import SimulatorAcquirer
import Synchronization
import TestRandom
import Testing
import Time

@testable import AcquirerLink

/// What every test of the link is made with: a secret, time that stands still, a log that is looked at.
final class Bench: Sendable {
    static let at = Timestamp(seconds: 1_780_000_000)
    static let pan = "4895370012345671"
    static let cryptogram: [UInt8] = Array("cryptogram-that-nobody-must-see".utf8)
    static let card = PaymentInstrument.networkToken(
        NetworkToken(
            pan: Redacted(Bench.pan), expiryYearMonth: "2812", proof: .cryptogram(Redacted(Bench.cryptogram)), eci: "05"
        ))
    static let secretBytes: [UInt8] = Array("a secret that both ends know well".utf8)
    static let settings = AcquirerLinkSettings(callMilliseconds: 30_000, handshakeMilliseconds: 5000)

    let time = ManualTime()
    let log = LogLines()
    let secret: AcquirerLinkSecret
    private let random = Mutex(SeededRandom(seed: 1))

    init() throws {
        self.secret = try AcquirerLinkSecret(Redacted(Bench.secretBytes))
    }

    static func description() throws -> AcquirerLinkDescription {
        let simulator = SimulatorAcquirer(book: try .inMemory())
        return AcquirerLinkDescription(name: simulator.name, capabilities: simulator.capabilities)
    }

    static func offer(_ book: AcquirerBookID? = nil) throws -> LinkHandshake.Offer {
        LinkHandshake.Offer(acquirer: try self.description(), book: book)
    }

    static func bookID(_ number: UInt8) -> AcquirerBookID { AcquirerBookID(at: self.at, random: [number]) }

    var surroundings: AcquirerLinkSurroundings {
        AcquirerLinkSurroundings(
            sleep: { try await self.time.sleep($0) }, now: { self.time.now },
            random: { count in
                self.random.withLock { random in
                    (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
                }
            })
    }

    func client(
        port: Int, standbys: [Int] = [], secret: AcquirerLinkSecret? = nil,
        expecting description: AcquirerLinkDescription? = nil,
        book: AcquirerLinkBookRecord = .none, tls: AcquirerLinkTLS? = nil,
        settings: AcquirerLinkSettings = Bench.settings
    ) throws -> AcquirerLinkClient {
        AcquirerLinkClient(
            try description ?? Self.description(),
            at: ([port] + standbys).map { AcquirerLinkEndpoint(host: "127.0.0.1", port: $0, tls: tls) },
            secret: secret ?? self.secret, book: book, settings: settings, surroundings: self.surroundings,
            logger: self.log.logger)
    }

    /// An acquirer's process with a book of its own.
    func server(_ book: SimulatorBook) -> AcquirerLinkServer {
        AcquirerLinkServer(
            SimulatorConnector(book: book), secret: self.secret, settings: Bench.settings,
            surroundings: self.surroundings, logger: self.log.logger)
    }

    func server(
        _ acquirer: any Acquirer, tls: AcquirerLinkTLS? = nil, settings: AcquirerLinkSettings = Bench.settings
    ) -> AcquirerLinkServer {
        AcquirerLinkServer(
            acquirer, secret: self.secret, tls: tls, settings: settings, surroundings: self.surroundings,
            logger: self.log.logger)
    }

    // MARK: - Requests

    static let cad = Currency.alphabetic("CAD") ?? iso4217Missing()
    static let merchantID = MerchantID(at: Bench.at, random: [1])

    static func money(_ minorUnits: Int64) -> Money { Money(minorUnits: minorUnits, currency: self.cad) }

    static func id(_ number: Int) -> OperationID {
        OperationID(at: Bench.at, random: [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)])
    }

    static func paymentID(_ number: Int) -> PaymentID {
        PaymentID(at: self.at, random: [UInt8(truncatingIfNeeded: number)])
    }

    /// A request of the payment that the number names.
    static func perform(
        _ number: Int, of payment: Int, _ minorUnits: Int64, _ action: AcquirerRequest.Action
    ) -> LinkRequest {
        .perform(
            AcquirerRequest(
                operationID: self.id(number), paymentID: self.paymentID(payment), merchantID: self.merchantID,
                amount: self.money(minorUnits), begunAt: self.at, action: action))
    }

    static func authorization(
        _ number: Int = 1, _ minorUnits: Int64 = 10_00, with instrument: PaymentInstrument = Bench.card
    ) -> LinkRequest {
        self.perform(number, of: number, minorUnits, .authorize(Charge(instrument: instrument, network: .visa)))
    }

    /// An approved authorization, as what follows it names it.
    static func original(_ number: Int = 1, kind: PaymentOperation.Kind = .authorization) -> OriginalOperation {
        OriginalOperation(
            id: self.id(number), kind: kind, amount: self.money(10_00), begunAt: self.at,
            answer: AcquirerAnswer(reference: "000000000001"), authorizedTotal: self.money(10_00),
            capturedTotal: self.money(0))
    }

    static func capture(_ number: Int, of authorization: Int) -> LinkRequest {
        self.perform(number, of: authorization, 10_00, .capture(of: self.original(authorization), isFinal: true))
    }

    static func void(_ number: Int, of target: Int) -> LinkRequest {
        self.perform(number, of: target, 10_00, .void(self.original(target)))
    }

    static func reversal(_ number: Int, of target: Int) -> LinkRequest {
        self.perform(number, of: target, 10_00, .reverse(self.original(target)))
    }

    static func query(_ number: Int) -> LinkRequest {
        .query(
            AcquirerQuery(
                paymentID: self.paymentID(number), merchantID: self.merchantID, original: self.original(number),
                at: self.at))
    }

    /// The request of every call.
    /// Of the authorization that would follow.
    static func preparation(_ number: Int) -> LinkRequest {
        guard
            case .perform(let request) = self.perform(
                number, of: 1, 10_00, .authorize(Charge(instrument: self.card, network: .visa)))
        else { return self.authorization() }
        return .prepare(request)
    }

    static func requests() -> [LinkRequest] {
        [
            self.authorization(), self.perform(1, of: 1, 0, .verify(Charge(instrument: self.card, network: .visa))),
            self.capture(2, of: 1),
            self.perform(3, of: 1, 10_00, .refund(of: self.original(), capture: self.original(2, kind: .capture))),
            self.perform(4, of: 1, 12_00, .adjust(self.original())), self.void(5, of: 1), self.reversal(6, of: 1),
            self.query(1), self.preparation(7),
        ]
    }
}

private func iso4217Missing() -> Currency { fatalError("ISO 4217 has this currency") }

extension AcquirerLinkClient {
    /// Makes a call, whichever it is.
    func make(_ request: LinkRequest) async -> LinkOutcome { await request.answer(by: self) }
}

extension LinkRequest {
    /// How this call ends when the link fails: what is known not to have been sent was not processed, and nobody knows
    /// of anything else. What a query has no answer to is never more than unknown.
    func ended(_ failure: LinkFailure) -> LinkOutcome {
        let (outcome, word): (AcquirerOutcome, String) =
            switch failure {
            case .unreachable: Self.notProcessed(.notSent, "acquirer_unreachable")
            case .refused: Self.notProcessed(.notAuthorized, "acquirer_refused")
            case .signedOff: Self.notProcessed(.notSent, "signed_off")
            case .busy: Self.notProcessed(.busy, "acquirer_busy")
            case .requestTooLarge: Self.notProcessed(.requestRefused, "request_too_large")
            case .closed: Self.notProcessed(.notSent, "link_closed")
            case .connectionLost: Self.unclear("connection_lost")
            case .deadlinePassed: (.timedOut("deadline_passed"), "deadline_passed")
            case .garbledAnswer: Self.unclear("garbled_answer")
            case .cancelled: Self.unclear("call_cancelled")
            }
        if self.call == .prepare { return .preparation(.notProcessed(NotProcessed(.notSent, word))) }
        guard self.call == .query else { return .operation(outcome) }
        return .query(.unknown(failure == .deadlinePassed ? .timedOut(word) : .unclear(word)))
    }

    private static func notProcessed(_ reason: NotProcessedReason, _ word: String) -> (AcquirerOutcome, String) {
        (.notProcessed(NotProcessed(reason, word)), word)
    }

    private static func unclear(_ word: String) -> (AcquirerOutcome, String) { (.unclear(word), word) }

    /// An approval of this call's kind.
    func approved(_ reference: String = "000000000001") -> LinkOutcome {
        let approval = AcquirerApproval(
            amount: Bench.money(10_00), answer: AcquirerAnswer(reference: reference, responseCode: "00"))
        if self.call == .prepare { return .preparation(.ready(AcquirerMemo(handles: [reference]))) }
        return self.call == .query ? .query(.approved(approval)) : .operation(.approved(approval))
    }
}

/// Every line of a log, down to the finest.
final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { self.lines.withLock { $0 } }

    var logger: Logger {
        var logger = Logger(label: "link-tests") { _ in Handler(lines: self) }
        logger.logLevel = .trace
        return logger
    }

    private struct Handler: LogHandler {
        let lines: LogLines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { self.metadata[key] }
            set { self.metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            self.lines.lines.withLock { $0.append("\(event.level) \(event.message) \(event.metadata ?? [:])") }
        }
    }
}
