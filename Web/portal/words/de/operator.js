//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What the operator's pages have in common.

export default {
    noMerchant: "Es gibt noch keinen Händler",
    noMerchantText: "Konten, Routen, Zertifikate und Berichte gehören zu einem Händler. Zuerst einen anlegen.",
    addMerchant: "Händler anlegen",
    whose: "Diese Seite gehört zu einem Händler. Zu welchem?",
    step_done: "erledigt",
    step_next: "als Nächstes",
    step_waits: "wartet auf jemand anderen",
    step_open: "noch nicht",
    step_refused: "braucht jemanden",
    over: "abgelaufen",
    daysLeft: { one: "noch {count} Tag", other: "noch {count} Tage" },
    waitsForSecond: "Noch ist nichts geschehen: eine zweite Person muss zustimmen.",
    seeApproval: "Zur Freigabe",
    actor_token: "Token",
    actor_command: "Befehl",
    actor_person: "Person",
};
