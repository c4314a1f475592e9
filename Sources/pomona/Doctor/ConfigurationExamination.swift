//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Foundation
import Gateway
import Server
import Time

/// Checks the configuration of `pomona serve`: its keys and values, the files that it names, who may read them, and
/// whether the ports are free.
struct ConfigurationExamination: Sendable {
    /// As it stands in the file.
    let text: String
    var environment: [String: String] = ProcessInfo.processInfo.environment
    var now: @Sendable () -> Timestamp = Surroundings.system.clock

    private static let reason = "A gateway refuses to start with a configuration that is not in order."

    func findings() async -> [Finding] {
        let configuration: ApplicationConfiguration
        let warnings: [String]
        do {
            let values = try ConfigurationValues(flags: [:], environment: self.environment, fileText: self.text)
            configuration = try ServeConfiguration.make(values)
            warnings = values.warnings.map { "\($0)" }
        } catch {
            return [self.failure("configuration_invalid", error)]
        }
        var findings = warnings.map { warning in
            Finding(
                .configuration, "configuration_warning", .notice, warning, because: Self.reason,
                advice: "docs/configuration.md lists every key.")
        }
        var certificates: [Finding] = []
        do {
            try await ServeConfiguration.check(configuration)
            certificates = Finding.ofServerCertificates(
                try Application.certificateFiles(configuration), at: self.now())
        } catch {
            findings.append(self.failure("configuration_files", error))
        }
        findings += self.ports(configuration)
        if findings.isEmpty {
            findings.append(
                Finding(
                    .configuration, "configuration_sound", .good, "The configuration is in order.",
                    because: Self.reason))
        }
        return findings + certificates
    }

    /// What the gateway runs; `nil` for a configuration that it refuses.
    var configuration: ApplicationConfiguration? {
        let values = try? ConfigurationValues(flags: [:], environment: self.environment, fileText: self.text)
        return values.flatMap { try? ServeConfiguration.make($0) }
    }

    private func failure(_ code: String, _ error: any Error) -> Finding {
        let failure = error as? CommandFailure
        return Finding(
            .configuration, code, .failure, subject: failure?.code, failure?.message ?? "\(error)",
            because: Self.reason, advice: "docs/configuration.md lists every key and what goes together.")
    }

    /// A port that somebody listens on, unless a gateway runs on the directory: then it is that one's.
    private func ports(_ configuration: ApplicationConfiguration) -> [Finding] {
        guard Self.isFree(configuration.directory) else { return [] }
        let listeners = configuration.offers.map(\.listener) + [configuration.adminListener].compactMap(\.self)
        return listeners.filter { $0.port != 0 }.compactMap { listener in
            guard let error = Self.bindingError(host: listener.host, port: listener.port) else { return nil }
            return Finding(
                .configuration, "port_not_free", .failure, subject: "\(listener.host):\(listener.port)",
                "\(listener.host):\(listener.port) cannot be listened on (\(error)).", because: Self.reason,
                advice: "End the program that listens there, or name another port or an address of this machine.")
        }
    }

    /// Whether no gateway runs on the directory.
    private static func isFree(_ directory: DataDirectory) -> Bool {
        guard FileSystem.exists(directory.path) else { return true }
        do throws(CommandFailure) {
            let lock = try directory.lock()
            lock.release()
            return true
        } catch {
            return !error.isA(.directoryInUse)
        }
    }

    /// Binds and closes at once. Errors are getaddrinfo(3)'s and bind(2)'s.
    private static func bindingError(host: String, port: Int) -> String? {
        var hints = addrinfo()
        hints.ai_flags = AI_PASSIVE
        #if canImport(Glibc)
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
        hints.ai_socktype = SOCK_STREAM
        #endif
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &list)
        guard code == 0, let first = list else { return String(cString: gai_strerror(code)) }
        defer { freeaddrinfo(first) }
        let info = first.pointee
        let descriptor = socket(info.ai_family, info.ai_socktype, info.ai_protocol)
        guard descriptor >= 0 else { return String(cString: strerror(errno)) }
        defer { close(descriptor) }
        // As the listener does: a connection that has just ended holds no port.
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        guard bind(descriptor, info.ai_addr, info.ai_addrlen) == 0, listen(descriptor, 1) == 0 else {
            return String(cString: strerror(errno))
        }
        return nil
    }
}
