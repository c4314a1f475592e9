//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Payments
import Synchronization
import TestRandom

/// The merchants' servers: they take payments, capture, refund and void them, and ask again until they know.
final class Shops: Sendable {
    private let languages: [any ShopLanguage]
    private let receipts: Receipts
    private let urls: Mutex<[String]>
    private let isClosing = Mutex(false)

    /// Gives up at once when nobody listens.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration.singletonConfiguration
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    init(_ languages: [any ShopLanguage], urls: [String], receipts: Receipts) {
        self.languages = languages
        self.receipts = receipts
        self.urls = Mutex(urls)
    }

    /// Shops of every dialect's demo merchant.
    static func ofAllDialects(_ cluster: Cluster, receipts: Receipts, notifyURL: String) throws -> Shops {
        func merchant(_ name: String) throws -> ShopMerchant {
            try ShopMerchant(name, announcement: cluster.announcement)
        }
        return Shops(
            [
                CommWebShop(merchant: try merchant("commweb"), usesCard: false),
                PAYONEShop(merchant: try merchant("payone")), RadialShop(merchant: try merchant("radial")),
                try AlphaPayShop(merchant: try merchant("alphapay"), notifyURL: notifyURL),
                TapPayShop(merchant: try merchant("tappay"), notifyURL: notifyURL),
                CommWebShop(merchant: try merchant("commweb"), usesCard: true),
            ], urls: cluster.urls, receipts: receipts)
    }

    /// Begins no more orders; those that are begun go on to their end.
    func closeUp() { self.isClosing.withLock { $0 = true } }

    /// One shop, until ``closeUp()``.
    func trade(_ number: Int, random: SeededRandom) async throws {
        var random = random
        var ordersCount = 0
        while !self.isClosing.withLock({ $0 }), !Task.isCancelled {
            let language = self.languages[(number + ordersCount) % self.languages.count]
            ordersCount += 1
            try await self.order("s\(number)o\(ordersCount)", language, &random)
        }
    }

    /// The life of one order.
    private func order(_ name: String, _ language: any ShopLanguage, _ random: inout SeededRandom) async throws {
        let amount = self.amount(&random)
        guard let preparation = try await self.prepare(name, amount, language, &random) else { return }
        let opening = try language.authorize(name, minorUnits: amount, preparation: preparation)
        guard let authorized = await self.ask(opening, &random), authorized.answer == .approved else { return }
        var number = 0
        let handle = authorized.handle
        func next(_ make: (Int) -> ShopRequest, _ random: inout SeededRandom) async -> Bool {
            number += 1
            return await self.ask(make(number), &random)?.answer == .approved
        }
        if language.captures != .withAuthorization, Int.random(in: 0..<4, using: &random) == 0 {
            _ = await next({ language.void(name, $0, authorized: amount, handle: handle) }, &random)
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
                guard await next({ language.capture(name, $0, minorUnits: part, handle: handle) }, &random) else {
                    return
                }
                captured += part
            }
        case .atOnce:
            guard await next({ language.capture(name, $0, minorUnits: amount, handle: handle) }, &random) else {
                return
            }
            captured = amount
        case .withAuthorization: captured = amount
        }
        // A third at a time is no more than any of the captures.
        let part = captured / 3
        for index in 0..<Int.random(in: 0...2, using: &random) {
            let capture = index % capturesCount + 1
            let refund = { (number: Int) in
                language.refund(name, number, ofCapture: capture, minorUnits: part, handle: handle)
            }
            guard await next(refund, &random) else { return }
        }
    }

    /// - Returns: what the payment needs; `nil` when the shop has closed meanwhile.
    private func prepare(
        _ name: String, _ amount: Int64, _ language: any ShopLanguage, _ random: inout SeededRandom
    ) async throws -> String? {
        while !Task.isCancelled {
            // Made anew for every try: nothing has been paid yet.
            guard let request = try language.prepare(name, minorUnits: amount) else { return "" }
            if let answer = await self.send(request, &random) {
                if answer.answer == .approved { return answer.handle }
                throw ChaosError("\(request.key) was refused: \(answer.answer)")
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
    private func ask(_ request: ShopRequest, _ random: inout SeededRandom) async -> ShopAnswer? {
        self.receipts.begin(request.key, request.kind, minorUnits: request.minorUnits)
        var isFirst = true
        while !Task.isCancelled {
            if !isFirst {
                self.receipts.countRepeat()
                await Timer.pause(milliseconds: Int64.random(in: 20...200, using: &random))
            }
            isFirst = false
            guard let answer = await self.send(request, &random) else { continue }
            self.receipts.file(answer.answer, for: request.key)
            if Int.random(in: 0..<8, using: &random) == 0, let again = await self.send(request, &random) {
                self.receipts.countRepeat()
                self.receipts.file(again.answer, for: request.key)
            }
            return answer
        }
        return nil
    }

    /// To one gateway of those that there are.
    private func send(_ request: ShopRequest, _ random: inout SeededRandom) async -> ShopAnswer? {
        guard let url = self.urls.withLock({ $0 }).randomElement(using: &random) else { return nil }
        return await Self.send(request, to: url)
    }

    /// - Returns: `nil` when nothing definite was answered.
    static func send(_ request: ShopRequest, to url: String) async -> ShopAnswer? {
        var message = HTTPClientRequest(url: url + request.path)
        message.method = HTTPMethod(rawValue: request.method)
        for (name, value) in request.headers() { message.headers.add(name: name, value: value) }
        message.body = .bytes(ByteBuffer(bytes: request.body))
        guard let response = try? await Self.client.execute(message, timeout: .seconds(15)),
            let body = try? await response.body.collect(upTo: 1 << 20)
        else { return nil }
        return request.read(response.status.code, String(buffer: body))
    }
}
