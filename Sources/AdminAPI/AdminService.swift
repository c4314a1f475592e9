//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Administration
public import DialectKit
public import Gateway
import HTTPTypes
public import Logging
import Payments
import StrictJSON

/// The administration over HTTP: JSON under `/admin/v1`, described by the OpenAPI document that it serves
/// (docs/api.md). Everything that the commands can do, for whoever shows a token.
///
/// It has a listener of its own: nothing of it is ever served beside the dialects.
public struct AdminService: WireService {
    public static let root = "/admin/v1"

    /// The longest body that any of it takes.
    public static let bodyBytesMax = Endpoint.fileBytesMax

    public let label = "admin"
    public let pathPrefixes = ["/admin"]
    public let routes: [WireRoute]

    /// - Parameters:
    ///   - people: who signs in, one value for all services that let them.
    ///   - site: how browsers come here.
    ///   - plans: of all dialects.
    ///   - dialects: those that are spoken here, for what they report.
    ///   - limits: slow down those who guess tokens.
    ///   - examine: looks for what keeps payments from being taken; what the store alone knows if left out.
    ///   - examineDomain: looks at a domain from outside, as Apple does.
    ///   - registrar: registers merchants at Apple.
    ///   - sleep: passes the time between two looks at the store, while somebody listens.
    public init(
        _ people: People, site: AdminSite, plans: [AccountPlan], tools: AccountTools, limits: CallerLimits,
        logger: Logger, dialects: [any Dialect] = [],
        examine: Examine? = nil,
        examineDomain: @escaping @Sendable (RegisteredDomain) async -> [Finding] = { _ in [] },
        registrar: (any MerchantRegistrar)? = nil,
        sleep: @escaping @Sendable (_ milliseconds: Int64) async throws -> Void = {
            try await Task.sleep(for: .milliseconds($0))
        }
    ) {
        let administration = people.administration
        let house = House(
            administration: administration, people: people, site: site, plans: plans, tools: tools,
            dialects: dialects, examine: examine ?? House.examineStore, examineDomain: examineDomain,
            registrar: registrar ?? NoRegistrar(), streams: StreamDesk(sleep: sleep))
        let endpoints = AdminEndpoints.all
        let desk = AdminDesk(
            house: house,
            callers: CallerDesk(administration: administration, people: people, site: site, limits: limits),
            repeated: RepeatedCalls(administration: administration), logger: logger)
        let document = OpenAPIDocument(endpoints: endpoints, schemas: AdminSchemas.named, cookieName: site.cookie.name)
            .json.serialized()
        self.routes =
            [HTTPRequest.Method.get, .head].map { method in
                WireRoute(method: method, path: PathPattern("\(Self.root)/openapi.json"), bodyBytesMax: 0) { _, _ in
                    WireResponse(status: .ok, headers: AdminDesk.headers("application/json"), body: document)
                }
            }
            + endpoints.flatMap { endpoint in
                endpoint.methods.map { method in
                    WireRoute(
                        method: method, path: PathPattern(Self.root + endpoint.path),
                        bodyBytesMax: endpoint.takenBytesMax
                    ) { request, parameters in
                        await desk.answer(request, parameters, endpoint)
                    }
                }
            }
    }

    public func answer(to failure: WireFailure, request: WireRequest) async -> WireResponse {
        let problem =
            switch failure {
            case .pathUnknown: Problem(.pathUnknown, "There is nothing under this path.")
            case .methodNotAllowed: Problem(.methodNotAllowed, "The path knows other methods.")
            case .bodyTooLarge(let max):
                Problem(.bodyTooLarge, "The body may have \(max) bytes.")
            case .bodyIncomplete: Problem(.bodyIncomplete, "The body did not come whole.")
            case .timedOut:
                Problem(
                    .timedOut, "It takes too long. What was begun goes on: ask again with the same Idempotency-Key.")
            case .overloaded: Problem(.overloaded, "Nothing was done. Try again.")
            }
        return AdminDesk.sealed(problem.response(typeURL: AdminDesk.problemsURL)).explaining(failure)
    }
}
