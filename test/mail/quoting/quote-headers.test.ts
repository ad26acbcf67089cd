import { describe, expect, it } from 'vitest';
import { stripText } from '../../../lib/mail/quoting/strip.ts';

/** Language, header block as Outlook writes it. */
const blocks: readonly (readonly [string, string])[] = [
  [
    'English',
    'From: Ann Lee <ann@a.example>\nSent: Tuesday, March 12, 2024 10:04 AM\nTo: Bob Ray <bob@b.example>\nSubject: Meeting',
  ],
  [
    'English, bold',
    '*From:* Ann Lee [mailto:ann@a.example]\n*Sent:* Tuesday, March 12, 2024 10:04 AM\n*To:* Bob Ray\n*Cc:* Cy Fox; Di Gray\n*Subject:* Meeting',
  ],
  [
    'English, wrapped recipients',
    'From: Ann Lee <ann@a.example>\nDate: Tuesday, 12 March 2024 at 10:04\nTo: Bob Ray <bob@b.example>, Cy Fox <cy@c.example>,\nDi Gray <di@d.example>\nSubject: A subject that is\nlonger than a line',
  ],
  [
    'German',
    'Von: Ann Lee <ann@a.example>\nGesendet: Dienstag, 12. März 2024 10:04\nAn: Bob Ray\nBetreff: Treffen',
  ],
  [
    'French',
    'De : Ann Lee <ann@a.example>\nEnvoyé : mardi 12 mars 2024 10:04\nÀ : Bob Ray\nObjet : Rendez-vous',
  ],
  [
    'Spanish',
    'De: Ann Lee <ann@a.example>\nEnviado el: martes, 12 de marzo de 2024 10:04\nPara: Bob Ray\nAsunto: Reunión',
  ],
  [
    'Portuguese',
    'De: Ann Lee <ann@a.example>\nEnviado: terça-feira, 12 de março de 2024 10:04\nPara: Bob Ray\nAssunto: Reunião',
  ],
  [
    'Italian',
    'Da: Ann Lee <ann@a.example>\nInviato: martedì 12 marzo 2024 10:04\nA: Bob Ray\nOggetto: Riunione',
  ],
  [
    'Dutch',
    'Van: Ann Lee <ann@a.example>\nVerzonden: dinsdag 12 maart 2024 10:04\nAan: Bob Ray\nOnderwerp: Afspraak',
  ],
  [
    'Polish',
    'Od: Ann Lee <ann@a.example>\nWysłano: wtorek, 12 marca 2024 10:04\nDo: Bob Ray\nTemat: Spotkanie',
  ],
  ['Swedish', 'Från: Ann Lee <ann@a.example>\nSkickat: den 12 mars 2024 10:04\nTill: Bob Ray\nÄmne: Möte'],
  ['Danish', 'Fra: Ann Lee <ann@a.example>\nSendt: 12. marts 2024 10:04\nTil: Bob Ray\nEmne: Møde'],
  ['Norwegian', 'Fra: Ann Lee <ann@a.example>\nSendt: tirsdag 12. mars 2024 10:04\nTil: Bob Ray\nEmne: Møte'],
  [
    'Czech',
    'Od: Ann Lee <ann@a.example>\nOdesláno: úterý 12. března 2024 10:04\nKomu: Bob Ray\nPředmět: Schůzka',
  ],
  [
    'Russian',
    'От: Ann Lee <ann@a.example>\nОтправлено: 12 марта 2024 г. 10:04\nКому: Bob Ray\nТема: Встреча',
  ],
  ['Chinese', '发件人: Ann Lee <ann@a.example>\n发送时间: 2024年3月12日 10:04\n收件人: Bob Ray\n主题: 会议'],
  [
    'Chinese, traditional',
    '寄件者: Ann Lee <ann@a.example>\n寄件日期: 2024年3月12日 上午 10:04\n收件者: Bob Ray\n主旨: 會議',
  ],
  ['Japanese', '差出人: Ann Lee <ann@a.example>\n送信日時: 2024年3月12日 10:04\n宛先: Bob Ray\n件名: 会議'],
];

/** Language, divider. */
const dividers: readonly (readonly [string, string])[] = [
  ['English', '-----Original Message-----'],
  ['English, Samsung', '-------- Original message --------'],
  ['German', '-----Ursprüngliche Nachricht-----'],
  ['French', "-----Message d'origine-----"],
  ['Spanish', '-----Mensaje original-----'],
  ['Portuguese', '-----Mensagem original-----'],
  ['Italian', '-----Messaggio originale-----'],
  ['Dutch', '-----Oorspronkelijk bericht-----'],
  ['Polish', '-----Wiadomość oryginalna-----'],
  ['Swedish', '-----Ursprungligt meddelande-----'],
  ['Danish', '-----Oprindelig meddelelse-----'],
  ['Norwegian', '-----Opprinnelig melding-----'],
  ['Czech', '-----Původní zpráva-----'],
  ['Russian', '-----Исходное сообщение-----'],
  ['Chinese', '------------------ 原始邮件 ------------------'],
  ['Japanese', '-----元のメッセージ-----'],
];

