// Ours: the same launch as in ExampleAppDelegate.swift, by the framework's selectors.
#import <UIKit/UIKit.h>
#import <PassKit/PassKit.h>
@import TPDirect;

@interface ExampleAppDelegate : UIResponder <UIApplicationDelegate>
@end

@implementation ExampleAppDelegate
- (BOOL)application:(UIApplication *)application didFinishLaunchingWithOptions:(NSDictionary *)launchOptions {
    [TPDSetup setWithAppId:12345 withAppKey:@"APP_KEY" withServerType:TPDServer_SandBox];
    [[TPDSetup shareInstance] setupIDFA:@"00000000-0000-0000-0000-000000000000"];
    [[TPDSetup shareInstance] serverSync];
    NSString *fraudID = [[TPDSetup shareInstance] getFraudID];
    NSLog(@"%@", fraudID);
    return YES;
}
@end
