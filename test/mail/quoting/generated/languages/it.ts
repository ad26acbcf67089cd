import type { ReplyPhrases } from '../phrases.ts';

export const italian: ReplyPhrases = {
  language: 'it',
  title: 'Italian',
  authors: ['Giulia Rossi', 'Marco Bianchi'],
  senders: ['Paolo Conti', 'Chiara di Marco'],
  greetings: ['Ciao Paolo,', 'Buongiorno,', 'Gentili signori,', 'Salve'],
  bodies: [
    'Grazie per le informazioni, per favore annullate il mio ordine 4711.',
    'Grazie mille per la risposta veloce. Il pacco è arrivato oggi.\n\nPotete inviarmi la fattura?',
    'Vi prego di cambiare l’indirizzo di consegna in\n\nGiulia Rossi\nVia Roma 12\n20121 Milano\n\nperché ho traslocato.',
    'Grazie in anticipo per la verifica, ci serve entro venerdì',
    'Sì, va bene.',
    'Saluti anche a Laura che ci ha aiutato molto.\n\nL’appuntamento di lunedì resta confermato.',
  ],
  closings: [
    'Cordiali saluti,',
    'Distinti saluti',
    'Grazie e cordiali saluti,',
    'Un caro saluto',
    'Saluti da Roma,',
    'Cordiali saluti / Best regards',
    'Grazie,',
    'Buona giornata,',
  ],
  contacts: [
    'Responsabile vendite\nAcme S.r.l.\nTel. +39 02 1234567',
    'Acme S.p.A.\nVia Roma 12, 20121 Milano\nwww.acme.example',
    'Servizio clienti\ngiulia@acme.example',
    'Cell. 347 123 4567',
  ],
  footers: [
    'Inviato da iPhone',
    'Inviato dal mio Galaxy',
    'Scarica Outlook per iOS<https://aka.ms/o0ukef>',
    'Inviato da Posta per Windows',
    'Inviato da Libero Mail per iOS',
    'Inviato da Yahoo Mail su Android',
  ],
  quotes: [
    'Buongiorno,\n\nil suo ordine 4711 è stato spedito oggi.\n\nIl team Acme',
    'Buongiorno,\n\ncome possiamo aiutarla?\n\nCordiali saluti,\nChiara',
  ],
  attributions: [
    ['Gmail', 'Il giorno mar 12 mar 2024 alle ore 10:04 {name} <{address}> ha scritto:'],
    ['Yahoo web', 'Il martedì 12 marzo 2024 alle ore 10:04:05 CET, {name} <{address}> ha scritto:'],
    ['Apple Mail', 'Il giorno 12 mar 2024, alle ore 10:04, {name} <{address}> ha scritto:'],
    ['Thunderbird', 'Il 12/03/2024 10:04, {name} ha scritto:'],
    ['Libero', 'Il 12/03/2024 10:04 {name} <{address}> ha scritto:'],
    ['ProtonMail', 'Il martedì 12 marzo 2024 alle 10:04, {name} <{address}> ha scritto:'],
  ],
  headers: [
    [
      'Outlook',
      'Da: {name} <{address}>\nInviato: martedì 12 marzo 2024 10:04\nA: Giulia Rossi <giulia@b.example>\nOggetto: R: Ordine 4711',
    ],
    [
      'Outlook for Mac',
      'Da: {name} <{address}>\nData: martedì, 12 marzo 2024 alle ore 10:04\nA: Giulia Rossi <giulia@b.example>\nOggetto: Re: Ordine 4711',
    ],
    [
      'Samsung',
      '-------- Messaggio originale --------Da: {name} <{address}> Data: 12/03/24  10:04  (GMT+01:00) A: giulia@b.example Oggetto: Re: Ordine 4711 ',
    ],
    [
      'Outlook 2003',
      '-----Messaggio originale-----\nDa: {name} [mailto:{address}]\nInviato: martedì 12 marzo 2024 10:04\nA: Giulia Rossi\nOggetto: Ordine 4711',
    ],
  ],
  forwards: [
    [
      'Gmail',
      '---------- Forwarded message ---------\nDa: {name} <{address}>\nDate: mar 12 mar 2024 alle ore 10:04\nSubject: Ordine 4711\nTo: <giulia@b.example>',
    ],
    [
      'Apple Mail',
      'Inizio messaggio inoltrato:\n\nDa: {name} <{address}>\nOggetto: Ordine 4711\nData: 12 marzo 2024 10:04:05 CET\nA: giulia@b.example',
    ],
    [
      'Yahoo web',
      '----- Messaggio inoltrato ----- Da: {name} <{address}>A: giulia@b.example <giulia@b.example>Inviato: martedì 12 marzo 2024 alle ore 10:04:05 CETOggetto: Ordine 4711',
    ],
    [
      'Thunderbird',
      '-------- Messaggio Inoltrato --------\nOggetto: \tOrdine 4711\nData: \tTue, 12 Mar 2024 10:04:05 +0100\nMittente: \t{name} <{address}>\nA: \tgiulia@b.example',
    ],
  ],
};
