//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HTTPTypes
import Payments
import StrictJSON

/// The description of the API (OpenAPI 3.1), written from its endpoints.
struct OpenAPIDocument: Sendable {
    let endpoints: [Endpoint]
    let schemas: [String: Schema]
    /// Of sessions.
    let cookieName: String

    var json: JSON {
        var paths = JSONObject()
        for endpoint in self.endpoints {
            var item = paths[endpoint.path]?.object ?? JSONObject()
            item[endpoint.method.rawValue.lowercased()] = Self.operation(endpoint)
            paths[endpoint.path] = .object(item)
        }
        var components = JSONObject()
        for (name, schema) in self.schemas.sorted(by: { $0.key < $1.key }) { components[name] = schema.json }
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "Pomona administration", "version": "1",
                "description": "Everything that an operator's commands can do. Errors are problem details (RFC 9457).",
                "license": ["name": "Apache-2.0", "identifier": "Apache-2.0"],
            ],
            "servers": [["url": .string(AdminService.root)]],
            "security": [["token": []], ["session": []]],
            "paths": .object(paths),
            "components": [
                "schemas": .object(components),
                "securitySchemes": [
                    "token": [
                        "type": "http", "scheme": "bearer",
                        "description": "Made with pomona access create, or by POST /tokens.",
                    ],
                    "session": [
                        "type": "apiKey", "in": "cookie", "name": .string(self.cookieName),
                        "description": "Begun by POST /session. It counts only with the header Pomona-Portal: 1.",
                    ],
                ],
                "responses": [
                    "Problem": Self.response("Why nothing was done.", .named("Problem"), ["application/problem+json"])
                ],
            ],
        ]
    }

    private static func operation(_ endpoint: Endpoint) -> JSON {
        var object = JSONObject()
        object["operationId"] = .string(endpoint.name)
        object["summary"] = .string(endpoint.summary)
        object["tags"] = [.string(endpoint.group)]
        Self.describe(endpoint.audience, in: &object)
        let parameters = Self.parameters(endpoint)
        if !parameters.isEmpty { object["parameters"] = .array(parameters) }
        if let body = endpoint.body {
            object["requestBody"] = [
                "required": .bool(!endpoint.bodyMayBeMissing), "content": ["application/json": ["schema": body.json]],
            ]
        }
        let types = endpoint.streamTypes.isEmpty ? ["application/json"] : endpoint.streamTypes
        var success = Self.response("Done.", endpoint.answer, types).object ?? JSONObject()
        if case .ifMatch = endpoint.precondition { success["headers"] = Self.tagHeader }
        if endpoint.method == .get, !endpoint.path.hasSuffix("s") { success["headers"] = Self.tagHeader }
        object["responses"] = [
            "\(endpoint.status.code)": .object(success), "default": ["$ref": "#/components/responses/Problem"],
        ]
        if endpoint.approvalKind != nil {
            var responses = object["responses"]?.object ?? JSONObject()
            responses["202"] = Self.response(
                "Nothing was done yet: a second person must approve it.", .named("AskedApproval"), ["application/json"])
            object["responses"] = .object(responses)
        }
        return .object(object)
    }

    /// Who may ask.
    private static func describe(_ audience: Endpoint.Audience, in object: inout JSONObject) {
        switch audience {
        case .scope(let scope): object["description"] = .string("Scope: `\(scope.rawValue)`.")
        case .anybody, .portal: object["security"] = []
        case .signingIn:
            object["security"] = [["session": []]]
            object["description"] = "For whoever is signed in, or about to be."
        case .person:
            object["security"] = [["session": []]]
            object["description"] = "For a person who is signed in."
        }
    }

    private static let tagHeader: JSON = [
        "ETag": ["description": "To be sent as If-Match with a change.", "schema": ["type": "string"]]
    ]

    private static func parameters(_ endpoint: Endpoint) -> [JSON] {
        var parameters = endpoint.path.split(separator: "/").filter { $0.hasPrefix("{") }.map { part -> JSON in
            let name = String(part.dropFirst().dropLast())
            return [
                "name": .string(name), "in": "path", "required": true, "schema": ["type": "string", "minLength": 1],
            ]
        }
        parameters += endpoint.query.map { parameter in
            [
                "name": .string(parameter.name), "in": "query", "required": false,
                "description": .string(parameter.meaning), "schema": parameter.schema.json,
            ]
        }
        switch endpoint.audience {
        case .scope, .anybody: break
        case .portal, .signingIn, .person:
            parameters.append([
                "name": "Pomona-Portal", "in": "header", "required": true,
                "description": "No page of another origin can send it.", "schema": ["type": "string", "enum": ["1"]],
            ])
        }
        switch endpoint.precondition {
        case .none: break
        case .idempotencyKey:
            parameters.append(
                Self.idempotencyKey(
                    "New for every new change; the same when it is repeated. Remembered for a day.",
                    charactersMax: RepeatedCalls.keyCharactersMax))
        case .actKey:
            parameters.append(
                Self.idempotencyKey(
                    "New for every new act; the same when it is repeated, by the same token or in the same session: another's "
                        + "is another key. Kept with the payment, for ever.",
                    charactersMax: RepeatedCalls.actKeyCharactersMax))
        case .ifMatch:
            parameters.append([
                "name": "If-Match", "in": "header", "required": true,
                "description": "The ETag of what was read; `*`, alone, for whatever it is.",
                "schema": ["type": "string"],
            ])
        }
        return parameters
    }

    private static func idempotencyKey(_ description: String, charactersMax: Int) -> JSON {
        [
            "name": "Idempotency-Key", "in": "header", "required": true, "description": .string(description),
            "schema": ["type": "string", "minLength": 1, "maxLength": JSON(charactersMax), "pattern": "^[!-~]+$"],
        ]
    }

    private static func response(_ description: String, _ schema: Schema, _ types: [String]) -> JSON {
        var content = JSONObject()
        for type in types { content[type] = ["schema": schema.json] }
        return ["description": .string(description), "content": .object(content)]
    }
}
