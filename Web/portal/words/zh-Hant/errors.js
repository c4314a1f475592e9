//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What went wrong, by code, where a page has a better sentence than the server, or another language.

export default {
    other: "操作未成功。",
    page: "此頁面發生錯誤，請重新載入；若持續發生，請通知操作員。",
    request: "請求",
    required: "此欄必填",
    number: "請輸入整數，例如 30",
    amount: "請輸入金額，例如 12.50",
    fileTooLarge: "檔案過大。",
    triedPage: "無法顯示此頁面，未更動任何資料。",
    triedStart: "無法啟動入口網站。",
    no_answer: "閘道無回應，可能連線中斷或正在重新啟動。已送出的操作可能已執行；重試最多只會執行一次。",
    session_ended: "工作階段已結束，請重新登入。",
    sign_in_refused: "資料不符，請檢查使用者名稱、密碼或驗證碼。",
    too_many_attempts: "錯誤次數過多，請等待 {seconds} 秒；提前重試無效。",
    busy: "目前登入人數眾多，請稍候再試。",
    invitation_invalid: "此邀請已使用或已過期，請向擁有者索取新的邀請。",
    password_weak: "此密碼太容易被猜到。至少 12 個字元，三個不常見的詞是不錯的選擇。",
    second_factor_required: "您的角色必須使用雙重驗證，可更換但不可移除。",
    changed_meanwhile: "開啟後已有人修改，未儲存任何變更，請重新載入查看。",
    scope_missing: "您的角色不允許此操作。",
    refund_limit_exceeded: "超過您可退款的額度。",
    above_refund_limit: "超過您可退款的額度。",
    approval_of_own_act: "您提出的申請須由他人核准。",
    approval_decided: "已有人先行決定。",
    approval_expired: "已逾期，須重新提出。",
    portal_header_missing: "入口網站與閘道版本不符，請重新載入。",
    host_unknown: "請以 localhost 或 127.0.0.1 開啟。",
    message_not_sent: "其方言不通知此類事件：不會傳送訊息。",
    message_not_loaded: "此閘道未載入其方言。",
    message_not_writable: "以帳戶目前的狀態無法產生訊息：可能缺少金鑰。",
    message_account_gone: "帳戶不存在，或其密鑰無法開啟。請見診斷。",
    certificate_not_waiting: "其憑證已匯入。請重新載入頁面。",
};
