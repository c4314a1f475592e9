//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import AsyncHTTPClient
public import Clients
import HTTPTypes
import NIOCore
import NIOHTTP1
import Redaction

/// Why a payment service gave no answer that can be read.
public struct ShopWireError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and what to do. Never anything of what was sent.
    public let description: String

    public init(_ description: String) {
        self.description = description
    }
}

/// The way from the shop's server to its payment service, with somebody who watches.
public struct ShopWire: Sendable {
    public enum Event: Sendable {
        case sent(ClientRequest)
        case answered(ClientReply)
        case failed(ShopWireError)
    }

    public typealias Send = @Sendable (ClientRequest) async throws(ShopWireError) -> ClientReply

    private let send: Send
    private let watch: @Sendable (Event) -> Void

    public init(send: @escaping Send, watch: @escaping @Sendable (Event) -> Void = { _ in }) {
        self.send = send
        self.watch = watch
    }

    /// The same way, watched by somebody else.
    func watched(by watch: @escaping @Sendable (Event) -> Void) -> ShopWire {
        ShopWire(send: self.send, watch: watch)
    }

    public func call(_ request: ClientRequest) async throws(ShopWireError) -> ClientReply {
        self.watch(.sent(request))
        do throws(ShopWireError) {
            let reply = try await self.send(request)
            self.watch(.answered(reply))
            return reply
        } catch {
            self.watch(.failed(error))
            throw error
        }
    }
}

extension ShopWire {
    private static let answerBytesMax = 1 << 20
    /// Longer than the gateway takes for an answer.
    private static let timeoutSeconds: Int64 = 50

    /// Over HTTP, to a gateway whose address may be known only once it listens: "http://127.0.0.1:8080".
    public static func http(
        _ client: HTTPClient, gatewayURL: @escaping @Sendable () async throws(ShopWireError) -> String
    ) -> ShopWire {
        ShopWire { request throws(ShopWireError) in
            let url = try await gatewayURL() + request.path
            do {
                var message = HTTPClientRequest(url: url)
                message.method = HTTPMethod(rawValue: request.method.rawValue)
                for (name, value) in request.headers { message.headers.add(name: name, value: value.reveal()) }
                let content = request.body.reveal()
                if !content.isEmpty { message.body = .bytes(ByteBuffer(bytes: content)) }
                let response = try await client.execute(message, timeout: .seconds(Self.timeoutSeconds))
                let body = try await response.body.collect(upTo: Self.answerBytesMax)
                var headers = HTTPFields()
                for header in response.headers {
                    guard let name = HTTPField.Name(header.name) else { continue }
                    headers.append(HTTPField(name: name, value: header.value))
                }
                return ClientReply(
                    status: Int(response.status.code), headers: headers, body: Array(body.readableBytesView))
            } catch {
                throw ShopWireError("The payment service did not answer. Look at the server's log, and try again.")
            }
        }
    }
}
