//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AsyncHTTPClient
import CryptoExtras
import Foundation
import NIOCore
import StrictJSON
import WalletSimulator
import X509

/// A shop that speaks AlphaPay to a running sandbox: signs its calls, and mints the tokens that its customers' phones
/// would.
struct Shop: Sendable {
    private let base: String
    private let merchantCode: String
    private let keyVersion: String
    private let key: _RSA.Signing.PrivateKey
    private let device: SimulatedDevice
    private let recipient: ProcessingPublicKey
    private let merchantIdentifier: String

    init(_ server: RunningServer) throws {
        let announcement = server.announcement
        guard let base = announcement["http"]?.string, let merchant = announcement["merchants"]?["alphapay"],
            let code = merchant["merchantCode"]?.string, let keyPath = merchant["privateKey"]?.string,
            let identifier = merchant["merchantIdentifier"]?.string, let rootPath = announcement["trustRoot"]?.string
        else { throw BenchError("the sandbox announces no AlphaPay merchant") }
        self.base = base
        self.merchantCode = code
        self.keyVersion = merchant["keyVersion"]?.string ?? merchant["keyVersion"]?.numberText ?? "1"
        self.key = try _RSA.Signing.PrivateKey(pemRepresentation: String(contentsOfFile: keyPath, encoding: .utf8))
        self.merchantIdentifier = identifier
        let authority = URL(filePath: rootPath).deletingLastPathComponent()
        var texts: [TestAuthority.Archive.Name: String] = [:]
        for name in TestAuthority.Archive.Name.allCases {
            texts[name] = try? String(contentsOf: authority.appending(path: name.rawValue), encoding: .utf8)
        }
        self.device = SimulatedDevice(authority: try TestAuthority(archive: TestAuthority.Archive(texts: texts)))
        let folder = URL(filePath: keyPath).deletingLastPathComponent()
        let certificate = try Self.processingCertificate(in: folder)
        self.recipient = try ProcessingPublicKey(certificate: certificate)
    }

    private static func processingCertificate(in folder: URL) throws -> Certificate {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        where name.hasSuffix(".pem") {
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            if let certificate = try? Certificate(pemEncoded: text), Certificate.isP256(certificate) {
                return certificate
            }
        }
        throw BenchError("the sandbox merchant has no processing certificate")
    }

    /// What this machine's cores do when they do nothing but sign.
    func signaturesPerSecond() throws -> Double {
        let count = 400
        let message = Data(repeating: 1, count: 300)
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let seconds = Harness.seconds {
            DispatchQueue.concurrentPerform(iterations: cores) { _ in
                for _ in 0..<count { _ = try? self.key.signature(for: message, padding: .insecurePKCS1v1_5) }
            }
        }
        return Double(count * cores) / seconds
    }

    /// Creates that many orders and pays each.
    func pay(_ count: Int) async throws {
        let lanes = 64
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<lanes {
                group.addTask {
                    for index in stride(from: lane, to: count, by: lanes) { try await self.payOnce(index) }
                }
            }
            try await group.waitForAll()
        }
    }

    private func payOnce(_ index: Int) async throws {
        let order = try await self.call(
            "/api/v2.0/payments/apple-pay/preOrder",
            [
                "paymentRequestId": .string("bench-\(UUID().uuidString)"),
                "order": [
                    "orderAmount": ["value": "1099", "currency": "CAD"], "description": "Benchmark order",
                ],
            ])
        guard let paymentID = order["paymentId"]?.string else { throw BenchError("no order was made") }
        let token = try self.device.mint(
            PaymentRequest(merchantIdentifier: self.merchantIdentifier, amountMinorUnits: 1099, currencyCode: "124"),
            card: .visa, recipient: self.recipient, signingTime: Date())
        let paid = try await self.call(
            "/api/v2.0/payments/apple-pay/pay", ["paymentId": .string(paymentID), "token": token.paymentToken])
        guard paid["paymentStatus"]?.string == "SUCCESS" else { throw BenchError("an order was not paid") }
    }

    private func call(_ path: String, _ body: JSON) async throws -> JSON {
        let bytes = body.serialized()
        let time = ISO8601DateFormatter().string(from: Date())
        let nonce = UUID().uuidString.replacingOccurrences(of: "-", with: "")
        let message = Data("POST \(path)\n\(self.merchantCode).\(time).\(nonce).".utf8) + Data(bytes)
        let signature = try self.key.signature(for: message, padding: .insecurePKCS1v1_5).rawRepresentation
            .base64EncodedString().addingPercentEncoding(withAllowedCharacters: .alphanumerics)
        var request = HTTPClientRequest(url: self.base + path)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json; charset=UTF-8")
        request.headers.add(name: "Merchant-Code", value: self.merchantCode)
        request.headers.add(name: "Request-Time", value: time)
        request.headers.add(name: "Nonce", value: nonce)
        request.headers.add(
            name: "Signature",
            value: "algorithm=RS256,keyVersion=\(self.keyVersion),signature=\(signature ?? "")")
        request.body = .bytes(ByteBuffer(bytes: bytes))
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
        let answer = try await response.body.collect(upTo: 1 << 20)
        return try JSON.parse(answer.readableBytesView)
    }
}

extension Certificate {
    fileprivate static func isP256(_ certificate: Certificate) -> Bool {
        (try? ProcessingPublicKey(certificate: certificate)) != nil
            && certificate.subject.description.contains("Payment Processing")
    }
}
