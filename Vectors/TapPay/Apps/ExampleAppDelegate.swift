// Ours: a launch that names the device to TapPay's fraud detection, as the vendor's example apps do. The identifier stands
// where they ask ASIdentifierManager.
import PassKit
import TPDirect
import UIKit

class ExampleAppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        TPDSetup.setWithAppId(12345, withAppKey: "APP_KEY", with: TPDServerType.sandBox)
        let allowed = "00000000-0000-0000-0000-000000000000"
        let refused: String? = nil
        TPDSetup.shareInstance().setupIDFA(allowed)
        TPDSetup.shareInstance().setupIDFA(refused)
        TPDSetup.shareInstance().serverSync()
        let fraudID: String = TPDSetup.shareInstance().getFraudID()
        print(fraudID)
        return true
    }
}
