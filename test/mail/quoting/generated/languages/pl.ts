import type { ReplyPhrases } from '../phrases.ts';

export const polish: ReplyPhrases = {
  language: 'pl',
  title: 'Polish',
  authors: ['Zofia Nowak', 'Marek Kowalski'],
  senders: ['Ewa Lis', 'Adam Wójcik'],
  greetings: ['Cześć Ewo,', 'Dzień dobry,', 'Szanowni Państwo,', 'Witam'],
  bodies: [
    'Dziękuję za informację, proszę anulować moje zamówienie 4711.',
    'Bardzo dziękuję za szybką odpowiedź. Paczka dotarła dzisiaj.\n\nCzy mogą Państwo przesłać fakturę?',
    'Proszę zmienić adres dostawy na\n\nZofia Nowak\nul. Długa 12\n00-238 Warszawa\n\nponieważ się przeprowadziłam.',
    'Z góry dziękuję za sprawdzenie, potrzebujemy tego do piątku',
    'Tak, zgadzam się.',
    'Pozdrawiam też Annę, która nam bardzo pomogła.\n\nSpotkanie w poniedziałek jest aktualne.',
  ],
  closings: [
    'Pozdrawiam,',
    'Z poważaniem',
    'Serdecznie pozdrawiam',
    'Z wyrazami szacunku,',
    'Pozdrowienia z Krakowa,',
    'Pozdrawiam / Best regards',
    'Dziękuję i pozdrawiam',
    'Dziękuję,',
  ],
  contacts: [
    'Dyrektor sprzedaży\nAcme Sp. z o.o.\ntel. +48 22 123 45 67',
    'Acme Sp. z o.o.\nul. Długa 12, 00-238 Warszawa\nwww.acme.example',
    'Dział obsługi klienta\nzofia@acme.example',
    'kom. 601 234 567',
  ],
  footers: [
    'Wysłane z iPhone’a',
    'Wysłano z mojego Galaxy',
    'Pobierz aplikację Outlook dla systemu iOS<https://aka.ms/o0ukef>',
    'Wysłane z aplikacji Poczta dla systemu Windows',
    'Wysłane z mojego urządzenia Android przy pomocy K-9 Mail. Proszę wybaczyć moją zwięzłość.',
    'Wysłane z telefonu Samsung',
  ],
  quotes: [
    'Dzień dobry,\n\nPana zamówienie 4711 zostało wysłane.\n\nZespół Acme',
    'Dzień dobry,\n\nw czym możemy pomóc?\n\nPozdrawiam,\nAdam',
  ],
  attributions: [
    ['Gmail', 'wt., 12 mar 2024 o 10:04 {name} <{address}> napisał(a):'],
    ['Yahoo web', 'W dniu wtorek, 12 marca 2024 10:04:05 CET użytkownik {name} <{address}> napisał:'],
    ['Apple Mail', 'Wiadomość napisana przez {name} <{address}> w dniu 12.03.2024, o godz. 10:04:'],
    ['Thunderbird', 'W dniu 12.03.2024 o 10:04, {name} pisze:'],
    ['Onet', 'Dnia 12 marca 2024 10:04 {name} <{address}> napisał(a):'],
    ['ProtonMail', 'We wtorek, 12 marca 2024 o 10:04, {name} <{address}> napisał(a):'],
  ],
  headers: [
    [
      'Outlook',
      'Od: {name} <{address}>\nWysłano: wtorek, 12 marca 2024 10:04\nDo: Zofia Nowak <zofia@b.example>\nTemat: RE: Zamówienie 4711',
    ],
    [
      'Outlook for Mac',
      'Od: {name} <{address}>\nData: wtorek, 12 marca 2024 10:04\nDo: Zofia Nowak <zofia@b.example>\nTemat: Re: Zamówienie 4711',
    ],
    [
      'Samsung',
      '-------- Oryginalna wiadomość --------Od: {name} <{address}> Data: 12.03.2024  10:04  (GMT+01:00) Do: zofia@b.example Temat: Re: Zamówienie 4711 ',
    ],
    [
      'Outlook 2003',
      '-----Wiadomość oryginalna-----\nOd: {name} [mailto:{address}]\nWysłano: 12 marca 2024 10:04\nDo: Zofia Nowak\nTemat: Zamówienie 4711',
    ],
  ],
  forwards: [
    [
      'Gmail',
      '---------- Forwarded message ---------\nOd: {name} <{address}>\nDate: wt., 12 mar 2024 o 10:04\nSubject: Zamówienie 4711\nTo: <zofia@b.example>',
    ],
    [
      'Apple Mail',
      'Początek przekazywanej wiadomości:\n\nOd: {name} <{address}>\nTemat: Zamówienie 4711\nData: 12 marca 2024 o 10:04:05 CET\nDo: zofia@b.example',
    ],
    [
      'Yahoo web',
      '----- Przesłana wiadomość ----- Od: {name} <{address}>Do: zofia@b.example <zofia@b.example>Wysłano: wtorek, 12 marca 2024 10:04:05 CETTemat: Zamówienie 4711',
    ],
    [
      'Thunderbird',
      '-------- Przekazana wiadomość --------\nTemat: \tZamówienie 4711\nData: \tTue, 12 Mar 2024 10:04:05 +0100\nNadawca: \t{name} <{address}>\nAdresat: \tzofia@b.example',
    ],
  ],
};
