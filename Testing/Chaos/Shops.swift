//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AsyncHTTPClient
import Clients
import HTTPTypes
import NIOCore
import NIOHTTP1
import Payments
import Redaction
import Synchronization
import TestRandom
import TestShop

/// The merchants' servers: they take payments, capture, refund and void them, and ask again until they know.
final class Shops: Sendable {
    private let languages: [ShopLanguage]
    private let receipts: Receipts
    private let urls: Mutex<[String]>
    private let isClosing = Mutex(false)

    /// Gives up at once when nobody listens.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration.singletonConfiguration
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    init(_ languages: [ShopLanguage], urls: [String], receipts: Receipts) {
        self.languages = languages
        self.receipts = receipts
        self.urls = Mutex(urls)
    }

    /// Shops of every dialect's demo merchant, as far as the service takes their money that they are paid through.
    static func ofAllDialects(_ cluster: Cluster, receipts: Receipts, notifyURL: String) throws -> Shops {
        let pairs = try ShopDialects.all.map { dialect in
            try cluster.service.map { try ServicePair(dialect: dialect.name, service: $0.name) }
                ?? ServicePair(dialect, over: nil)
        }
        var languages = try pairs.filter { $0.obstacle == nil }.map { pair in
            let merchant = try ShopMerchant(pair.shop.name, announcement: cluster.announcement)
            return try ShopLanguage(pair, merchant, notifyURL: notifyURL)
        }
        // Card numbers are for the simulated acquirer alone.
        if cluster.service == nil {
            languages += try languages.filter { $0.dialect.takesCards }.map { language in
                try ShopLanguage(
                    ServicePair(language.dialect, over: nil), language.merchant, usesCard: true, notifyURL: notifyURL)
            }
        }
        return Shops(languages, urls: cluster.urls, receipts: receipts)
    }

    /// The shops' clients, by dialect.
    var clients: [String: any WireClient] {
        Dictionary(self.languages.map { ($0.dialect.name, $0.client) }) { first, _ in first }
    }

    /// Begins no more orders; those that are begun go on to their end.
    func closeUp() { self.isClosing.withLock { $0 = true } }

