//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What the operator's pages have in common.

export default {
    noMerchant: "還沒有商家",
    noMerchantText: "帳戶、路由、憑證與報表都屬於商家。請先新增一個。",
    addMerchant: "新增商家",
    whose: "此頁屬於單一商家。請選擇商家。",
    step_done: "已完成",
    step_next: "下一步",
    step_waits: "等待他人",
    step_open: "尚未",
    step_refused: "需要處理",
    over: "已到期",
    daysLeft: { other: "剩 {count} 天" },
    waitsForSecond: "尚未執行：需要第二人核准。",
    seeApproval: "查看核准",
    actor_token: "權杖",
    actor_command: "命令",
    actor_person: "人員",
};
