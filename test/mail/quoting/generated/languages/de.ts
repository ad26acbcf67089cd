import type { ReplyPhrases } from '../phrases.ts';

export const german: ReplyPhrases = {
  language: 'de',
  title: 'German',
  authors: ['Anna Berger', 'Jürgen Klose'],
  senders: ['Sabine Vogt', 'Max von der Heide'],
  greetings: ['Hallo Frau Vogt,', 'Guten Tag,', 'Sehr geehrte Damen und Herren,', 'Hi Max'],
  bodies: [
    'Danke für die Info, bitte stornieren Sie meine Bestellung 4711.',
    'Vielen Dank für die schnelle Antwort. Das Paket ist heute angekommen.\n\nKönnen Sie mir noch die Rechnung schicken?',
    'Bitte ändern Sie die Lieferadresse auf\n\nAnna Berger\nHauptstraße 12\n10115 Berlin\n\nIch bin umgezogen.',
    'Vielen Dank im Voraus für die Prüfung, wir brauchen das Teil bis Freitag',
    'Ja, das passt.',
    'Danke und viele Grüße auch an Herrn Maier, er hat uns sehr geholfen.\n\nDer Termin am Montag bleibt.',
    'Ich habe zwei Fragen:\n\n- Wann wird geliefert?\n- Kann ich per Karte zahlen?',
    'Grüße aus dem Urlaub habe ich Ihnen schon geschickt, jetzt brauche ich das Passwort.',
  ],
  closings: [
    'Mit freundlichen Grüßen',
    'Mit freundlichen Grüßen / Best regards',
    'Viele Grüße aus Berlin',
    'Freundliche Grüße',
    'Beste Grüße',
    'Herzliche Grüße aus Köln,',
    'Vielen Dank und viele Grüße',
    'Liebe Grüße',
    'MfG',
    'Mit freundlichem Gruß',
  ],
  contacts: [
    'Vertrieb\nAcme GmbH\nTel.: +49 30 1234567',
    'Acme GmbH | Hauptstraße 12 | 10115 Berlin\nTelefon 030 / 1234567\nwww.acme.example',
    'Geschäftsführerin\nAcme GmbH\nHauptstr. 12, 10115 Berlin\nMobil: 0170 1234567',
    'Kundendienst\ninfo@acme.example',
  ],
  footers: [
    'Von meinem iPhone gesendet',
    'Gesendet mit der Telekom Mail App',
    'Gesendet mit der GMX Mail App',
    'Diese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.',
    'Von Samsung-Tablet gesendet',
    'Holen Sie sich Outlook für Android<https://aka.ms/AAb9ysg>',
    'Gesendet von Mail für Windows',
    'Von meinem Galaxy gesendet',
  ],
  quotes: [
    'Guten Tag,\n\nIhre Bestellung 4711 wurde heute verschickt.\n\nIhr Acme-Team',
    'Hallo,\n\nwie können wir helfen? Bitte nennen Sie uns Ihre Bestellnummer.\n\nViele Grüße\nMax',
  ],
  attributions: [
    ['Gmail', 'Am Di., 12. März 2024 um 10:04 Uhr schrieb {name} <{address}>:'],
    ['Gmail', '{name} <{address}> schrieb am Di., 12. März 2024, 10:04:'],
    ['Apple Mail', 'Am 12.03.2024 um 10:04 schrieb {name} <{address}>:'],
    ['Yahoo web', 'Am Dienstag, 12. März 2024 um 10:04:05 MEZ hat {name} <{address}> Folgendes geschrieben:'],
    ['Thunderbird', 'Am 12.03.24 um 10:04 schrieb {name}:'],
    ['K-9', 'Am 12. März 2024 10:04:05 MEZ schrieb {name} <{address}>:'],
    ['GMX', '{name} <{address}> schrieb am Di., 12. März 2024 um 10:04 Uhr:'],
    ['ProtonMail', 'Am Dienstag, 12. März 2024 um 10:04, schrieb {name} <{address}>:'],
    ['Telekom', 'Am 12.03.2024 10.04, {name} <{address}> schrieb:'],
    ['Outlook', '{name} <{address}> hat am 12.03.2024 10:04 CET geschrieben:'],
  ],
  headers: [
    [
      'Outlook',
      'Von: {name} <{address}>\nGesendet: Dienstag, 12. März 2024 10:04\nAn: Anna Berger <anna@b.example>\nBetreff: AW: Bestellung 4711',
    ],
    [
      'GMX',
      'Gesendet: Dienstag, 12. März 2024 um 10:04 Uhr\nVon: "{name}" <{address}>\nAn: anna@b.example\nBetreff: Re: Bestellung 4711',
    ],
    [
      'Samsung',
      '-------- Ursprüngliche Nachricht --------Von: {name} <{address}> Datum: 12.03.24  10:04  (GMT+01:00) An: anna@b.example Betreff: Re: Bestellung 4711 ',
    ],
    [
      'T-Online',
      '-----Original-Nachricht-----\nBetreff: Bestellung 4711\nDatum: 2024-03-12T10:04:05+0100\nVon: "{name}" <{address}>\nAn: "anna@b.example" <anna@b.example>',
    ],
    [
      'Outlook 2003',
      '-----Ursprüngliche Nachricht-----\nVon: {name} [mailto:{address}]\nGesendet: Dienstag, 12. März 2024 10:04\nAn: Anna Berger\nBetreff: Bestellung 4711',
    ],
    [
      'Outlook for Mac',
      'Von: {name} <{address}>\nDatum: Dienstag, 12. März 2024 um 10:04\nAn: Anna Berger <anna@b.example>\nBetreff: Re: Bestellung 4711',
    ],
  ],
  forwards: [
    [
      'Gmail',
      '---------- Forwarded message ---------\nVon: {name} <{address}>\nDate: Di., 12. März 2024 um 10:04 Uhr\nSubject: Bestellung 4711\nTo: <anna@b.example>',
    ],
    [
      'Apple Mail',
      'Anfang der weitergeleiteten Nachricht:\n\nVon: {name} <{address}>\nBetreff: Bestellung 4711\nDatum: 12. März 2024 um 10:04:05 MEZ\nAn: anna@b.example',
    ],
    [
      'Yahoo web',
      '----- Weitergeleitete Nachricht ----- Von: {name} <{address}>An: anna@b.example <anna@b.example>Gesendet: Dienstag, 12. März 2024 um 10:04:05 MEZBetreff: Bestellung 4711',
    ],
    [
      'Thunderbird',
      '-------- Weitergeleitete Nachricht --------\nBetreff: \tBestellung 4711\nDatum: \tTue, 12 Mar 2024 10:04:05 +0100\nVon: \t{name} <{address}>\nAn: \tanna@b.example',
    ],
  ],
};
