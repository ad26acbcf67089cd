import type { ReplyPhrases } from '../phrases.ts';

export const dutch: ReplyPhrases = {
  language: 'nl',
  title: 'Dutch',
  authors: ['Sanne de Vries', 'Pieter Bakker'],
  senders: ['Kees Jansen', 'Femke van den Berg'],
  greetings: ['Hallo Kees,', 'Goedemorgen,', 'Geachte heer,', 'Hoi'],
  bodies: [
    'Bedankt voor de informatie, annuleer alstublieft mijn bestelling 4711.',
    'Hartelijk dank voor de snelle reactie. Het pakket is vandaag aangekomen.\n\nKunt u mij de factuur sturen?',
    'Wilt u het afleveradres wijzigen in\n\nSanne de Vries\nDorpsstraat 12\n1011 AB Amsterdam\n\nwant ik ben verhuisd.',
    'Alvast bedankt voor het nakijken, we hebben het vrijdag nodig',
    'Ja, dat is goed.',
    'Groeten ook aan Lotte, die ons goed heeft geholpen.\n\nDe afspraak van maandag gaat door.',
  ],
  closings: [
    'Met vriendelijke groet,',
    'Vriendelijke groeten',
    'Groeten uit Utrecht,',
    'Met vriendelijke groet / Kind regards,',
    'Groetjes,',
    'Bedankt en groeten,',
    'Alvast bedankt,',
    'Mvg,',
  ],
  contacts: [
    'Hoofd verkoop\nAcme B.V.\nTel. +31 20 123 4567',
    'Acme B.V.\nDorpsstraat 12, Amsterdam\nwww.acme.example',
    'Klantenservice\nsanne@acme.example',
    'M 06 12345678',
  ],
  footers: [
    'Verstuurd vanaf mijn iPhone',
    'Verzonden vanaf mijn Galaxy',
    'Outlook voor iOS downloaden<https://aka.ms/o0ukef>',
    'Verzonden vanuit Mail voor Windows',
    'Verzonden vanuit Yahoo Mail op Android',
    'Verstuurd met Proton Mail',
  ],
  quotes: [
    'Hallo,\n\nuw bestelling 4711 is vandaag verzonden.\n\nHet Acme-team',
    'Hallo,\n\nwaarmee kunnen we helpen?\n\nGroeten,\nFemke',
  ],
  attributions: [
    ['Gmail', 'Op di 12 mrt 2024 om 10:04 schreef {name} <{address}>:'],
    ['Outlook', 'Op 12 mrt. 2024 om 18.30 heeft {name} <{address}> geschreven:'],
    ['Apple Mail', 'Op 12 mrt 2024, om 10:04 heeft {name} <{address}> het volgende geschreven:'],
    ['Yahoo web', 'Op dinsdag 12 maart 2024 om 10:04:05 CET schreef {name} <{address}>:'],
    ['Thunderbird', 'Op 12-03-2024 om 10:04 schreef {name}:'],
    ['Gmail', '{name} <{address}> schreef op di 12 mrt. 2024 om 10:04:'],
  ],
  headers: [
    [
      'Outlook',
      'Van: {name} <{address}>\nVerzonden: dinsdag 12 maart 2024 10:04\nAan: Sanne de Vries <sanne@b.example>\nOnderwerp: RE: Bestelling 4711',
    ],
    [
      'Outlook for Mac',
      'Van: {name} <{address}>\nDatum: dinsdag, 12 maart 2024 om 10:04\nAan: Sanne de Vries <sanne@b.example>\nOnderwerp: Re: Bestelling 4711',
    ],
    [
      'Samsung',
      '-------- Oorspronkelijk bericht --------Van: {name} <{address}> Datum: 12-03-2024  10:04  (GMT+01:00) Aan: sanne@b.example Onderwerp: Re: Bestelling 4711 ',
    ],
    [
      'Outlook 2003',
      '-----Oorspronkelijk bericht-----\nVan: {name} [mailto:{address}]\nVerzonden: dinsdag 12 maart 2024 10:04\nAan: Sanne de Vries\nOnderwerp: Bestelling 4711',
    ],
  ],
  forwards: [
    [
      'Gmail',
      '---------- Forwarded message ---------\nVan: {name} <{address}>\nDate: di 12 mrt 2024 om 10:04\nSubject: Bestelling 4711\nTo: <sanne@b.example>',
    ],
    [
      'Apple Mail',
      'Begin doorgestuurd bericht:\n\nVan: {name} <{address}>\nOnderwerp: Bestelling 4711\nDatum: 12 maart 2024 om 10:04:05 CET\nAan: sanne@b.example',
    ],
    [
      'Yahoo web',
      '----- Doorgestuurd bericht ----- Van: {name} <{address}>Aan: sanne@b.example <sanne@b.example>Verzonden: dinsdag 12 maart 2024 om 10:04:05 CETOnderwerp: Bestelling 4711',
    ],
    [
      'Thunderbird',
      '-------- Doorgestuurd bericht --------\nOnderwerp: \tBestelling 4711\nDatum: \tTue, 12 Mar 2024 10:04:05 +0100\nVan: \t{name} <{address}>\nAan: \tsanne@b.example',
    ],
  ],
};
