//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AsyncHTTPClient
import Clients
import Foundation
import HTTPTypes
import Hummingbird
import Money
import NIOCore
import NIOHTTP1
import Redaction
import StrictJSON
import TestServing
import Time
import WalletSimulator

@testable import pomona

/// A server on the loopback interface with everything of the proof that is not the gateway: the page of Apple's at which
/// signing requests are handed in, the shop's till, and the clock.
enum ProofShop {
    /// Serves while the body runs.
    ///
    /// - Parameter gateway: where the shop's API is; known once the gateway runs.
    static func run(
        _ world: ProofSurroundings, gateway: String, _ body: @escaping @Sendable (_ url: String) async throws -> Void
    ) async throws {
        let router = Router()
        router.get("/account") { _, _ in Self.html(Self.page) }
        router.post("/account/certificates") { request, _ in
            let json = try await Self.json(of: request)
            let kind = MerchantCertificateKind.allCases.first { "\($0)" == json["kind"]?.string }
            guard let kind, let identifier = json["identifier"]?.string, let pem = json["request"]?.string else {
                throw HTTPError(.badRequest)
            }
            return Response(
                status: .ok, headers: [.contentType: "application/pkix-cert"],
                body: .init(
                    byteBuffer: ByteBuffer(
                        bytes: try world.certify(kind, merchantIdentifier: identifier, signingRequestPEM: pem))))
        }
        router.post("/orders") { request, _ in
            let reading = try await world.pay(try Self.order(try await Self.json(of: request)), at: gateway)
            return Self.json(["outcome": .string(reading.outcome.rawValue), "text": .string(reading.text)])
        }
        router.get("/clock") { _, _ in Self.json(["now": .string(world.now().description)]) }
        router.post("/clock") { request, _ in
            world.pass(seconds: try await Self.json(of: request)["seconds"]?.integer ?? 0)
            return Self.json(["now": .string(world.now().description)])
        }
        try await LoopbackServer.run(router.buildResponder()) { try await body("http://127.0.0.1:\($0)") }
    }

    /// Sends what a client in a dialect has prepared.
    static func send(_ request: ClientRequest, _ client: any WireClient, to url: String) async throws -> Reading {
        let outgoing = try client.renewed(request)
        var message = HTTPClientRequest(url: url + outgoing.path)
        message.method = HTTPMethod(rawValue: outgoing.method.rawValue)
        for (name, value) in outgoing.headers { message.headers.add(name: name, value: value.reveal()) }
        message.body = .bytes(ByteBuffer(bytes: outgoing.body.reveal()))
        let response = try await HTTPClient.shared.execute(message, timeout: .seconds(60))
        let body = try await response.body.collect(upTo: 1 << 20)
        return client.read(
            ClientReply(status: Int(response.status.code), headers: [:], body: Array(body.readableBytesView)),
            to: outgoing)
    }

    // MARK: - Reading and writing

    private static func order(_ json: JSON) throws -> ProofOrder {
        guard let name = json["order"]?.string, let identifier = json["merchantIdentifier"]?.string,
            let units = json["minorUnits"]?.integer, let code = json["currency"]?.string,
            let currency = Currency.alphabetic(code), let merchantID = json["merchantId"]?.string,
            let password = json["password"]?.string
        else { throw HTTPError(.badRequest) }
        return ProofOrder(
            name: name, merchantIdentifier: identifier, amount: Money(minorUnits: units, currency: currency),
            merchantID: merchantID, password: Redacted(password))
    }

    private static func json(of request: Request) async throws -> JSON {
        let body = try await request.body.collect(upTo: 1 << 20)
        return try JSON.parse(Array(body.readableBytesView))
    }

    private static func json(_ json: JSON) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json"],
            body: .init(byteBuffer: ByteBuffer(bytes: json.serialized())))
    }

    private static func html(_ text: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: "text/html; charset=utf-8"],
            body: .init(byteBuffer: ByteBuffer(string: text)))
    }

    /// As little as Apple's own page for certificates has: a file goes in, a file comes out.
    private static let page = """
        <!doctype html><html lang="en"><title>Certificates</title><h1>Create a new certificate</h1>
        <form>
        <label>Certificate <select name="kind"><option value="paymentProcessing">Apple Pay Payment Processing</option>
        <option value="merchantIdentity">Apple Pay Merchant Identity</option></select></label>
        <label>Merchant ID <input name="identifier"></label>
        <label>Certificate Signing Request <input type="file" name="request"></label>
        <button>Continue</button> <a download="apple_pay.cer" hidden>Download</a>
        </form>
        <script>
        document.querySelector("form").addEventListener("submit", async (event) => {
            event.preventDefault();
            const form = event.target;
            const body = JSON.stringify({ kind: form.kind.value, identifier: form.identifier.value,
                request: await form.request.files[0].text() });
            const answer = await fetch("/account/certificates", { method: "POST", body });
            if (!answer.ok) { throw new Error(`status of ${answer.status}`); }
            const link = form.querySelector("a");
            link.href = URL.createObjectURL(await answer.blob());
            link.hidden = false;
        });
        </script></html>
        """
}
