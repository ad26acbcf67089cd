import type { ReplyPhrases } from '../phrases.ts';

export const swedish: ReplyPhrases = {
  language: 'sv',
  title: 'Swedish',
  authors: ['Karin Lund', 'Erik Öberg'],
  senders: ['Lars Ek', 'Maja Åström'],
  greetings: ['Hej Lars,', 'Hej!', 'God morgon,', 'Hejsan'],
  bodies: [
    'Tack för informationen, vänligen avbeställ min order 4711.',
    'Tack så mycket för det snabba svaret. Paketet kom idag.\n\nKan ni skicka fakturan till mig?',
    'Vänligen ändra leveransadressen till\n\nKarin Lund\nStorgatan 12\n111 22 Stockholm\n\neftersom jag har flyttat.',
    'Tack på förhand för att ni kollar detta, vi behöver den på fredag',
    'Ja, det går bra.',
    'Hälsningar till Olle också, han hjälpte oss mycket.\n\nMötet på måndag blir av.',
  ],
  closings: [
    'Med vänliga hälsningar',
    'Vänliga hälsningar,',
    'Hälsningar från Malmö,',
    'Med vänlig hälsning / Best regards',
    'Mvh',
    'Tack och hälsningar,',
    'Tack,',
    'Bästa hälsningar,',
  ],
  contacts: [
    'Försäljningschef\nAcme AB\nTel: +46 8 123 456',
    'Acme AB\nStorgatan 12, Stockholm\nwww.acme.example',
    'Kundtjänst\nkarin@acme.example',
    'Mobil 070-123 45 67',
  ],
  footers: [
    'Skickat från min iPhone',
    'Skickat från min Galaxy',
    'Hämta Outlook för iOS<https://aka.ms/o0ukef>',
    'Skickades från E-post för Windows',
    'Skickat från Outlook för Android',
    'Skickat från min Samsung Galaxy-smartphone.',
  ],
  quotes: [
    'Hej,\n\ndin order 4711 har skickats idag.\n\nAcme-teamet',
    'Hej,\n\nhur kan vi hjälpa till?\n\nHälsningar,\nMaja',
  ],
  attributions: [
    ['Gmail', 'Den tis 12 mars 2024 kl 10:04 skrev {name} <{address}>:'],
    ['Yahoo web', 'Den tisdag 12 mars 2024 10:04:05 CET, {name} <{address}> skrev:'],
    ['Apple Mail', '12 mars 2024 kl. 10:04 skrev {name} <{address}>:'],
    ['Thunderbird', 'Den 2024-03-12 kl. 10:04, skrev {name}:'],
    ['Outlook', 'Den 12 mars 2024 10.04 skrev {name} <{address}>:'],
    ['ProtonMail', 'tisdag 12 mars 2024 kl 10:04 skrev {name} <{address}>:'],
  ],
  headers: [
    [
      'Outlook',
      'Från: {name} <{address}>\nSkickat: den 12 mars 2024 10:04\nTill: Karin Lund <karin@b.example>\nÄmne: SV: Order 4711',
    ],
    [
      'Outlook for Mac',
      'Från: {name} <{address}>\nDatum: tisdag, 12 mars 2024 10:04\nTill: Karin Lund <karin@b.example>\nÄmne: Re: Order 4711',
    ],
    [
      'Samsung',
      '-------- Originalmeddelande --------Från: {name} <{address}> Datum: 2024-03-12  10:04  (GMT+01:00) Till: karin@b.example Ämne: Re: Order 4711 ',
    ],
    [
      'Outlook 2003',
      '-----Ursprungligt meddelande-----\nFrån: {name} [mailto:{address}]\nSkickat: den 12 mars 2024 10:04\nTill: Karin Lund\nÄmne: Order 4711',
    ],
  ],
  forwards: [
    [
      'Gmail',
      '---------- Forwarded message ---------\nFrån: {name} <{address}>\nDate: tis 12 mars 2024 kl 10:04\nSubject: Order 4711\nTo: <karin@b.example>',
    ],
    [
      'Apple Mail',
      'Vidarebefordrat mejl:\n\nFrån: {name} <{address}>\nÄmne: Order 4711\nDatum: 12 mars 2024 10:04:05 CET\nTill: karin@b.example',
    ],
    [
      'Yahoo web',
      '----- Vidarebefordrat meddelande ----- Från: {name} <{address}>Till: karin@b.example <karin@b.example>Skickat: tisdag 12 mars 2024 10:04:05 CETÄmne: Order 4711',
    ],
    [
      'Thunderbird',
      '-------- Vidarebefordrat meddelande --------\nÄmne: \tOrder 4711\nDatum: \tTue, 12 Mar 2024 10:04:05 +0100\nFrån: \t{name} <{address}>\nTill: \tkarin@b.example',
    ],
  ],
};
