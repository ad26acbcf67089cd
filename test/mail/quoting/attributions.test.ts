import { describe, expect, it } from 'vitest';
import { stripText } from '../../../lib/mail/quoting/strip.ts';

const answer = 'Tuesday at ten is fine.\nI will bring the drawings.';

/** Language and client, attribution as the client writes it. */
const attributions: readonly (readonly [string, string])[] = [
  ['English, Gmail', 'On Mon, Mar 12, 2024 at 10:04 AM Ann Lee <ann@a.example> wrote:'],
  [
    'English, Gmail, wrapped',
    'On Mon, 12 Mar 2024 at 10:04, Ann Lee from the Planning Office\n<ann@a.example> wrote:',
  ],
  [
    'English, Gmail, three lines',
    'On Mar 12, 2024, at 10:04 AM, Ann Lee <\nann-with-a-very-long-address-indeed-0123456789@a.example>\nwrote:',
  ],
  ['English, Apple Mail', 'On Mar 12, 2024, at 10:04 AM, Ann Lee <ann@a.example> wrote:'],
  ['English, Apple Mail, older', 'On 12 Mar 2024, at 10:04, Ann Lee wrote:'],
  ['English, Thunderbird', 'On 3/12/24 10:04 AM, Ann Lee wrote:'],
  ['English, Thunderbird, ISO date', 'On 2024-03-12 10:04, Ann Lee wrote:'],
  ['English, Proton Mail', 'On Tuesday, March 12th, 2024 at 10:04, Ann Lee <ann@a.example> wrote:'],
  ['English, Yahoo', 'On Tuesday, March 12, 2024 at 10:04:05 AM GMT+1, Ann Lee <ann@a.example> wrote:'],
  ['English, Zoho', '---- On Tue, 12 Mar 2024 10:04:05 +0100 Ann Lee <ann@a.example> wrote ----'],
  ['English, Evolution', 'On Tue, 2024-03-12 at 10:04 +0100, Ann Lee wrote:'],
  ['English, NetEase', 'At 2024-03-12 10:04:05, "Ann Lee" <ann@a.example> wrote:'],
  ['English, no date', 'Ann Lee <ann@a.example> wrote:'],
  ['English, no colon', 'On Tue, Mar 12, 2024 at 10:04 AM Ann Lee <ann@a.example> wrote'],
  ['English, time with a full stop', 'On 12 Mar 2024 18.30, Ann Lee <ann@a.example> wrote:'],
  ['English, date and time with full stops', '12.03.2024, 18.30, "Ann Lee" <ann@a.example>:'],
  ['English, address only', 'ann.lee@a.example wrote:'],
  ['German, one word and the date', 'annlee schrieb am Di. 12. März 2024 um 10:04:'],
  [
    'Spanish, Gmail, opening twice',
    'El El mar, 12 mar 2024 a la(s) 10:04 a.m., Ann Lee <ann@a.example> escribió:',
  ],
  ['English, Spark', 'On Mar 12, 2024 at 10:04 +0100, Ann Lee <ann@a.example>, wrote:'],
  ['English, HEY', 'On March 12, 2024, Ann Lee <ann@a.example> wrote:'],
  ['English, HEY, name only', 'On March 12, 2024, Ann Lee wrote:'],
  ['English, Polymail', 'On Tue, Mar 12, 2024 at 10:04 AM Ann Lee <mailto:Ann Lee <ann@a.example> > wrote:'],
  ['German, Gmail', 'Am Di., 12. März 2024 um 10:04 Uhr schrieb Ann Lee <ann@a.example>:'],
  ['German, Gmail, name first', 'Ann Lee <ann@a.example> schrieb am Di., 12. März 2024, 10:04:'],
  ['German, Apple Mail', 'Am 12.03.2024 um 10:04 schrieb Ann Lee <ann@a.example>:'],
  ['German, Thunderbird', 'Am 12.03.24 um 10:04 schrieb Ann Lee:'],
  ['German, Outlook.com', 'Ann Lee <ann@a.example> hat am 12.03.2024 10:04 CET geschrieben:'],
  ['French, Gmail', 'Le mar. 12 mars 2024 à 10:04, Ann Lee <ann@a.example> a écrit :'],
  ['French, Apple Mail', 'Le 12 mars 2024 à 10:04, Ann Lee <ann@a.example> a écrit :'],
  ['French, Thunderbird', 'Le 12/03/2024 à 10:04, Ann Lee a écrit :'],
  ['French, Gmail, wrapped', 'Le mar. 12 mars 2024 à 10:04, Ann Lee <ann@a.example> a\nécrit :'],
  ['Spanish, Gmail', 'El mar, 12 mar 2024 a las 10:04, Ann Lee (<ann@a.example>) escribió:'],
  ['Spanish, Apple Mail', 'El 12 mar 2024, a las 10:04, Ann Lee <ann@a.example> escribió:'],
  ['Spanish, Thunderbird', 'El 12/03/2024 a las 10:04, Ann Lee escribió:'],
  ['Portuguese, Gmail', 'Em ter., 12 de mar. de 2024 às 10:04, Ann Lee <ann@a.example> escreveu:'],
  ['Portuguese, Apple Mail', 'No dia 12/03/2024, às 10:04, Ann Lee <ann@a.example> escreveu:'],
  ['Portuguese, Thunderbird', 'Em 12/03/2024 10:04, Ann Lee escreveu:'],
  ['Italian, Gmail', 'Il giorno mar 12 mar 2024 alle ore 10:04 Ann Lee <ann@a.example> ha scritto:'],
  ['Italian, Apple Mail', 'Il giorno 12 mar 2024, alle ore 10:04, Ann Lee <ann@a.example> ha scritto:'],
  ['Italian, Thunderbird', 'Il 12/03/2024 10:04, Ann Lee ha scritto:'],
  ['Dutch, Gmail', 'Op di 12 mrt 2024 om 10:04 schreef Ann Lee <ann@a.example>:'],
  ['Dutch, Apple Mail', 'Op 12 mrt. 2024, om 10:04 heeft Ann Lee <ann@a.example> het volgende geschreven:'],
  ['Dutch, Outlook', 'Op 12 mrt. 2024 om 18.30 heeft Ann Lee <ann@a.example> geschreven:'],
  ['Dutch, Thunderbird', 'Op 12-03-2024 om 10:04 schreef Ann Lee:'],
  ['Polish, Gmail', 'wt., 12 mar 2024 o 10:04 Ann Lee <ann@a.example> napisał(a):'],
  [
    'Polish, Apple Mail',
    'Wiadomość napisana przez Ann Lee <ann@a.example> w dniu 12.03.2024, o godz. 10:04:',
  ],
  ['Polish, Thunderbird', 'W dniu 12.03.2024 o 10:04, Ann Lee pisze:'],
  ['Polish, Gmail, older', 'W dniu 12 marca 2024 10:04 użytkownik Ann Lee <ann@a.example>\nnapisał:'],
  ['Swedish, Gmail', 'Den tis 12 mars 2024 kl 10:04 skrev Ann Lee <ann@a.example>:'],
  ['Swedish, Apple Mail', '12 mars 2024 kl. 10:04 skrev Ann Lee <ann@a.example>:'],
  ['Swedish, Thunderbird', 'Den 2024-03-12 kl. 10:04, skrev Ann Lee:'],
  ['Danish, Gmail', 'Den tirs. 12. mar. 2024 kl. 10.04 skrev Ann Lee <ann@a.example>:'],
  ['Danish, Apple Mail', 'Den 12. mar. 2024 kl. 10.04 skrev Ann Lee <ann@a.example>:'],
  ['Danish, Thunderbird', 'Den 12-03-2024 kl. 10:04 skrev Ann Lee:'],
  ['Norwegian, Gmail', 'tir. 12. mar. 2024 kl. 10:04 skrev Ann Lee <ann@a.example>:'],
  ['Norwegian, Apple Mail', '12. mar. 2024 kl. 10:04 skrev Ann Lee <ann@a.example>:'],
  ['Norwegian, Outlook', 'Ann Lee <ann@a.example> skrev følgende den 12.03.2024 10:04:'],
  ['Norwegian, name first', 'Ann Lee skrev den 12.03.2024 10:04:'],
  ['Norwegian, Thunderbird', 'Den 12.03.2024 10:04, skrev Ann Lee:'],
  ['Czech, Gmail', 'út 12. 3. 2024 v 10:04 odesílatel Ann Lee <ann@a.example> napsal:'],
  ['Czech, Apple Mail', '12. 3. 2024 v 10:04, Ann Lee <ann@a.example>:'],
  ['Czech, Thunderbird', 'Dne 12. 03. 24 v 10:04 Ann Lee napsal(a):'],
  ['Russian, Gmail', 'вт, 12 мар. 2024 г. в 10:04, Ann Lee <ann@a.example>:'],
  ['Russian, Apple Mail', '12 марта 2024 г., в 10:04, Ann Lee <ann@a.example> написал(а):'],
  ['Russian, Thunderbird', '12.03.2024 10:04, Ann Lee пишет:'],
  ['Russian, Yandex', '12.03.2024, 10:04, "Ann Lee" <ann@a.example>:'],
  ['Russian, Mail.ru', 'Вторник, 12 марта 2024, 10:04 +03:00 от Ann Lee <ann@a.example>:'],
  ['Chinese, Gmail', 'Ann Lee <ann@a.example> 于2024年3月12日周二 10:04写道：'],
  ['Chinese, Apple Mail', '2024年3月12日 10:04，Ann Lee <ann@a.example> 写道：'],
  ['Chinese, Thunderbird', '在 2024/3/12 10:04, Ann Lee 写道:'],
  ['Chinese, NetEase', '在 2024-03-12 10:04:05，"Ann Lee" <ann@a.example> 写道：'],
  ['Chinese, traditional, Gmail', 'Ann Lee <ann@a.example> 於 2024年3月12日 週二 上午10:04寫道：'],
  ['Japanese, Gmail', '2024年3月12日(火) 10:04 Ann Lee <ann@a.example>:'],
  ['Japanese, Apple Mail', '2024/03/12 10:04、Ann Lee <ann@a.example>のメール:'],
  ['Japanese, Thunderbird', 'On 2024/03/12 10:04, Ann Lee wrote:'],
  [
    'Hebrew, Gmail',
    '\u202bבתאריך יום ג׳, 12 במרץ 2024 ב-10:04 מאת \u202aAnn Lee\u202c\u200f <ann@a.example>:\u202c',
  ],
  ['Hebrew, Apple Mail', '\u200fב-12 במרץ 2024, בשעה 10:04, \u200fAnn Lee <ann@a.example> כתב/ה:'],
  ['Hebrew, Thunderbird', 'בתאריך 12/03/2024 בשעה 10:04, Ann Lee כתב:'],
  ['Arabic, Gmail', 'في الثلاثاء، 12 مارس 2024 في 10:04 ص تمت كتابة ما يلي بواسطة Ann Lee <ann@a.example>:'],
  ['Arabic, Apple Mail', 'في ١٢\u200f/٣\u200f/٢٠٢٤، الساعة ١٠:٠٤ ص، كتب/كتبت Ann Lee <ann@a.example>:'],
  ['Arabic, Thunderbird', 'في 12/03/2024 10:04 ص، كتب Ann Lee:'],
  ['Finnish, Gmail', 'ti 12. maalisk. 2024 klo 10.04 Ann Lee (ann@a.example) kirjoitti:'],
  ['Finnish, Apple Mail', 'Ann Lee <ann@a.example> kirjoitti 12.3.2024 kello 10.04:'],
  ['Finnish, Thunderbird', 'Ann Lee kirjoitti 12.3.2024 klo 10.04:'],
  ['Hungarian, Gmail', 'Ann Lee <ann@a.example> ezt írta (időpont: 2024. márc. 12., K, 10:04):'],
  ['Hungarian, Gmail, wrapped', 'Ann Lee <ann@a.example> ezt írta (időpont:\n2024. márc. 12., K, 10:04):'],
  ['Hungarian, Apple Mail', '2024. 03. 12. dátummal, 10:04 időpontban Ann Lee <ann@a.example> írta:'],
  ['Hungarian, Thunderbird', '2024. 03. 12. 10:04 keltezéssel, Ann Lee írta:'],
  ['Korean, Gmail', '2024년 3월 12일 (화) 오전 10:04, Ann Lee <ann@a.example>님이 작성:'],
  ['Korean, Apple Mail', '2024. 3. 12. 오전 10:04, Ann Lee <ann@a.example> 작성:'],
  ['Korean, Thunderbird', '2024-03-12 오전 10:04에 Ann Lee 이(가) 쓴 글:'],
];

