//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import StrictJSON

extension TokenInspection {
    /// The inspection for machines.
    ///
    /// `{"sound", "signingTime"?, "anchor"?: {"label", "id"}, "parts": [{"name", "value"}], "certificates": [{"role",
    /// "subject", …}], "findings": [{"check", "outcome", "sentence", "code"?, "stage"?}]}`. Times are RFC 3339.
    public var json: JSON {
        var object = JSONObject()
        object["sound"] = .bool(self.isSound)
        if let signingTime = self.signingTime { object["signingTime"] = .string(Instant(signingTime).text) }
        if let anchor = self.anchor {
            object["anchor"] = ["label": .string(anchor.label), "id": .string(anchor.id)]
        }
        object["parts"] = .array(self.parts.map { ["name": .string($0.name), "value": .string($0.value)] })
        object["certificates"] = .array(self.certificates.map(\.json))
        object["findings"] = .array(self.findings.map(\.json))
        return .object(object)
    }

    /// The inspection for people, in lines.
    public var text: String {
        var lines: [String] = []
        if !self.parts.isEmpty {
            lines.append("Parts")
            let width = self.parts.map(\.name.count).max() ?? 0
            for part in self.parts { lines.append("  \(Self.padded(part.name, width))  \(part.value)") }
        }
        if !self.certificates.isEmpty {
            lines.append("Certificates")
            for certificate in self.certificates { lines += certificate.lines }
        }
        lines.append("Checks")
        let width = self.findings.map(\.check.rawValue.count).max() ?? 0
        for finding in self.findings {
            let name = Self.padded(finding.check.rawValue, width)
            let code = finding.error.map { " [\($0.code)]" } ?? ""
            lines.append("  \(Self.padded(finding.outcome.rawValue, 7))  \(name)  \(finding.sentence)\(code)")
        }
        let verdict = self.isSound ? "sound, vouched for by \(self.anchor?.label ?? "nobody")" : "not sound"
        lines.append("The token is \(verdict).")
        return lines.joined(separator: "\n")
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}

extension TokenInspection.Finding {
    fileprivate var json: JSON {
        var object = JSONObject()
        object["check"] = .string(self.check.rawValue)
        object["outcome"] = .string(self.outcome.rawValue)
        object["sentence"] = .string(self.sentence)
        if let error = self.error {
            object["code"] = .string(error.code.rawValue)
            object["stage"] = .string(error.stage.rawValue)
        }
        return .object(object)
    }
}

extension TokenInspection.CertificateSummary {
    fileprivate var json: JSON {
        [
            "role": .string(self.role.rawValue),
            "subject": .string(self.subject),
            "issuer": .string(self.issuer),
            "serialNumber": .string(self.serialNumber),
            "notBefore": .string(Instant(self.notBefore).text),
            "notAfter": .string(Instant(self.notAfter).text),
            "keyAlgorithm": .string(self.keyAlgorithm),
            "markers": .array(self.markers.map { .string($0) }),
            "bytes": JSON(self.bytesCount),
        ]
    }

    fileprivate var lines: [String] {
        let markers = self.markers.isEmpty ? "none" : self.markers.joined(separator: ", ")
        return [
            "  \(self.role.rawValue): \(self.subject)",
            "    issuer        \(self.issuer)",
            "    serial        \(self.serialNumber)",
            "    valid         \(Instant(self.notBefore).text) to \(Instant(self.notAfter).text)",
            "    key           \(self.keyAlgorithm)",
            "    markers       \(markers)",
        ]
    }
}
