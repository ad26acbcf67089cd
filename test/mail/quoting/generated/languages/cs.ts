import type { ReplyPhrases } from '../phrases.ts';

export const czech: ReplyPhrases = {
  language: 'cs',
  title: 'Czech',
  authors: ['Jana Nováková', 'Petr Dvořák'],
  senders: ['Eva Malá', 'Tomáš Černý'],
  greetings: ['Dobrý den,', 'Ahoj Evo,', 'Vážení,', 'Dobrý den pane Černý'],
  bodies: [
    'Děkuji za informace, prosím zrušte mou objednávku 4711.',
    'Mockrát děkuji za rychlou odpověď. Balík dnes dorazil.\n\nMůžete mi poslat fakturu?',
    'Prosím změňte doručovací adresu na\n\nJana Nováková\nDlouhá 12\n110 00 Praha\n\nprotože jsem se přestěhovala.',
    'Předem děkuji za kontrolu, potřebujeme to do pátku',
    'Ano, souhlasím.',
    'Pozdravujte také Petra, hodně nám pomohl.\n\nSchůzka v pondělí platí.',
  ],
  closings: [
    'S pozdravem',
    'S přátelským pozdravem,',
    'S pozdravem z Brna,',
    'S pozdravem / Best regards',
    'Děkuji,',
    'Děkuji a přeji hezký den',
    'Hezký den,',
    'S úctou',
  ],
  contacts: [
    'Vedoucí prodeje\nAcme s.r.o.\nTel.: +420 221 123 456',
    'Acme a.s.\nDlouhá 12, 110 00 Praha\nwww.acme.example',
    'Zákaznický servis\njana@acme.example',
    'mobil: 601 234 567',
  ],
  footers: [
    'Odesláno z iPhonu',
    'Odesláno z mého telefonu Galaxy',
    'Získejte Outlook pro iOS<https://aka.ms/o0ukef>',
    'Odesláno z Pošty pro Windows',
    'Odesláno z aplikace Seznam Email',
    'Odesláno z mobilu',
  ],
  quotes: [
    'Dobrý den,\n\nVaše objednávka 4711 byla dnes odeslána.\n\nTým Acme',
    'Dobrý den,\n\njak můžeme pomoci?\n\nS pozdravem\nTomáš',
  ],
  attributions: [
    ['Gmail', 'út 12. 3. 2024 v 10:04 odesílatel {name} <{address}> napsal:'],
    ['Yahoo web', 'V úterý 12. března 2024 10:04:05 SEČ, uživatel {name} <{address}> napsal:'],
    ['Apple Mail', '12. 3. 2024 v 10:04, {name} <{address}>:'],
    ['Thunderbird', 'Dne 12. 03. 24 v 10:04 {name} napsal(a):'],
    [
      'Seznam',
      '---------- Původní e-mail ----------\nOd: {name} <{address}>\nKomu: jana@b.example\nDatum: 12. 3. 2024 10:04:05\nPředmět: Objednávka 4711',
    ],
    ['Outlook', 'Dne 12. 3. 2024 10:04, {name} <{address}> napsal(a):'],
  ],
  headers: [
    [
      'Outlook',
      'Od: {name} <{address}>\nOdesláno: úterý 12. března 2024 10:04\nKomu: Jana Nováková <jana@b.example>\nPředmět: RE: Objednávka 4711',
    ],
    [
      'Outlook for Mac',
      'Od: {name} <{address}>\nDatum: úterý 12. března 2024 10:04\nKomu: Jana Nováková <jana@b.example>\nPředmět: Re: Objednávka 4711',
    ],
    [
      'Samsung',
      '-------- Původní zpráva --------Od: {name} <{address}> Datum: 12.03.2024  10:04  (GMT+01:00) Komu: jana@b.example Předmět: Re: Objednávka 4711 ',
    ],
    [
      'Outlook 2003',
      '-----Original Message-----\nFrom: {name} [mailto:{address}]\nSent: Tuesday, March 12, 2024 10:04 AM\nTo: Jana Nováková\nSubject: Objednávka 4711',
    ],
  ],
  forwards: [
    [
      'Gmail',
      '---------- Forwarded message ---------\nOd: {name} <{address}>\nDate: út 12. 3. 2024 v 10:04\nSubject: Objednávka 4711\nTo: <jana@b.example>',
    ],
    [
      'Apple Mail',
      'Začátek přeposílané zprávy:\n\nOd: {name} <{address}>\nPředmět: Objednávka 4711\nDatum: 12. března 2024 10:04:05 SEČ\nKomu: jana@b.example',
    ],
    [
      'Yahoo web',
      '----- Přeposlaná zpráva ----- Od: {name} <{address}>Komu: jana@b.example <jana@b.example>Odesláno: úterý 12. března 2024 10:04:05 SEČPředmět: Objednávka 4711',
    ],
    [
      'Thunderbird',
      '-------- Přeposlaná zpráva --------\nPředmět: \tObjednávka 4711\nDatum: \tTue, 12 Mar 2024 10:04:05 +0100\nOd: \t{name} <{address}>\nKomu: \tjana@b.example',
    ],
  ],
};