describe('stripText', () => {
  it.each(attributions)(
    'returns only the answer when it is above an attribution and a quote with `>`: %s',
    (_client, attribution) => {
      const text = `${answer}\n\n${attribution}\n\n> Shall we meet on Tuesday?\n>\n> Ann\n`;
      expect(stripText(text)).toEqual({
        segments: [
          { kind: 'written', text: answer },
          { kind: 'quoted', text: `${attribution}\n\n> Shall we meet on Tuesday?\n>\n> Ann` },
        ],
        stripped: answer,
      });
    },
  );

  it.each(attributions)(
    'returns only the answer when it is above an attribution and a quote without `>`: %s',
    (_client, attribution) => {
      const quote = `${attribution}\n\nShall we meet on Tuesday?\n\nAnn`;
      expect(stripText(`${answer}\n\n${quote}`)).toEqual({
        segments: [
          { kind: 'written', text: answer },
          { kind: 'quoted', text: quote },
        ],
        stripped: answer,
      });
    },
  );

  it.each(attributions.filter(([, attribution]) => !attribution.includes('\n')))(
    'joins an attribution that is wrapped before the bracket: %s',
    (_client, attribution) => {
      const wrapped = attribution.replace(/@([^\s<>]+)>(?=[^>]*$)/, '@$1\n>');
      expect(stripText(`${answer}\n\n${wrapped}\n\n> Shall we meet?`).stripped).toBe(answer);
    },
  );

  it.each(attributions)(
    'joins an attribution that is wrapped after the second word: %s',
    (_client, attribution) => {
      const wrapped = attribution.replace(/^(\S+ \S+) (?=[^\n]*$)/, '$1\n');
      expect(stripText(`${answer}\n\n${wrapped}\n\n> Shall we meet?`).stripped).toBe(answer);
    },
  );

  it.each([
    ['within the date', 'Ann Lee <ann@a.example> schrieb am Fr., 28.\nApr. 2017 um 11:53 Uhr:'],
    [
      'within the date, opening first',
      'Am Fr., 28.\nApr. 2017 um 11:53 Uhr schrieb Ann Lee <ann@a.example>:',
    ],
    ['twice, without the year', 'On Tue, Mar 12, Ann Lee\n<ann@a.example>\nwrote:'],
    ['in a link', 'On Tue, Mar 12, 2024 at 10:04 AM Ann Lee\n\n<mailto:Ann Lee <ann@a.example> > wrote:'],
  ])('joins an attribution that is wrapped %s', (_where, attribution) => {
    for (const quote of ['> Shall we meet?', 'Shall we meet?']) {
      expect(stripText(`${answer}\n\n${attribution}\n\n${quote}`).stripped).toBe(answer);
    }
  });

  it('begins the quote after the attribution when both are on one line', () => {
    const text = `${answer}\n\nOn Tue, Mar 12, 2024 at 10:04, Ann Lee<ann@a.example> wrote:   Shall we meet?\n\nAnn`;
    expect(stripText(text).stripped).toBe(answer);
  });

  it('joins the name of a forum to the attribution when `>` follows', () => {
    const text = `${answer}\n\nannlee via Example Forum wrote:\n\n> Shall we meet?`;
    expect(stripText(text).stripped).toBe(answer);
  });

  it.each(attributions)('keeps the line right above an attribution: %s', (_client, attribution) => {
    expect(stripText(`Thanks\n${attribution}\n> Shall we meet?`).stripped).toBe('Thanks');
  });

  it.each(attributions)('returns the answer when it is below the quote: %s', (_client, attribution) => {
    const text = `${attribution}\n> Shall we meet on Tuesday?\n\n${answer}`;
    expect(stripText(text).stripped).toBe(answer);
  });

  it('begins the quote at the attribution when both are on the last line of the answer', () => {
    const text =
      'Fine with me. On Tue, Mar 12, 2024 at 10:04 AM, Ann Lee <ann@a.example> wrote:\n> Shall we meet?';
    expect(stripText(text).stripped).toBe('Fine with me.');
  });

  it.each([
    [
      'a colon is not enough',
      'On your remote host you can run:\n\n    telnet 127.0.0.1 52698\n\nand it should connect.',
    ],
    [
      'a date is not enough',
      'On 12 March 2024 we will meet the following people:\n\nAnn Lee\n\nTheir office is closed then.',
    ],
    ['the author’s own words', 'On 12 March 2024 at 10:04 you wrote:\n\nthat all was well. It is not.'],
    [
      'a reported sentence',
      'I read it twice. On 12 March 2024 at 10:04 they had this and then somebody wrote:\n\nnothing more.',
    ],
    ['a sentence that introduces a quotation', 'Here is what Ann wrote:\n\nnothing at all.'],
    ['an address in a sentence', 'Yesterday ann@a.example wrote:\n\nnothing more.'],
    ['a lower-case name without a date', 'annlee wrote:\n\nnothing more.'],
    ['a version and a time', 'The build of 2024 18.30 is broken:\n\nnothing works.'],
    ['a report of a day', 'On 12 March 2024 the board wrote:\n\nthat all was well.'],
    ['a time and a sentence', 'The train left at 10:04. Nobody wrote:\n\nthat is a pity.'],
    ['a list', 'What I need:\n\n- the drawings of 12.03.2024\n- the key\n\nby Friday.'],
  ])('keeps prose that resembles an attribution: %s', (_why, text) => {
    expect(stripText(text)).toEqual({ segments: [{ kind: 'written', text }], stripped: text });
  });
});
