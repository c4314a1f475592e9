//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Foundation

/// The app's identity at the gateway. Set once, when the app has launched.
///
/// ```swift
/// TPDSetup.setWithAppId(12345, withAppKey: "app_…", with: .sandBox)
/// try TPDSetup.setHost(URL(string: "https://pay.example.com"))
/// ```
#if canImport(ObjectiveC)
@objcMembers
#endif
@MainActor public final class TPDSetup: NSObject {
    /// Identifies the app together with ``appId``. Not a secret in the strict sense, since every copy of the app
    /// carries it; it is never logged.
    public var appKey: String
    public var appId: Int
    public var serverType: TPDServerType
    /// Where the requests go: the self-hosted gateway that was named by ``setHost(_:)``, or else TapPay's.
    public var host: URL? { self.ownHost ?? URL(string: GatewayHost.tapPay(self.serverType)) }

    private var ownHost: URL?
    private let deviceIdentifier: String
    private static var shared = TPDSetup(appId: 0, appKey: "", serverType: .sandBox)

    init(appId: Int, appKey: String, serverType: TPDServerType) {
        self.appId = appId
        self.appKey = appKey
        self.serverType = serverType
        self.deviceIdentifier = Device.identifier()
        super.init()
    }

    /// Sets the app's identity. A host that was set before stays.
    @discardableResult
    public static func setWithAppId(
        _ appId: Int32, withAppKey appKey: String, with serverType: TPDServerType
    ) -> TPDSetup {
        self.shared.appId = Int(appId)
        self.shared.appKey = appKey
        self.shared.serverType = serverType
        return self.shared
    }

    /// The same in the other order, in which the documentation also writes it.
    @discardableResult
    public static func setWithAppKey(
        _ appKey: String, withAppId appId: Int32, with serverType: TPDServerType
    ) -> TPDSetup {
        self.setWithAppId(appId, withAppKey: appKey, with: serverType)
    }

    /// Sends the requests to a gateway of one's own instead of TapPay's.
    ///
    /// - Parameter host: `https://` and the gateway's name, with a port if it needs one; `http://` for this machine
    ///   alone (localhost, 127.0.0.0/8, [::1]). `nil` takes a host back.
    /// - Throws: ``TPDHostError``; the host stays what it was.
    public static func setHost(_ host: URL?) throws {
        self.shared.ownHost = try host.map(GatewayHost.checked)
    }

    /// The app's one setup; its ``appId`` is 0 until it has been set.
    public static func shareInstance() -> TPDSetup { self.shared }

    /// The version of the API that this SDK speaks, as the gateway is sent it.
    public static func version() -> String { Device.sdkVersion }

    /// A name for this installation: the vendor's identifier on iOS, else one for the life of the process.
    public func getDeviceId() -> String { self.deviceIdentifier }

    // TapPay's example apps call the next three when they have launched, for the vendor's fraud detection: a service of
    // its own, which this SDK does not speak to (`fraud_id` is sent empty). They are here so that such apps compile.

    /// Takes the advertising identifier and does nothing with it: it is neither kept nor sent.
    public func setupIDFA(_ identifier: String?) {}

    /// Does nothing: no settings are fetched from a server.
    public func serverSync() {}

    /// Always empty, as `fraud_id` is.
    public func getFraudID() -> String { "" }
}

/// Why a host was refused. It does not repeat the address.
public struct TPDHostError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String
}
