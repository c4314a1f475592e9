//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Deadlines
import DialectKit
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import Synchronization

/// What answers a request: a service, or the server itself for health and metrics.
///
/// Every request ends in one line of the log and one count, and neither holds anything of what was sent: routes are
/// named by their pattern, never by the path, because paths hold ids.
struct ServerResponder: HTTPResponder {
    typealias Context = ConnectionContext

    let services: [any WireService]
    let limits: ServerLimits
    let operations: OperationsPages
    let telemetry: RequestTelemetry
    let inFlight = InFlightCount()
    private let bodies: BodyBudget
    private let closing = ClosingChannels()
    private let storeWaitMilliseconds: @Sendable () -> Int64
    private let onRefusal: @Sendable (RefusedWireCall) -> Void
    private let receiveDeadlines: Deadlines
    private let answerDeadlines: Deadlines
    private var readsClientCertificates = false
    private var offer = ListenerOffer.everything
    private var strictTransportSecurity: String?

    init(
        services: [any WireService], limits: ServerLimits, storeWaitMilliseconds: @escaping @Sendable () -> Int64,
        operations: OperationsPages, telemetry: RequestTelemetry,
        onRefusal: @escaping @Sendable (RefusedWireCall) -> Void = { _ in }
    ) {
        self.onRefusal = onRefusal
        self.services = services
        self.limits = limits
        self.storeWaitMilliseconds = storeWaitMilliseconds
        self.operations = operations
        self.telemetry = telemetry
        self.bodies = BodyBudget(
            bytesMax: limits.unfinishedBodyBytesMax, perNetworkMax: limits.unfinishedBodyBytesPerAddressMax,
            exempt: limits.proxyAddresses)
        let sleep = { @Sendable (milliseconds: Int64) in try await Task.sleep(for: .milliseconds(milliseconds)) }
        self.receiveDeadlines = Deadlines(milliseconds: limits.receiveTimeoutMilliseconds, sleep: sleep)
        self.answerDeadlines = Deadlines(milliseconds: limits.answerTimeoutMilliseconds, sleep: sleep)
    }

    /// The same, for one listener.
    func at(_ listener: ListenerConfiguration) -> ServerResponder {
        var copy = self
        copy.readsClientCertificates = listener.tls?.asksForCertificate == true
        copy.offer = listener.offer
        // RFC 6797, section 7.2: never without TLS.
        if listener.tls != nil, let seconds = listener.strictTransportSeconds {
            copy.strictTransportSecurity = "max-age=\(seconds)"
        }
        return copy
    }

    func respond(to request: Request, context: ConnectionContext) async -> Response {
        var exchange = Exchange(request: request, on: context.channel.eventLoop, started: .now)
        var response = await self.answer(&exchange, request, context)
        // A service answers HEAD as GET, and what GET would send stays here (RFC 9110, section 9.3.2).
        if request.method == .head { response = response.createHeadResponse() }
        response.headers[.requestID] = exchange.id
        // What a service says of itself stands.
        if response.headers[.xContentTypeOptions] == nil { response.headers[.xContentTypeOptions] = "nosniff" }
        response.headers[.strictTransportSecurity] = self.strictTransportSecurity
        if !exchange.isRequestRead {
            response.headers[.connection] = "close"
            // Closing at once would reset the connection under the answer (RFC 9112, section 9.6).
            let channel = context.channel
            self.closing.insert(channel)
            channel.eventLoop.scheduleTask(in: .milliseconds(self.limits.lingerMilliseconds)) {
                channel.close(promise: nil)
            }
        }
        // What no service has named: the server's own refusals, and pages beside the dialects.
        if exchange.refusal == nil, response.status.code >= 400 {
            exchange.refusal = WireRefusal(status: response.status)
        }
        self.telemetry.record(
            exchange, response: response, inFlight: self.inFlight.current, unfinishedBodyBytes: self.bodies.bytesCount)
        if let refusal = exchange.refusal, let service = exchange.service {
            self.onRefusal(
                exchange.call.refused(
                    as: refusal, by: service, requestID: exchange.id, reachedRoute: exchange.reachedRoute))
        }
        return response
    }

