//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectConformance
import DialectKit
import HTTPTypes
import PAYONE
import Payments
import SimulatorAcquirer
import StrictJSON
import TestGateway
import Testing

@Suite struct EncodingTests {
    private static func isOrdinary(_ reply: Reply) -> Bool { reply.status == "APPROVED" }

    @Test(arguments: ["/post-gateway/", "/post-gateway", "/post-gateway/Preauthorization", "/post-gateway/x"])
    func takesEveryPath(path: String) async throws {
        let shop = try await TestShop.open()
        #expect(Self.isOrdinary(try await shop.send(shop.preauthorization().urlEncoded(path: path))))
        #expect(
            Self.isOrdinary(
                try await shop.send(
                    shop.preauthorization(reference: "2").multipart(path: path, accept: "application/json"))))
    }

    /// The same name in every way in which a shop may write it, and as it comes back in a notification.
    @Test(
        arguments: [
            ("UTF-8", FormCharset.utf8, false), ("ISO-8859-1", .latin1, false), (nil, .latin1, false),
            ("UTF-8", .utf8, true), ("iso-8859-1", .latin1, true), (nil, .latin1, true),
        ] as [(String?, FormCharset, Bool)])
    func readsTextInItsCharset(encoding: String?, charset: FormCharset, isMultipart: Bool) async throws {
        let shop = try await TestShop.open()
        let form = try shop.preauthorization().with("encoding", encoding).with("param", "Müßiggang & Öl")
            .with("lastname", "Öz")
        let request = isMultipart ? form.multipart(as: charset) : form.urlEncoded(as: charset)
        #expect(Self.isOrdinary(try await shop.send(request)))
        #expect(try await shop.sent().first?["param"] == "Müßiggang & Öl")
    }

    /// Without `encoding` the Content-Type may say it.
    @Test func readsTheCharsetOfTheContentType() async throws {
        let shop = try await TestShop.open()
        var request = try shop.preauthorization().with("encoding", nil).with("param", "Öl").urlEncoded(as: .utf8)
        request.headers[.contentType] = "application/x-www-form-urlencoded; charset=utf-8"
        #expect(Self.isOrdinary(try await shop.send(request)))
        #expect(try await shop.sent().first?["param"] == "Öl")
    }

    /// Text of another charset would be read as something that nobody wrote.
    @Test(arguments: ["utf-16", "windows-1252", "shift_jis", "bogus"])
    func refusesAnUnknownCharsetOfTheContentType(label: String) async throws {
        let shop = try await TestShop.open()
        let form = try shop.preauthorization().with("param", "x")
        var request = form.with("encoding", nil).urlEncoded()
        request.headers[.contentType] = "application/x-www-form-urlencoded; charset=\(label)"
        let reply = try await shop.send(request)
        #expect(reply.errorCode == 1201 && reply.message.contains("charset"))
        #expect(try await shop.test.payments().isEmpty)
        // The parameter goes first, whatever the Content-Type says.
        request.body = form.with("encoding", "UTF-8").urlEncoded().body
        #expect(Self.isOrdinary(try await shop.send(request)))
    }

    @Test func writesWhatLatin1LacksAsAQuestionMark() async throws {
        let shop = try await TestShop.open()
        #expect(Self.isOrdinary(try await shop.send(shop.preauthorization().with("param", "5 € für Łódź"))))
        #expect(try await shop.sent().first?["param"] == "5 ? für ?ód?")
    }

    @Test func refusesTextThatIsNotInItsCharset() async throws {
        let shop = try await TestShop.open()
        let form = try shop.preauthorization().with("firstname", "Zoë")
        let reply = try await shop.send(form.urlEncoded(as: .latin1))
        #expect(reply.errorCode == 2013 && reply.message.contains("{firstname}"))
        let other = try await shop.send(form.with("encoding", "UTF-16"))
        #expect(other.errorCode == 1201 && other.message.contains("{encoding}"))
        // What nobody asks for may be anything.
        #expect(Self.isOrdinary(try await shop.send(shop.preauthorization().with("x", "ë").urlEncoded(as: .latin1))))
    }

    // MARK: - Answers

    @Test(arguments: [
        nil, "*/*", "text/plain", "text/html,application/xhtml+xml", "application/json;q=0", "application/json; q=0.0",
        "application/jsonp",
    ])
    func answersInLines(accept: String?) async throws {
        let shop = try await TestShop.open()
        let response = await shop.payone.respond(to: try shop.preauthorization().urlEncoded(accept: accept))
        #expect(response.headers[.contentType] == "text/plain; charset=UTF-8" && response.status == .ok)
        let lines = String(decoding: response.body, as: UTF8.self).split(separator: "\n")
        #expect(lines.map { String($0.prefix { $0 != "=" }) } == ["status", "txid", "userid"])
        #expect(lines.first == "status=APPROVED")
    }

    @Test(arguments: [
        "application/json", "Application/JSON", "text/plain, application/json;q=0.5", "application/json; charset=utf-8",
    ])
    func answersInJSON(accept: String) async throws {
        let shop = try await TestShop.open()
        let response = await shop.payone.respond(to: try shop.preauthorization().urlEncoded(accept: accept))
        #expect(response.headers[.contentType] == "application/json; charset=UTF-8" && response.status == .ok)
        let json = try JSON.parse(response.body)
        #expect(json.object?.names == ["Status", "TxId", "UserId"])
        #expect(json["Status"] == "APPROVED" && json["TxId"]?.string?.count == 9)
    }

    @Test func answersErrorsInJSON() async throws {
        let shop = try await TestShop.open()
        let form = try shop.preauthorization().with("amount", "1001").with("language", "de")
        let response = await shop.payone.respond(to: form.multipart(accept: "application/json"))
        let json = try JSON.parse(response.body)
        #expect(response.status == .ok && json.object?.names == ["Status", "Error"] && json["Status"] == "ERROR")
        #expect(json["Error"]?.object?.names == ["ErrorCode", "ErrorMessage", "CustomerMessage"])
        #expect(json["Error"]?["ErrorCode"] == "2700")
        #expect(json["Error"]?["CustomerMessage"]?.string?.hasPrefix("Die Zahlung") == true)
    }

    // MARK: - Errors on the way

    @Test(
        arguments: [
            (nil, "a=1"), ("application/json", "{}"), ("text/plain", "a=1"), ("multipart/form-data", "a=1"),
            ("application/x-www-form-urlencoded", "a=%zz"), ("application/x-www-form-urlencoded", "a=1&a=2"),
            ("multipart/form-data; boundary=b", "--b\r\n"),
        ] as [(String?, String)])
    func refusesBodiesThatAreNoForm(contentType: String?, body: String) async throws {
        let shop = try await TestShop.open()
        var request = try shop.preauthorization().urlEncoded()
        request.headers[.contentType] = contentType
        request.body = Array(body.utf8)
        #expect(try await shop.send(request).errorCode == 900007)
    }

    @Test func saysThatCompressedBodiesAreNotTaken() async throws {
        let shop = try await TestShop.open()
        var request = try shop.preauthorization().urlEncoded()
        request.headers[.contentEncoding] = "gzip"
        let refused = try await shop.send(request)
        #expect(refused.errorCode == 900007 && refused.message.contains("Content-Encoding"))
    }

    @Test(arguments: [
        (WireFailure.pathUnknown, 900001), (.methodNotAllowed(allowed: [.post]), 900002),
        (.bodyTooLarge(bytesMax: 100), 900003), (.bodyIncomplete, 900004), (.timedOut, 900005), (.overloaded, 904),
    ])
    func reportsFailuresOnTheWay(failure: WireFailure, code: Int) async throws {
        let shop = try await TestShop.open()
        let request = try shop.preauthorization().with("language", "fr").urlEncoded(accept: "application/json")
        let response = await shop.payone.answer(to: failure, request: request)
        let reply = try Reply(response)
        #expect(reply.errorCode == code && response.headers[.contentType] == "application/json; charset=UTF-8")
        #expect(reply["customermessage"]?.contains("paiement") == (failure != .overloaded))
        if case .methodNotAllowed = failure { #expect(response.headers[.allow] == "POST") }
        if case .overloaded = failure { #expect(response.headers[.retryAfter] == "1") }
        if case .bodyTooLarge = failure { #expect(reply.message.contains("100 bytes")) }
        var empty = request
        empty.body = []
        #expect(try Reply(await shop.payone.answer(to: failure, request: empty)).errorCode == code)
    }

    /// Whatever is changed of a good request, the answer has the dialect's shape, and nothing is paid twice. Seeded.
    @Test func answersEveryChangedByteInItsShape() async throws {
        let shop = try await TestShop.open()
        let form = try shop.preauthorization(request: "authorization")
        var state: UInt64 = 7
        func random(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(count))
        }
        for request in [form.urlEncoded(), form.multipart(accept: "application/json")] {
            for _ in 0..<300 {
                var changed = request
                for _ in 0...random(3) {
                    let index = random(changed.body.count)
                    switch random(3) {
                    case 0: changed.body[index] = UInt8(random(256))
                    case 1: changed.body.removeSubrange(index..<min(index + 1 + random(40), changed.body.count))
                    default: changed.body.insert(contentsOf: [0x26, 0x3D, 0x25][0...random(3)], at: index)
                    }
                }
                _ = try await shop.send(changed)
            }
        }
        #expect(try await shop.test.bookedCount(.authorization) <= 1)
    }

    @Test func refusesBodiesThatAreTooLarge() async throws {
        let shop = try await TestShop.open()
        let form = try shop.preauthorization()
        var large = form.urlEncoded()
        large.body += Array("&x=".utf8) + Array(repeating: 0x61, count: 300 * 1024)
        #expect(try await shop.send(large).errorCode == 900003)
        #expect(try await shop.test.payments().isEmpty)
    }
}
