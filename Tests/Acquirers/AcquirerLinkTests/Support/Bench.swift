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
        port: Int, secret: AcquirerLinkSecret? = nil, expecting description: AcquirerLinkDescription? = nil,
        tls: AcquirerLinkTLS? = nil, settings: AcquirerLinkSettings = Bench.settings
    ) throws -> AcquirerLinkClient {
        AcquirerLinkClient(
            try description ?? Self.description(), host: "127.0.0.1", port: port, secret: secret ?? self.secret,
            tls: tls, settings: settings, surroundings: self.surroundings, logger: self.log.logger)
    }

    func server(
        _ acquirer: any Acquirer, tls: AcquirerLinkTLS? = nil, settings: AcquirerLinkSettings = Bench.settings
    ) -> AcquirerLinkServer {
        AcquirerLinkServer(
            acquirer, secret: self.secret, tls: tls, settings: settings, surroundings: self.surroundings,
            logger: self.log.logger)
    }

    // MARK: - Requests

    static let cad = Currency.alphabetic("CAD")

    static func money(_ minorUnits: Int64) throws -> Money {
        Money(minorUnits: minorUnits, currency: try #require(Currency.alphabetic("CAD")))
    }

    static func id(_ number: Int) -> OperationID {
        OperationID(at: Bench.at, random: [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)])
    }

    static func authorization(
        _ number: Int = 1, _ minorUnits: Int64 = 10_00, with instrument: PaymentInstrument = Bench.card
    ) throws -> AcquirerAuthorization {
        AcquirerAuthorization(
            operationID: self.id(number),
            paymentID: PaymentID(at: self.at, random: [UInt8(truncatingIfNeeded: number)]),
            merchantID: MerchantID(at: self.at, random: [1]), amount: try self.money(minorUnits), captures: false,
            instrument: instrument, at: self.at)
    }

    static func followUp(_ number: Int, of authorization: Int, _ minorUnits: Int64) throws -> AcquirerFollowUp {
        AcquirerFollowUp(
            operationID: self.id(number),
            paymentID: PaymentID(at: self.at, random: [UInt8(truncatingIfNeeded: authorization)]),
            merchantID: MerchantID(at: self.at, random: [1]), authorizationID: self.id(authorization),
            authorizationReference: "000000000001", amount: try self.money(minorUnits), isFinal: true, at: self.at)
    }

    static func reversal(_ number: Int, of target: Int, _ minorUnits: Int64) throws -> AcquirerReversal {
        AcquirerReversal(
            operationID: self.id(number),
            paymentID: PaymentID(at: self.at, random: [UInt8(truncatingIfNeeded: target)]),
            merchantID: MerchantID(at: self.at, random: [1]), targetID: self.id(target), targetReference: nil,
            amount: try self.money(minorUnits), reason: .outcomeUnknown, at: self.at)
    }

    static func query(_ number: Int) -> AcquirerQuery {
        AcquirerQuery(
            operationID: self.id(number),
            paymentID: PaymentID(at: self.at, random: [UInt8(truncatingIfNeeded: number)]),
            merchantID: MerchantID(at: self.at, random: [1]), at: self.at)
    }

    /// The request of every call.
    static func requests() throws -> [LinkRequest] {
        [
            .authorize(try self.authorization()), .verify(try self.authorization(1, 0)),
            .capture(try self.followUp(2, of: 1, 10_00)), .refund(try self.followUp(3, of: 1, 10_00)),
            .adjust(try self.followUp(4, of: 1, 10_00)), .reverse(try self.reversal(5, of: 1, 10_00)),
            .query(self.query(1)),
        ]
    }
}

extension AcquirerLinkClient {
    /// Makes a call, whichever it is.
    func make(_ request: LinkRequest) async -> LinkOutcome { await request.answer(by: self) }
}

extension LinkRequest {
    /// A word of this call's kind.
    func unknown(_ word: String) -> LinkOutcome {
        self.call == .query ? .query(.unknown(word)) : .operation(.unknown(word))
    }

    /// An approval of this call's kind.
    func approved(_ reference: String = "000000000001") throws -> LinkOutcome {
        let approval = AcquirerApproval(
            amount: try Bench.money(10_00), answer: AcquirerAnswer(reference: reference, responseCode: "00"))
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