    private func answer(
        _ exchange: inout Exchange, _ request: Request, _ context: ConnectionContext
    ) async -> Response {
        exchange.id = self.telemetry.makeRequestID()
        // Before all else: what follows such a head on the connection is not to be trusted either.
        if let framing = RequestFraming(request) { return framing.response }
        if self.closing.contains(context.channel) { return Self.connectionEnds }
        guard let target = RequestTarget(request.head.path ?? "") else {
            exchange.isRequestRead = exchange.hasNoBody
            return OperationsPages.failure(
                .badRequest, code: "bad_target", "The request's target must be a path that begins with a solidus.")
        }
        if let page = OperationsPages.Page(path: target.path), self.offer.has(page) {
            exchange.route = target.path
            exchange.isRequestRead = exchange.hasNoBody
            return await self.operations.response(page, method: request.method)
        }
        guard self.offer.hasServices, let service = self.services.first(where: { $0.owns(target.path) }) else {
            exchange.isRequestRead = exchange.hasNoBody
            return OperationsPages.failure(
                .notFound, code: "not_found", "There is nothing under this path. No dialect of this gateway owns it.")
        }
        exchange.service = service.label
        var wire = WireRequest(
            method: request.method, path: target.path, query: target.query, headers: request.headers,
            authority: request.authority, remoteAddress: context.channel.remoteAddress?.ipAddress)
        if self.readsClientCertificates { wire.clientCertificate = await ClientCertificate(of: context.channel) }
        switch service.match(method: request.method, path: target.path) {
        case .route(let route, let parameters):
            return await self.take(request, wire, route, parameters, of: service, &exchange)
        case .methodNotAllowed(let allowed):
            exchange.isRequestRead = exchange.hasNoBody
            let response = await service.answer(to: .methodNotAllowed(allowed: allowed), request: wire)
            return Self.response(response, &exchange)
        case .pathUnknown:
            exchange.isRequestRead = exchange.hasNoBody
            return Self.response(await service.answer(to: .pathUnknown, request: wire), &exchange)
        }
    }

    /// Reads the body and calls the route with it.
    private func take(
        _ request: Request, _ head: WireRequest, _ route: WireRoute, _ parameters: RouteParameters,
        of service: any WireService, _ exchange: inout Exchange
    ) async -> Response {
        var wire = head
        exchange.route = route.path.text
        let bytesMax = min(route.bodyBytesMax, self.limits.bodyBytesMax)
        let share = self.bodies.share(of: wire.remoteAddress)
        defer { share.giveBack() }
        let received =
            exchange.hasNoBody ? .success([]) : await self.receive(request, bytesMax: bytesMax, share: share)
        switch received {
        case .success(let body):
            exchange.bodyBytesCount = body.count
            exchange.isRequestRead = true
            wire.body = body
            // Only now: a body that is slow to come takes nobody's place, and one that has come leaves the connection as
            // it was.
            let count = self.inFlight.enter()
            defer { self.inFlight.leave() }
            if let reason = self.overload(count) {
                self.telemetry.countShed(reason)
                return Self.response(await service.answer(to: .overloaded, request: wire), &exchange)
            }
            exchange.reachedRoute = true
            return Self.response(await self.call(route, parameters, of: service, wire, exchange.call), &exchange)
        case .failure(let error):
            if error == .noRoom { self.telemetry.countShed(.bodies) }
            guard let failure = error.wireFailure else { return Self.bodyMalformed }
            return Self.response(await service.answer(to: failure, request: wire), &exchange)
        }
    }

    /// No service's answer: what is no HTTP was sent by none of its clients.
    private static var bodyMalformed: Response {
        OperationsPages.failure(
            .badRequest, code: "body_malformed", "The body is not chunked as HTTP has it (RFC 9112, section 7.1).")
    }

    private static var connectionEnds: Response {
        OperationsPages.failure(
            .badRequest, code: "connection_ends",
            "The answer before this one was the connection's last. Send the request again on another.")
    }

    /// Why a request is refused rather than begun; `nil` when it is not.
    private func overload(_ inFlight: Int) -> RequestTelemetry.Shed? {
        if inFlight > self.limits.requestsMax { return .requests }
        return self.storeWaitMilliseconds() > self.limits.storeWaitMillisecondsMax ? .store : nil
    }

    private static func response(_ wire: WireResponse, _ exchange: inout Exchange) -> Response {
        exchange.refusal = wire.refusal
        exchange.caller = wire.caller
        var headers = wire.headers
        headers[.contentLength] = nil
        let body =
            wire.stream.map { ResponseBody(stream: $0, on: exchange.eventLoop) }
            ?? (wire.body.isEmpty ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(bytes: wire.body)))
        return Response(status: wire.status, headers: headers, body: body)
    }
}

