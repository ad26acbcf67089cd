import type { ReplyPhrases } from '../phrases.ts';

export const norwegian: ReplyPhrases = {
  language: 'no',
  title: 'Norwegian',
  authors: ['Ingrid Dahl', 'Håkon Berg'],
  senders: ['Kari Moe', 'Ola Sørlie'],
  greetings: ['Hei Kari,', 'Hei', 'God morgen,', 'Hei Ola!'],
  bodies: [
    'Takk for informasjonen, vennligst kanseller bestillingen min 4711.',
    'Tusen takk for det raske svaret. Pakken kom i dag.\n\nKan dere sende meg fakturaen?',
    'Vennligst endre leveringsadressen til\n\nIngrid Dahl\nStorgata 12\n0155 Oslo\n\nfordi jeg har flyttet.',
    'På forhånd takk for at dere sjekker dette, vi trenger det på fredag',
    'Ja, det er greit.',
    'Hilsen også til Nils, han hjalp oss mye.\n\nMøtet på mandag står fast.',
  ],
  closings: [
    'Med vennlig hilsen',
    'Vennlig hilsen,',
    'Hilsen fra Bergen,',
    'Med vennlig hilsen / Best regards',
    'Mvh',
    'Beste hilsener,',
    'Takk,',
    'Hilsen',
  ],
  contacts: [
    'Salgssjef\nAcme AS\nTlf. +47 22 12 34 56',
    'Acme AS\nStorgata 12, 0155 Oslo\nwww.acme.example',
    'Kundeservice\ningrid@acme.example',
    'Mobil: 912 34 567',
  ],
  footers: [
    'Sendt fra min iPhone',
    'Sendt fra min Galaxy',
    'Skaff deg Outlook for iOS<https://aka.ms/o0ukef>',
    'Sendt fra E-post for Windows',
    'Sendt fra Yahoo Mail på Android',
    'Sendt fra min Samsung Galaxy-smarttelefon.',
  ],
  quotes: [
    'Hei,\n\nbestillingen din 4711 er sendt i dag.\n\nAcme',
    'Hei,\n\nhvordan kan vi hjelpe?\n\nHilsen\nOla',
  ],
  attributions: [
    ['Gmail', 'tir. 12. mar. 2024 kl. 10:04 skrev {name} <{address}>:'],
    ['Outlook', '{name} <{address}> skrev følgende den 12.03.2024 10:04:'],
    ['Apple Mail', '12. mar. 2024 kl. 10:04 skrev {name} <{address}>:'],
    ['Yahoo web', 'Den tirsdag 12. mars 2024 10:04:05 CET skrev {name} <{address}>:'],
    ['Thunderbird', 'Den 12.03.2024 10:04, skrev {name}:'],
    ['ProtonMail', 'tirsdag 12. mars 2024 kl. 10:04 skrev {name} <{address}>:'],
  ],
  headers: [
    [
      'Outlook',
      'Fra: {name} <{address}>\nSendt: tirsdag 12. mars 2024 10:04\nTil: Ingrid Dahl <ingrid@b.example>\nEmne: SV: Bestilling 4711',
    ],
    [
      'Outlook for Mac',
      'Fra: {name} <{address}>\nDato: tirsdag 12. mars 2024 kl. 10:04\nTil: Ingrid Dahl <ingrid@b.example>\nEmne: Re: Bestilling 4711',
    ],
    [
      'Samsung',
      '-------- Opprinnelig melding --------Fra: {name} <{address}> Dato: 12.03.2024  10:04  (GMT+01:00) Til: ingrid@b.example Emne: Re: Bestilling 4711 ',
    ],
    [
      'Outlook 2003',
      '-----Opprinnelig melding-----\nFra: {name} [mailto:{address}]\nSendt: 12. mars 2024 10:04\nTil: Ingrid Dahl\nEmne: Bestilling 4711',
    ],
  ],
  forwards: [
    [
      'Gmail',
      '---------- Forwarded message ---------\nFra: {name} <{address}>\nDate: tir. 12. mar. 2024 kl. 10:04\nSubject: Bestilling 4711\nTo: <ingrid@b.example>',
    ],
    [
      'Apple Mail',
      'Videresendt melding:\n\nFra: {name} <{address}>\nEmne: Bestilling 4711\nDato: 12. mars 2024 kl. 10:04:05 CET\nTil: ingrid@b.example',
    ],
    [
      'Yahoo web',
      '----- Videresendt melding ----- Fra: {name} <{address}>Til: ingrid@b.example <ingrid@b.example>Sendt: tirsdag 12. mars 2024 10:04:05 CETEmne: Bestilling 4711',
    ],
    [
      'Thunderbird',
      '-------- Videresendt melding --------\nEmne: \tBestilling 4711\nDato: \tTue, 12 Mar 2024 10:04:05 +0100\nFra: \t{name} <{address}>\nTil: \tingrid@b.example',
    ],
  ],
};
