//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import ConnectorKit
import Payments

/// What came of a call. The HTTP status alone says nothing about an outcome.
enum RadialReply: Sendable {
    /// A message of the service's, under a status of success.
    case read(Reading)
    /// Something else under a status of success: a document of another name, or nothing at all. What a settlement is
    /// acknowledged by is not public, and the vendor's SDK reads no more of it than the status.
    case received(XMLReply?)
    /// A refusal of the list.
    case fault(RadialFault)
    case notProcessed(NotProcessed)
    case unknown(UnknownOutcome)

    init(_ reply: UpstreamReply) {
        switch reply {
        case .notProcessed(let not): self = .notProcessed(not)
        case .unknown(let unknown): self = .unknown(unknown)
        case .answered(let reading, let reply): self.init(reading, of: reply)
        }
    }

    private init(_ reading: Reading, of reply: ClientReply) {
        let isSuccess = (200...299).contains(reply.status)
        guard case .xml(let xml) = reading.body else {
            let document = XMLReply(reply.body)
            if isSuccess, document.map({ $0.root != "html" }) ?? reply.body.isEmpty {
                self = .received(document)
                return
            }
            // A reply under the status of a refusal: one of the two is wrong.
            let isReply = document?.root.hasSuffix("Reply") == true
            self = isSuccess || isReply ? .unknown(.unclear("answer_unreadable")) : Self(status: reply.status)
            return
        }
        guard xml.root == "Fault" else {
            self = isSuccess ? .read(reading) : .unknown(.unclear("http_\(reply.status)"))
            return
        }
        switch reply.status {
        case 400, 404...407, 409...424, 426...428, 430...499, 200...299:
            if let fault = RadialFault(code: reading.code) {
                self = .fault(fault)
            } else {
                self = isSuccess ? .unknown(.unclear("fault_not_understood")) : Self(status: reply.status)
            }
        // What these say is the same with any words.
        default: self = Self(status: reply.status)
        }
    }

    private init(status: Int) {
        switch UpstreamReply(status: status) {
        case .notProcessed(let not): self = .notProcessed(not)
        case .unknown(let unknown): self = .unknown(unknown)
        case .answered: self = .unknown(.unclear("http_\(status)"))
        }
    }

    /// Whether the service has said anything about the request itself.
    var isAnswer: Bool {
        switch self {
        case .read, .fault: true
        case .received, .notProcessed, .unknown: false
        }
    }

    var isRefusalOfKey: Bool {
        switch self {
        case .notProcessed(let not): not.reason == .notAuthorized
        case .fault(let fault): fault.meaning == .caller
        case .read, .received, .unknown: false
        }
    }

    /// What it is to whoever waits for a reply that says something.
    static let unreadable = UnknownOutcome.unclear("answer_unreadable")
}
