import type { ReplyPhrases } from '../phrases.ts';

export const finnish: ReplyPhrases = {
  language: 'fi',
  title: 'Finnish',
  authors: ['Anna Virtanen', 'Mikko Korhonen'],
  senders: ['Liisa Mäkinen', 'Jussi Järvinen'],
  greetings: ['Hei Liisa,', 'Hyvää päivää,', 'Moi', 'Hyvä vastaanottaja,'],
  bodies: [
    'Kiitos tiedosta, peruuttakaa tilaukseni 4711.',
    'Kiitos paljon nopeasta vastauksesta. Paketti saapui tänään.\n\nVoitteko lähettää minulle laskun?',
    'Muuttakaa toimitusosoitteeksi\n\nAnna Virtanen\nMannerheimintie 12\n00100 Helsinki\n\nkoska olen muuttanut.',
    'Kiitos etukäteen tarkistuksesta, tarvitsemme sen perjantaihin mennessä',
    'Kyllä, sopii hyvin.',
    'Terveisiä myös Petrille, hän auttoi meitä paljon.\n\nMaanantain kokous pidetään.',
  ],
  closings: [
    'Ystävällisin terveisin',
    'Terveisin,',
    'Parhain terveisin,',
    'Kunnioittavasti',
    'Kiitos,',
    'Ystävällisin terveisin / Best regards',
    'Kiittäen',
    'Hyvää päivänjatkoa,',
  ],
  contacts: [
    'Myyntipäällikkö\nAcme Oy\nPuh. +358 9 123 4567',
    'Acme Oy\nMannerheimintie 12, 00100 Helsinki\nwww.acme.example',
    'Asiakaspalvelu\nanna@acme.example',
    'puh. 040 123 4567',
  ],
  footers: [
    'Lähetetty iPhonesta',
    'Lähetetty Samsung Galaxy -älypuhelimesta',
    'Hanki Outlook for iOS<https://aka.ms/o0ukef>',
    'Lähetetty iPadistani',
    'Lähetetty puhelimestani',
    'Lähetetty Yahoo Mailista Androidilla',
  ],
  quotes: [
    'Hei,\n\ntilauksesi 4711 on lähetetty tänään.\n\nAcme-tiimi',
    'Hyvää päivää,\n\nkuinka voimme auttaa?\n\nTerveisin\nJussi',
  ],
  attributions: [
    ['Gmail', 'ti 12. maalisk. 2024 klo 10.04 {name} ({address}) kirjoitti:'],
    ['Gmail', 'ti 12. maaliskuuta 2024 klo 10.04 {name} <{address}> kirjoitti:'],
    ['Apple Mail', '{name} <{address}> kirjoitti 12.3.2024 kello 10.04:'],
    ['Yahoo web', 'tiistai 12. maaliskuuta 2024 klo 10.04.05 UTC+2 {name} <{address}> kirjoitti:'],
    ['Thunderbird', '{name} kirjoitti 12.3.2024 klo 10.04:'],
    ['Proton Mail', 'tiistaina 12. maaliskuuta 2024 klo 10.04 {name} <{address}> kirjoitti:'],
  ],
  headers: [
    [
      'Outlook',
      'Lähettäjä: {name} <{address}>\nLähetetty: tiistai 12. maaliskuuta 2024 10.04\nVastaanottaja: Anna Virtanen <anna@b.example>\nAihe: VS: Tilaus 4711',
    ],
    [
      'Outlook for Mac',
      'Lähettäjä: {name} <{address}>\nPäivämäärä: tiistai 12. maaliskuuta 2024 klo 10.04\nVastaanottaja: Anna Virtanen <anna@b.example>\nKopio: Petri <petri@b.example>\nAihe: Re: Tilaus 4711',
    ],
    [
      'Samsung',
      '-------- Alkuperäinen viesti --------Lähettäjä: {name} <{address}> Päivämäärä: 12.3.2024  10.04  (GMT+02:00) Vastaanottaja: anna@b.example Aihe: Re: Tilaus 4711 ',
    ],
    [
      'Outlook 2003',
      '-----Alkuperäinen viesti-----\nLähettäjä: {name} [mailto:{address}]\nLähetetty: 12. maaliskuuta 2024 10:04\nVastaanottaja: Anna Virtanen\nAihe: Tilaus 4711',
    ],
  ],
  forwards: [
    [
      'Gmail',
      '---------- Forwarded message ---------\nLähettäjä: {name} <{address}>\nDate: ti 12. maalisk. 2024 klo 10.04\nSubject: Tilaus 4711\nTo: <anna@b.example>',
    ],
    [
      'Apple Mail',
      'Välitetty viesti alkaa:\n\nLähettäjä: {name} <{address}>\nAihe: Tilaus 4711\nPäivämäärä: 12. maaliskuuta 2024 klo 10.04.05 UTC+2\nVastaanottaja: anna@b.example',
    ],
    [
      'Thunderbird',
      '-------- Välitetty viesti --------\nAihe: \tTilaus 4711\nPäiväys: \tTue, 12 Mar 2024 10:04:05 +0200\nLähettäjä: \t{name} <{address}>\nVastaanottaja: \tanna@b.example',
    ],
    [
      'Outlook',
      'Lähettäjä: {name} <{address}>\nLähetetty: tiistai 12. maaliskuuta 2024 10.04\nVastaanottaja: Anna Virtanen <anna@b.example>\nAihe: Tilaus 4711',
    ],
  ],
};