// MARK: - Time and size

/// Why a body was not read to its end.
private enum ReceiveError: Error, Equatable {
    case tooLarge(bytesMax: Int)
    case incomplete
    /// It is not chunked as it says.
    case malformed
    /// There are too many bytes in unfinished bodies.
    case noRoom

    /// What a service answers; `nil` where the server does.
    var wireFailure: WireFailure? {
        switch self {
        case .tooLarge(let bytesMax): .bodyTooLarge(bytesMax: bytesMax)
        case .incomplete: .bodyIncomplete
        case .malformed: nil
        case .noRoom: .overloaded
        }
    }
}

extension ServerResponder {
    /// The whole body, if it is no longer than that and arrives in time.
    private func receive(
        _ request: Request, bytesMax: Int, share: BodyBudget.Share
    ) async -> Result<[UInt8], ReceiveError> {
        let announced = request.headers[.contentLength].flatMap { Int($0) }
        if let announced, announced > bytesMax { return .failure(.tooLarge(bytesMax: bytesMax)) }
        let body = request.body
        let reading = Task { () throws -> [UInt8] in
            var bytes: [UInt8] = []
            if let announced { bytes.reserveCapacity(announced) }
            for try await part in body {
                guard bytes.count + part.readableBytes <= bytesMax else {
                    throw ReceiveError.tooLarge(bytesMax: bytesMax)
                }
                guard share.take(part.readableBytes) else { throw ReceiveError.noRoom }
                bytes.append(contentsOf: part.readableBytesView)
            }
            // A body that is cut off, by the client or by the deadline, ends like one that is complete.
            if Task.isCancelled { throw ReceiveError.incomplete }
            if let announced, bytes.count != announced { throw ReceiveError.incomplete }
            return bytes
        }
        let deadline = self.receiveDeadlines.enter { reading.cancel() }
        share.reads { reading.cancel() }
        // Also a canceled reading is waited for: nobody else may read from the connection until it has ended.
        let result = await reading.result
        share.readingEnded()
        deadline.leave()
        if share.isGivenUp { return .failure(.noRoom) }
        switch result {
        case .success(let bytes): return .success(bytes)
        case .failure(let error as ReceiveError): return .failure(error)
        // The parser calls an end before the last chunk so: a body that was cut off.
        case .failure(HTTPParserError.invalidEOFState): return .failure(.incomplete)
        case .failure(is HTTPParserError): return .failure(.malformed)
        case .failure: return .failure(.incomplete)
        }
    }

    /// Calls the route and waits for its answer, but no longer than the limit. The call itself is never canceled,
    /// because money may be moving.
    private func call(
        _ route: WireRoute, _ parameters: RouteParameters, of service: any WireService, _ request: WireRequest,
        _ call: WireCall
    ) async -> WireResponse {
        let answer = await self.answerDeadlines.run(nil) {
            await call.answer { await route.handle(request, parameters) } as WireResponse?
        }
        if let answer { return answer }
        return await service.answer(to: .timedOut, request: request)
    }
}

/// How many requests are being worked on.
final class InFlightCount: Sendable {
    private let count = Atomic<Int>(0)

    /// The count with the one that enters.
    func enter() -> Int { self.count.wrappingAdd(1, ordering: .relaxed).newValue }

    var current: Int { self.count.load(ordering: .relaxed) }

    func leave() {
        self.count.wrappingSubtract(1, ordering: .relaxed)
    }
}

extension Request {
    /// The host that the client asks for; `nil` where it names none.
    fileprivate var authority: String? { self.head.authority.flatMap { $0.isEmpty ? nil : $0 } }
}

/// The connections on which the last answer has been given. RFC 9112, section 9.6: what still comes there is not worked
/// on. It may be the rest of a request that another program on the way has read in another way.
final class ClosingChannels: Sendable {
    private let channels = Mutex<Set<ObjectIdentifier>>([])

    func contains(_ channel: any Channel) -> Bool { self.channels.withLock { $0.contains(ObjectIdentifier(channel)) } }

    func insert(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        guard self.channels.withLock({ $0.insert(id).inserted }) else { return }
        channel.closeFuture.whenComplete { [self] _ in _ = self.channels.withLock { $0.remove(id) } }
    }
}
