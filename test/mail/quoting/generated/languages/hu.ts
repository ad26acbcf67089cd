import type { ReplyPhrases } from '../phrases.ts';

export const hungarian: ReplyPhrases = {
  language: 'hu',
  title: 'Hungarian',
  authors: ['Kovács Anna', 'Szabó Péter'],
  senders: ['Nagy Éva', 'Tóth Gábor'],
  greetings: ['Kedves Éva!', 'Jó napot,', 'Tisztelt Ügyfélszolgálat!', 'Szia Gábor,'],
  bodies: [
    'Köszönöm a tájékoztatást, kérem, töröljék a 4711-es rendelésemet.',
    'Köszönöm szépen a gyors választ. A csomag ma megérkezett.\n\nEl tudnák küldeni a számlát?',
    'Kérem, módosítsák a szállítási címet erre:\n\nKovács Anna\nFő utca 12.\n1011 Budapest\n\nmert elköltöztem.',
    'Előre is köszönöm az ellenőrzést, péntekig szükségünk van rá',
    'Igen, rendben van.',
    'Üdvözlöm Pétert is, sokat segített nekünk.\n\nA hétfői megbeszélés marad.',
  ],
  closings: [
    'Üdvözlettel,',
    'Tisztelettel:',
    'Szívélyes üdvözlettel',
    'Üdv,',
    'Köszönettel,',
    'Üdvözlettel / Best regards',
    'Köszönöm,',
    'További szép napot!',
  ],
  contacts: [
    'értékesítési vezető\nAcme Kft.\nTel.: +36 1 234 5678',
    'Acme Zrt.\n1011 Budapest, Fő utca 12.\nwww.acme.example',
    'Ügyfélszolgálat\nanna@acme.example',
    'mobil: +36 30 123 4567',
  ],
  footers: [
    'Elküldve az iPhone-omról',
    'Elküldve a Galaxy készülékemről',
    'Az Outlook beszerzése iOS-hez<https://aka.ms/o0ukef>',
    'iPhone-ról küldve',
    'Küldve a telefonomról',
    'Elküldve Androidos Yahoo Mailből',
  ],
  quotes: [
    'Kedves Anna!\n\nA 4711-es rendelését ma feladtuk.\n\nAz Acme csapata',
    'Jó napot,\n\nmiben segíthetünk?\n\nÜdvözlettel,\nGábor',
  ],
  attributions: [
    ['Gmail', '{name} <{address}> ezt írta (időpont: 2024. márc. 12., K, 10:04):'],
    ['Gmail', '{name} ({address}) ezt írta (időpont: 2024. márc. 12., K 10:04):'],
    ['Apple Mail', '2024. 03. 12. dátummal, 10:04 időpontban {name} <{address}> írta:'],
    ['Yahoo web', '2024. március 12. kedd 10:04:05 CET időpontban {name} <{address}> ezt írta:'],
    ['Thunderbird', '2024. 03. 12. 10:04 keltezéssel, {name} írta:'],
    ['Gmail', '2024. márc. 12., K 10:04 időpontban {name} <{address}> ezt írta:'],
  ],
  headers: [
    [
      'Outlook',
      'Feladó: {name} <{address}>\nKüldve: 2024. március 12., kedd 10:04\nCímzett: Kovács Anna <anna@b.example>\nTárgy: RE: 4711-es rendelés',
    ],
    [
      'Outlook for Mac',
      'Feladó: {name} <{address}>\nDátum: 2024. március 12., kedd 10:04\nCímzett: Kovács Anna <anna@b.example>\nMásolatot kap: Péter <peter@b.example>\nTárgy: Re: 4711-es rendelés',
    ],
    [
      'Samsung',
      '-------- Eredeti üzenet --------Feladó: {name} <{address}> Dátum: 2024. 03. 12.  10:04  (GMT+01:00) Címzett: anna@b.example Tárgy: Re: 4711-es rendelés ',
    ],
    [
      'Outlook 2003',
      '-----Eredeti üzenet-----\nFeladó: {name} [mailto:{address}]\nElküldve: 2024. március 12. 10:04\nCímzett: Kovács Anna\nTárgy: 4711-es rendelés',
    ],
  ],
  forwards: [
    [
      'Gmail',
      '---------- Forwarded message ---------\nFeladó: {name} <{address}>\nDate: 2024. márc. 12., K, 10:04\nSubject: 4711-es rendelés\nTo: <anna@b.example>',
    ],
    [
      'Apple Mail',
      'Továbbított levél kezdete:\n\nFeladó: {name} <{address}>\nTárgy: 4711-es rendelés\nDátum: 2024. március 12. 10:04:05 CET\nCímzett: anna@b.example',
    ],
    [
      'Thunderbird',
      '-------- Továbbított üzenet --------\nTárgy: \t4711-es rendelés\nDátum: \tTue, 12 Mar 2024 10:04:05 +0100\nFeladó: \t{name} <{address}>\nCímzett: \tanna@b.example',
    ],
    [
      'Outlook',
      'Feladó: {name} <{address}>\nElküldve: 2024. március 12., kedd 10:04\nCímzett: Kovács Anna <anna@b.example>\nTárgy: 4711-es rendelés',
    ],
  ],
};
