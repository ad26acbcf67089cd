import type { ReplyPhrases } from '../phrases.ts';

export const danish: ReplyPhrases = {
  language: 'da',
  title: 'Danish',
  authors: ['Freja Holm', 'Søren Kjær'],
  senders: ['Lone Bach', 'Mads Ågård'],
  greetings: ['Hej Lone,', 'Hej', 'Kære Mads', 'Goddag,'],
  bodies: [
    'Tak for informationen, annuller venligst min ordre 4711.',
    'Mange tak for det hurtige svar. Pakken kom i dag.\n\nKan I sende mig fakturaen?',
    'Vær venlig at ændre leveringsadressen til\n\nFreja Holm\nStorgade 12\n1000 København\n\nda jeg er flyttet.',
    'På forhånd tak for at tjekke det, vi skal bruge den på fredag',
    'Ja, det er fint.',
    'Hilsen også til Bo, han hjalp os meget.\n\nMødet på mandag står ved magt.',
  ],
  closings: [
    'Med venlig hilsen',
    'Venlig hilsen,',
    'Hilsner fra Aarhus,',
    'Med venlig hilsen / Best regards',
    'Mvh',
    'Bedste hilsner,',
    'Tak,',
    'De bedste hilsner',
  ],
  contacts: [
    'Salgschef\nAcme A/S\nTlf. +45 12 34 56 78',
    'Acme ApS\nStorgade 12, København\nwww.acme.example',
    'Kundeservice\nfreja@acme.example',
    'Mobil: 12 34 56 78',
  ],
  footers: [
    'Sendt fra min iPhone',
    'Sendt fra min Galaxy',
    'Hent Outlook til iOS<https://aka.ms/o0ukef>',
    'Sendt fra Mail til Windows',
    'Sendt fra Yahoo Mail på Android',
    'Sendt fra min Samsung Galaxy-smartphone.',
  ],
  quotes: [
    'Hej,\n\ndin ordre 4711 er sendt i dag.\n\nAcme',
    'Hej,\n\nhvordan kan vi hjælpe?\n\nHilsen\nMads',
  ],
  attributions: [
    ['Gmail', 'Den tirs. 12. mar. 2024 kl. 10.04 skrev {name} <{address}>:'],
    ['Yahoo web', 'Den tirsdag den 12. marts 2024 10.04.05 CET skrev {name} <{address}>:'],
    ['Apple Mail', 'Den 12. mar. 2024 kl. 10.04 skrev {name} <{address}>:'],
    ['Thunderbird', 'Den 12-03-2024 kl. 10:04 skrev {name}:'],
    ['Outlook', 'Den 12. marts 2024 10.04 skrev {name} <{address}>:'],
    ['ProtonMail', 'tirsdag den 12. marts 2024 kl. 10:04 skrev {name} <{address}>:'],
  ],
  headers: [
    [
      'Outlook',
      'Fra: {name} <{address}>\nSendt: 12. marts 2024 10:04\nTil: Freja Holm <freja@b.example>\nEmne: SV: Ordre 4711',
    ],
    [
      'Outlook for Mac',
      'Fra: {name} <{address}>\nDato: tirsdag den 12. marts 2024 kl. 10.04\nTil: Freja Holm <freja@b.example>\nEmne: Re: Ordre 4711',
    ],
    [
      'Samsung',
      '-------- Oprindelig besked --------Fra: {name} <{address}> Dato: 12.03.2024  10.04  (GMT+01:00) Til: freja@b.example Emne: Re: Ordre 4711 ',
    ],
    [
      'Outlook 2003',
      '-----Oprindelig meddelelse-----\nFra: {name} [mailto:{address}]\nSendt: 12. marts 2024 10:04\nTil: Freja Holm\nEmne: Ordre 4711',
    ],
  ],
  forwards: [
    [
      'Gmail',
      '---------- Forwarded message ---------\nFra: {name} <{address}>\nDate: tirs. 12. mar. 2024 kl. 10.04\nSubject: Ordre 4711\nTo: <freja@b.example>',
    ],
    [
      'Apple Mail',
      'Start på videresendt besked:\n\nFra: {name} <{address}>\nEmne: Ordre 4711\nDato: 12. marts 2024 kl. 10.04.05 CET\nTil: freja@b.example',
    ],
    [
      'Yahoo web',
      '----- Videresendt meddelelse ----- Fra: {name} <{address}>Til: freja@b.example <freja@b.example>Sendt: tirsdag den 12. marts 2024 10.04.05 CETEmne: Ordre 4711',
    ],
    [
      'Thunderbird',
      '-------- Videresendt meddelelse --------\nEmne: \tOrdre 4711\nDato: \tTue, 12 Mar 2024 10:04:05 +0100\nFra: \t{name} <{address}>\nTil: \tfreja@b.example',
    ],
  ],
};
