//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What went wrong, by code, where a page has a better sentence than the server, or another language.

export default {
    other: "Das ging nicht.",
    page: "Diese Seite hat selbst einen Fehler. Neu laden; bleibt er, dem Betreiber melden.",
    request: "Anfrage",
    required: "Das wird gebraucht",
    number: "Eine ganze Zahl, etwa 30",
    amount: "Ein Betrag, etwa 12,50",
    fileTooLarge: "Die Datei ist zu groß.",
    triedPage: "Die Seite ließ sich nicht zeigen. Nichts wurde geändert.",
    triedStart: "Das Portal ließ sich nicht starten.",
    no_answer: "Das Gateway hat nicht geantwortet. Die Verbindung ist vielleicht weg, oder es startet neu. Was gesendet wurde, ist vielleicht getan: ein neuer Versuch tut es höchstens einmal.",
    session_ended: "Die Sitzung ist beendet. Neu anmelden.",
    sign_in_refused: "Das stimmte nicht. Benutzername, Passwort oder Code prüfen.",
    too_many_attempts: "Zu viele falsche Versuche. {seconds} Sekunden warten; früher zu versuchen hilft nicht.",
    busy: "Gerade melden sich viele an. In ein paar Sekunden noch einmal versuchen.",
    invitation_invalid: "Diese Einladung ist verbraucht oder abgelaufen. Ein Inhaber kann eine neue geben.",
    password_weak: "Dieses Passwort ist zu leicht zu erraten. Mindestens 12 Zeichen; drei ungewöhnliche Wörter sind gut.",
    second_factor_required: "Die Rolle braucht einen zweiten Faktor; er lässt sich ersetzen, nicht entfernen.",
    changed_meanwhile: "Jemand hat das inzwischen geändert. Nichts wurde gespeichert; neu laden und nachsehen.",
    scope_missing: "Die Rolle erlaubt das nicht.",
    refund_limit_exceeded: "Das liegt über dem, was dieses Konto erstatten darf.",
    above_refund_limit: "Das liegt über dem, was dieses Konto erstatten darf.",
    approval_of_own_act: "Was man selbst beantragt, gibt jemand anderes frei.",
    approval_decided: "Jemand war schneller: das ist entschieden.",
    approval_expired: "Die Frist ist vorbei. Es muss neu beantragt werden.",
    portal_header_missing: "Portal und Gateway passen nicht zusammen. Seite neu laden.",
    host_unknown: "Das Portal als localhost oder 127.0.0.1 öffnen.",
    message_not_sent: "Hiervon meldet sein Dialekt nichts: es wird keine Nachricht gesendet.",
    message_not_loaded: "Dieses Gateway spricht seinen Dialekt nicht.",
    message_not_writable: "So wie das Konto jetzt ist, lässt sich die Nachricht nicht schreiben: vielleicht fehlt ein Schlüssel.",
    message_account_gone: "Sein Konto fehlt, oder die Geheimnisse lassen sich nicht öffnen. Die Diagnose sagt, was davon.",
    certificate_not_waiting: "Das Zertifikat dazu ist inzwischen importiert. Die Seite neu laden.",
};
