// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0

// After UIKit's headers of these classes, and CoreGraphics' CGGeometry.h.

#pragma once

#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

typedef struct CGPoint {
    double x;
    double y;
} CGPoint;

NS_SWIFT_UI_ACTOR
@interface UIDevice : NSObject
@property (class, nonatomic, readonly) UIDevice *currentDevice NS_SWIFT_NAME(current);
@property (nullable, nonatomic, readonly, strong) NSUUID *identifierForVendor;
@end

NS_SWIFT_UI_ACTOR
@interface UIResponder : NSObject
@end

NS_SWIFT_UI_ACTOR
@interface UIView : UIResponder
@property (nonatomic) CGPoint center;
- (void)addSubview:(UIView *)view;
@end

NS_SWIFT_UI_ACTOR
@interface UIWindow : UIView
@end

NS_SWIFT_UI_ACTOR
@interface UIScene : UIResponder
@end

NS_SWIFT_UI_ACTOR
@interface UIWindowScene : UIScene
@property (nullable, nonatomic, readonly) UIWindow *keyWindow;
@end

typedef NS_OPTIONS(NSUInteger, UIControlEvents) {
    UIControlEventTouchUpInside = 1 << 6,
} NS_SWIFT_NAME(UIControl.Event);

NS_SWIFT_UI_ACTOR
@interface UIControl : UIView
- (void)addTarget:(nullable id)target action:(SEL)action forControlEvents:(UIControlEvents)controlEvents;
@end

NS_SWIFT_UI_ACTOR
@interface UIButton : UIControl
@end

NS_SWIFT_UI_ACTOR
@interface UIViewController : UIResponder
@property (null_resettable, nonatomic, strong) UIView *view;
- (void)viewDidLoad;
@end

NS_SWIFT_UI_ACTOR
@interface UIApplication : UIResponder
@property (class, nonatomic, readonly) UIApplication *sharedApplication NS_SWIFT_NAME(shared);
@property (nonatomic, readonly) NSSet<UIScene *> *connectedScenes;
@end

typedef NSString *UIApplicationLaunchOptionsKey NS_TYPED_ENUM NS_SWIFT_NAME(UIApplication.LaunchOptionsKey);

NS_SWIFT_UI_ACTOR
@protocol UIApplicationDelegate <NSObject>
@optional
- (BOOL)application:(UIApplication *)application
    didFinishLaunchingWithOptions:(nullable NSDictionary<UIApplicationLaunchOptionsKey, id> *)launchOptions;
@end

NS_ASSUME_NONNULL_END
