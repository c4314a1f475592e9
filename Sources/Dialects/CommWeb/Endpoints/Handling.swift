//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Gateway
import HTTPTypes
import StrictJSON

/// What is known of a call when it is refused.
private struct CallTrace {
    var operation: APIOperation?
    var correlationID: String?
}

extension CommWeb {
    /// Every answer is in the flavor of its request, errors too.
    func handle(_ request: WireRequest, _ endpoint: Endpoint, _ parameters: RouteParameters) async -> WireResponse {
        var trace = CallTrace(operation: endpoint.operation)
        var refusal: WireRefusal?
        var answer: Answer
        do throws(CommWebError) {
            // Whether the gateway is there is asked in any version: the vendor's own instructions ask in the first.
            if endpoint.operation == .checkGateway {
                answer = Self.checkGateway()
            } else {
                let version = try APIVersion(text: parameters["version"] ?? "")
                let (call, caller) =
                    switch endpoint.flavor {
                    case .rest: try await self.readREST(request, endpoint, parameters, version, &trace)
                    case .nvp: try await self.readNVP(request, version, &trace)
                    }
                try caller.checkPermission(for: call)
                answer = try await self.perform(call, caller)
                if endpoint.method == .get { answer.status = .ok }
            }
        } catch {
            answer = Answer(error)
            refusal = WireRefusal(error.code, of: trace.operation)
        }
        answer.fields.set("correlationId", trace.correlationID)
        var response = Self.response(answer, in: endpoint.flavor)
        response.refusal = refusal
        return request.namingCoding(in: response)
    }

    /// CHECK_GATEWAY needs no authentication.
    private static func checkGateway() -> Answer {
        var fields = AnswerFields()
        fields.set("gatewayVersion", Self.gatewayVersion)
        fields.set("status", "OPERATING")
        return Answer(fields)
    }

    /// 5 to 32 characters.
    static let gatewayVersion = "Pomona 1.0"

    /// Who calls is known before the body is read, but for old mobile SDKs, which do not authenticate.
    private func readREST(
        _ request: WireRequest, _ endpoint: Endpoint, _ parameters: RouteParameters, _ version: APIVersion,
        _ trace: inout CallTrace
    ) async throws(CommWebError) -> (Call, Caller) {
        let merchantID = parameters["merchant"] ?? ""
        let credentials = try Credentials.header(of: request)
        let isAnonymous = credentials == nil && request.clientCertificate == nil
        let mayBeLegacy =
            isAnonymous && endpoint == .updateSession && version.number < APIVersion.firstWithSessionAuthentication
        var caller: Caller?
        if !mayBeLegacy {
            caller = try await self.authenticator.caller(
                merchantID: merchantID, credentials: credentials, from: request)
        }
        let fields =
            endpoint.method == .get
            ? try RESTCodec.fields(ofQuery: request.query) : try RESTCodec.fields(of: request)
        trace.correlationID = try Call.correlationID(fields)
        if mayBeLegacy {
            guard fields["apiOperation"]?.string == APIOperation.updatePayerDataName else {
                throw CommWebError(.credentialsInvalid)
            }
            caller = try await self.authenticator.legacyCaller(
                merchantID: merchantID, sessionID: parameters["session"] ?? "")
        }
        guard let caller else { throw CommWebError(.credentialsInvalid) }
        let operation = try Self.operation(of: endpoint, fields)
        trace.operation = operation
        let call = try Call(
            version: version, operation: operation, orderID: parameters["order"],
            transactionID: parameters["transaction"], sessionID: parameters["session"], fields: fields)
        return (call, caller)
    }

    /// The operation of a REST endpoint. Where the URL names it, the field may be left out, but may not contradict.
    private static func operation(
        of endpoint: Endpoint, _ fields: RequestFields
    ) throws(CommWebError) -> APIOperation {
        guard let fixed = endpoint.operation else {
            let operation = try APIOperation(reading: fields)
            guard operation.isTransaction else { throw APIOperation.misplaced(operation) }
            return operation
        }
        if fields.contains("apiOperation") {
            let operation = try APIOperation(reading: fields)
            guard operation == fixed else { throw APIOperation.misplaced(operation) }
        }
        return fixed
    }

    /// The form flavor has its credentials, its ids and its operation in fields; a header or a certificate is taken
    /// too.
    private func readNVP(
        _ request: WireRequest, _ version: APIVersion, _ trace: inout CallTrace
    ) async throws(CommWebError) -> (Call, Caller) {
        if let problem = request.contentCodingProblem { throw CommWebError(.mediaTypeNotSupported, problem) }
        let fields = try NVPCodec.fields(of: request.body, contentType: request.headers[.contentType])
        trace.correlationID = try Call.correlationID(fields)
        let merchantID = try fields.requiredText("merchant", max: 40)
        let written = try Credentials.fields(fields)
        let credentials = try written == nil ? Credentials.header(of: request) : written
        let caller = try await self.authenticator.caller(
            merchantID: merchantID, credentials: credentials, from: request)
        let operation = try APIOperation(reading: fields)
        trace.operation = operation
        guard operation != .checkGateway else { throw APIOperation.misplaced(operation) }
        let call = try Call(
            version: version, operation: operation,
            sessionID: operation.isOfSession ? try fields.text("session.id", max: 35) : nil, fields: fields)
        return (call, caller)
    }

    func perform(_ call: Call, _ caller: Caller) async throws(CommWebError) -> Answer {
        switch call.operation {
        case .authorize, .pay, .verify: try await self.initialTransaction(call, caller)
        case .capture, .refund, .void, .updateAuthorization: try await self.subsequentTransaction(call, caller)
        case .retrieveTransaction: try await self.retrieveTransaction(call, caller)
        case .retrieveOrder: try await self.retrieveOrder(call, caller)
        case .createSession: try await self.createSession(call, caller)
        case .updateSession: try await self.updateSession(call, caller)
        case .retrieveSession: try await self.retrieveSession(call, caller)
        case .paymentOptionsInquiry: try await self.paymentOptions(call, caller)
        case .checkGateway: Self.checkGateway()
        }
    }
}