    /// Many shops at once, each with a number and a random source of its own, until ``closeUp()``.
    func trade(_ numbers: Range<Int>, seed: UInt64) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in numbers {
                group.addTask {
                    try await self.trade(number, random: SeededRandom(seed: seed &+ UInt64(number) &* 7919))
                }
            }
            try await group.waitForAll()
        }
    }

    private func trade(_ number: Int, random: SeededRandom) async throws {
        var random = random
        var ordersCount = 0
        while !self.isClosing.withLock({ $0 }), !Task.isCancelled {
            let language = self.languages[(number + ordersCount) % self.languages.count]
            ordersCount += 1
            try await self.order("s\(number)o\(ordersCount)", language, &random)
        }
    }

    /// The life of one order.
    private func order(_ name: String, _ language: ShopLanguage, _ random: inout SeededRandom) async throws {
        let amount = self.amount(&random)
        guard let charge = try await self.prepare(name, amount, language, &random) else { return }
        let opening = try language.authorize(charge)
        guard let authorized = await self.ask(opening, &random), authorized.answer == .approved else { return }
        var number = 0
        let handle = charge.handle.merging(authorized.reading.handle) { $1 }
        func next(_ make: (Int) throws -> ShopCall, _ random: inout SeededRandom) async throws -> Bool {
            number += 1
            return await self.ask(try make(number), &random)?.answer == .approved
        }
        if language.captures != .withAuthorization, Int.random(in: 0..<4, using: &random) == 0 {
            _ = try await next({ try language.void(name, $0, authorized: amount, handle: handle) }, &random)
            return
        }
        var captured: Int64 = 0
        var capturesCount = 1
        switch language.captures {
        case .inParts:
            let parts = Int.random(in: 1...3, using: &random)
            capturesCount = parts
            for _ in 0..<parts {
                let part = amount / Int64(parts + 1)
                let capture = { (number: Int) in
                    try language.capture(name, number, minorUnits: part, handle: handle)
                }
                guard try await next(capture, &random) else { return }
                captured += part
            }
        case .atOnce:
            let capture = { (number: Int) in
                try language.capture(name, number, minorUnits: amount, handle: handle)
            }
            guard try await next(capture, &random) else { return }
            captured = amount
        case .withAuthorization: captured = amount
        }
        // A third at a time is no more than any of the captures.
        let part = captured / 3
        for index in 0..<Int.random(in: 0...2, using: &random) {
            // What is captured with its authorization is refunded by the authorization's name.
            let capture = language.captures == .withAuthorization ? 0 : index % capturesCount + 1
            let refund = { (number: Int) in
                try language.refund(name, number, ofCapture: capture, minorUnits: part, handle: handle)
            }
            guard try await next(refund, &random) else { return }
        }
    }

    /// - Returns: the payment with all that it needs; `nil` when the shop has closed meanwhile.
    private func prepare(
        _ name: String, _ amount: Int64, _ language: ShopLanguage, _ random: inout SeededRandom
    ) async throws -> ChargeFields? {
        while !Task.isCancelled {
            // Made anew for every try: nothing has been paid yet.
            var charge = try language.charge(name, minorUnits: amount)
            guard let preparation = try language.preparation(of: charge) else { return charge }
            if let answer = await self.send(preparation, &random) {
                charge.take(answer.reading)
                if answer.answer == .approved { return charge }
                throw ChaosError("What comes before \(preparation.key) was refused: \(answer.answer)")
            }
            if self.isClosing.withLock({ $0 }) { return nil }
            await Timer.pause(milliseconds: Int64.random(in: 20...200, using: &random))
        }
        return nil
    }

    /// Sometimes one at which the acquirer does something special: approves and is not heard, declines, never says.
    private func amount(_ random: inout SeededRandom) -> Int64 {
        switch Int.random(in: 0..<20, using: &random) {
        case 0: 5858
        case 1: 5757
        case 2: 6363
        default: 1000 + 120 * Int64.random(in: 0..<30, using: &random)
        }
    }

    /// Sends a request until there is a definite answer, and now and then once more.
    private func ask(_ request: ShopCall, _ random: inout SeededRandom) async -> ShopAnswer? {
        self.receipts.begin(request.key, request.kind, minorUnits: request.minorUnits)
        var triesCount = 0
        while !Task.isCancelled {
            if triesCount > 0 {
                self.receipts.countRepeat()
                await Timer.pause(milliseconds: Int64.random(in: 20...200, using: &random))
            }
            triesCount += 1
            let call = triesCount.isMultiple(of: 2) ? request.asInquiry ?? request : request
            guard let answer = await self.send(call, &random) else { continue }
            self.receipts.file(answer.answer, for: request.key)
            let isRepeatable = answer.answer == .approved || request.keepsItsFailure
            if Int.random(in: 0..<8, using: &random) == 0, isRepeatable, let again = await self.send(request, &random) {
                self.receipts.countRepeat()
                self.receipts.file(again.answer, for: request.key)
            }
            return answer
        }
        return nil
    }

    /// To one gateway of those that there are.
    private func send(_ request: ShopCall, _ random: inout SeededRandom) async -> ShopAnswer? {
        guard let url = self.urls.withLock({ $0 }).randomElement(using: &random) else { return nil }
        return await Self.send(request, to: url)
    }

    /// - Returns: `nil` when nothing definite was answered.
    static func send(_ request: ShopCall, to url: String) async -> ShopAnswer? {
        // Signatures are of their moment.
        guard let outgoing = try? request.client.renewed(request.request) else { return nil }
        var message = HTTPClientRequest(url: url + outgoing.path)
        message.method = HTTPMethod(rawValue: outgoing.method.rawValue)
        for (name, value) in outgoing.headers { message.headers.add(name: name, value: value.reveal()) }
        message.body = .bytes(ByteBuffer(bytes: outgoing.body.reveal()))
        guard let response = try? await Self.client.execute(message, timeout: .seconds(15)),
            let body = try? await response.body.collect(upTo: 1 << 20)
        else { return nil }
        var headers = HTTPFields()
        for header in response.headers {
            if let name = HTTPField.Name(header.name) { headers.append(HTTPField(name: name, value: header.value)) }
        }
        return request.read(
            ClientReply(status: Int(response.status.code), headers: headers, body: Array(body.readableBytesView)))
    }
}