/** Language, heading of a forwarded message. */
const forwards: readonly (readonly [string, string])[] = [
  ['English, Gmail', '---------- Forwarded message ---------'],
  ['English, Thunderbird', '-------- Forwarded Message --------'],
  ['English, Apple Mail', 'Begin forwarded message:'],
  ['German, Apple Mail', 'Anfang der weitergeleiteten Nachricht:'],
  ['French, Apple Mail', 'Début du message transféré :'],
  ['Spanish, Apple Mail', 'Inicio del mensaje reenviado:'],
  ['Portuguese, Apple Mail', 'Início da mensagem reencaminhada:'],
  ['Italian, Apple Mail', 'Inizio messaggio inoltrato:'],
  ['Dutch, Apple Mail', 'Begin doorgestuurd bericht:'],
  ['Polish, Apple Mail', 'Początek przekazanej wiadomości:'],
  ['Swedish, Apple Mail', 'Vidarebefordrat brev:'],
  ['Danish, Apple Mail', 'Start på videresendt besked:'],
  ['Norwegian, Apple Mail', 'Videresendt melding:'],
  ['Czech, Apple Mail', 'Začátek přeposílané zprávy:'],
  ['Russian, Gmail', '---------- Пересылаемое сообщение ---------'],
  ['Chinese, Gmail', '---------- 转发的邮件 ---------'],
  ['Japanese, Apple Mail', '転送されたメッセージ：'],
];

const answer = 'Here it is.';

describe('stripText', () => {
  it.each(blocks)('quotes everything from a header block on: %s', (_language, block) => {
    const quote = `${block}\n\nShall we meet?\n\nAnn`;
    expect(stripText(`${answer}\n\n${quote}\n`)).toEqual({
      segments: [
        { kind: 'written', text: answer },
        { kind: 'quoted', text: quote },
      ],
      stripped: answer,
    });
  });

  it.each(blocks)('quotes the horizontal rule above a header block: %s', (_language, block) => {
    expect(
      stripText(`${answer}\n________________________________\n${block}\n\nShall we meet?`).stripped,
    ).toBe(answer);
  });

  it.each(dividers)('quotes everything from a divider on: %s', (_language, divider) => {
    expect(stripText(`${answer}\n\n${divider}\n\nShall we meet?\n`).stripped).toBe(answer);
  });

  it.each(forwards)('quotes a forwarded message below a note: %s', (_language, head) => {
    const text = `${answer}\n\n${head}\nFrom: Ann Lee <ann@a.example>\nDate: Tue, 12 Mar 2024\n\nShall we meet?`;
    expect(stripText(text).segments.map(({ kind }) => kind)).toEqual(['written', 'quoted']);
    expect(stripText(text).stripped).toBe(answer);
  });

  it.each(forwards)('returns the whole text of a forward without a note: %s', (_language, head) => {
    const text = `${head}\nFrom: Ann Lee <ann@a.example>\nDate: Tue, 12 Mar 2024\n\nShall we meet?`;
    expect(stripText(text)).toEqual({ segments: [{ kind: 'quoted', text }], stripped: text });
  });

  it('quotes everything from a header block on one line on', () => {
    const text = `${answer}\n\nFrom: Ann Lee <ann@a.example> Sent: Tuesday, March 12, 2024 10:04 AM To: Bob Ray Subject: Meeting\n\nShall we meet?`;
    expect(stripText(text).stripped).toBe(answer);
  });

  it.each([
    [
      'Yahoo',
      '----- Forwarded Message ----- From: Ann Lee <ann@a.example>To: Bob Ray <bob@b.example>Sent: Tuesday, March 12, 2024 at 10:04:05 AM GMT+1Subject: Meeting',
    ],
    [
      'Samsung',
      '-------- Ursprüngliche Nachricht --------Von: Ann Lee <ann@a.example> Datum: 12.03.24  10:04  (GMT+01:00) An: bob@b.example Betreff: Treffen ',
    ],
    ['Zendesk', '##- Please type your reply above this line -##'],
    ['Zendesk, German', '##- Bitte antworten Sie oberhalb dieser Zeile -##'],
    ['help desk', '--- Reply above this line ---'],
    ['David', 'Original Message processed by david®\nMeeting 12. March 2024, 10:04'],
    [
      'HubSpot, Japanese',
      '---------- メッセージを転送 ---------\n送信元：Ann Lee <ann@a.example>\n日付：2024年3月12日\n件名：Meeting',
    ],
    [
      'HubSpot, Polish',
      '---------- Wiadomość przesłana dalej ---------\nOd: Ann Lee <ann@a.example>\nTemat: Spotkanie',
    ],
  ])('quotes everything from a divider with headers on its line on: %s', (_client, header) => {
    expect(stripText(`${answer}\n\n${header}\n\nShall we meet?\n`).stripped).toBe(answer);
  });

  it('begins the quote at a divider when it is on the last line of the answer', () => {
    const text = `${answer} -------- Original message --------From: Ann Lee <ann@a.example> Date: 12/03/2024 10:04 Subject: Meeting\n\nShall we meet?`;
    expect(stripText(text).stripped).toBe(answer);
  });

  it.each([
    ['an itinerary', 'My trip:\n\nFrom: London\nTo: Paris\nDate: 12 May\n\nPlease book it.'],
    ['a list of speakers', 'The talk:\n\nFrom: Jonathan\nTo: Jeremy\n\nHey.'],
    [
      'sentences with colons',
      'From: the beginning, I thought this was good.\nTo: summarise, we should go on.',
    ],
    ['a divider in prose', 'The line -----Original Message----- separates the two, I think.'],
    ['a sentence on processing', 'The original message was processed by Ann.'],
    ['a line about a line', 'Please sign above this line.'],
    ['questions and answers', 'A: yes\nB: no\nC: 12.03.2024'],
  ])('keeps labels that form no header block: %s', (_what, text) => {
    expect(stripText(text).stripped).toBe(text);
  });
});
