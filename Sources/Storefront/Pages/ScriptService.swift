//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
public import DialectKit
import HTTPTypes
public import WebFiles

/// The web SDK, for shops' pages of any origin: one classic script under every version's path, its modules, and its
/// declarations.
///
/// | path | file |
/// |---|---|
/// | /sdk/tpdirect/vX.Y.Z, /tpdirect/vX.Y.Z | sdk/tpdirect.js |
/// | /sdk/tpdirect/modules/FILE | sdk/modules/FILE |
/// | /sdk/tpdirect/tpdirect.d.ts | sdk/tpdirect.d.ts |
public struct ScriptService: WireService {
    public let label = "tpdirect"
    public let pathPrefixes = ["/sdk/tpdirect", "/tpdirect"]
    public let routes: [WireRoute]

    /// - Throws: ``WebFilesError`` `file_missing` when the SDK is not among the files.
    public init(files: WebFiles) throws(WebFilesError) {
        guard let bytes = files.files["sdk/tpdirect.js"] else {
            throw WebFilesError(code: "file_missing", message: "The web SDK's script sdk/tpdirect.js is not there.")
        }
        let script = StaticFile(name: "tpdirect.js", bytes: bytes)
        var routes: [WireRoute] = []
        for (path, bytes) in files.files.sorted(by: { $0.key < $1.key }) {
            guard path == "sdk/tpdirect.d.ts" || path.hasPrefix("sdk/modules/") else { continue }
            let file = StaticFile(name: path, bytes: bytes)
            routes += file.routes(at: "/sdk/tpdirect/" + path.dropFirst(4), headers: PageHeaders.shared)
        }
        for folder in ["/sdk/tpdirect", "/tpdirect"] {
            for method in [HTTPRequest.Method.get, .head] {
                routes.append(
                    WireRoute(method: method, path: PathPattern("\(folder)/{version}"), bodyBytesMax: 0) {
                        request, parameters in
                        guard Self.isVersion(parameters["version"] ?? "") else {
                            return JSONAnswer.response(to: .pathUnknown, headers: PageHeaders.shared)
                        }
                        return script.response(to: request, headers: PageHeaders.shared)
                    })
            }
        }
        self.routes = routes
    }

    /// "v5.19.2".
    static func isVersion(_ text: String) -> Bool {
        guard text.hasPrefix("v") else { return false }
        let numbers = text.dropFirst().split(separator: ".", omittingEmptySubsequences: false)
        return numbers.count == 3 && numbers.allSatisfy { ASCII.isDigits($0, 1...6) }
    }

    public func answer(to failure: WireFailure, request: WireRequest) async -> WireResponse {
        JSONAnswer.response(to: failure, headers: PageHeaders.shared)
    }
}
