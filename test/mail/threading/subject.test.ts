import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  forwardSubject,
  hasReplyPrefix,
  isAnswerSubject,
  isSameSubject,
  normalizeSubject,
  replySubject,
} from '../../../lib/mail/threading/subject.ts';

const replies = [
  'Re: ',
  'RE:',
  're :',
  'RE[2]: ',
  'Re (3): ',
  'Re^2: ',
  'AW: ',
  'Antw: ',
  'SV: ',
  'VS: ',
  'Odp: ',
  'R: ',
  'RIF: ',
  'RES: ',
  'YNT: ',
  'Vá: ',
  'Va\u0301: ',
  'Отв: ',
  'На: ',
  'ΑΠ: ',
  '回复：',
  '答复: ',
  '回覆：',
  '返信：',
  '답장: ',
  'תגובה: ',
  '\u200fرد: ',
  'Réf. : ',
  'Re.: ',
  '[EXTERNAL] RE: ',
  'RE: [EXTERNAL] ',
  'RE: [External Email] ',
  'EXT: Re: ',
  '(Extern) AW: ',
  '***SPAM*** Re: ',
  'Re: {Spam?} ',
  'Re: [WARNING: unscannable attachment] ',
];
const automatic = [
  'Automatic reply: ',
  'Out of Office AutoReply: ',
  'Abwesenheitsnotiz: ',
  'Réponse automatique : ',
  '[EXTERNAL] Autosvar: RE: ',
  '自动回复：',
];
const forwards = [
  'Fwd: ',
  'FW:',
  'WG: ',
  'TR : ',
  'RV: ',
  'ENC: ',
  'I: ',
  'PD: ',
  'VB: ',
  'İLT: ',
  'ＦＷ：',
  '转发：',
  '転送: ',
];

describe('normalizeSubject', () => {
  it.each([...replies, ...automatic, ...forwards])('removes %s', (prefix) => {
    expect(normalizeSubject(`${prefix}Order 7`)).toBe('order 7');
  });

  it('removes all prefixes when there are several of any kind', () => {
    expect(normalizeSubject(' RE: AW: Fwd: 回复：Re[4]:  The   Order\t7 ')).toBe('the order 7');
  });

  it('keeps words that only look like prefixes', () => {
    for (const subject of ['Reminder: pay', 'Ref: 12', 'Note: x', 'Re order', '12: x', 'RE/MAX: x', 'R2: go'])
      expect(normalizeSubject(subject)).toBe(subject.toLowerCase());
  });

  it('keeps tags that do not come from a gateway, each once', () => {
    expect(normalizeSubject('Re: [Ticket 7] Printer')).toBe('[ticket 7] printer');
    expect(normalizeSubject('[team] Re: [team]  Lunch')).toBe('[team] lunch');
    expect(normalizeSubject('(urgent) Printer')).toBe('(urgent) printer');
    expect(normalizeSubject('Warning: disk full')).toBe('warning: disk full');
  });

  it('returns an empty subject when there is only a prefix', () => {
    expect(normalizeSubject('Re: ')).toBe('');
    expect(normalizeSubject('')).toBe('');
  });

  it('returns the same for its own result and for any number of replies', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.array(fc.constantFrom(...replies, ...automatic, ...forwards)),
        (subject, prefixes) => {
          const normal = normalizeSubject(subject);
          expect(normalizeSubject(prefixes.join('') + subject)).toBe(normal);
          expect(normalizeSubject(normal)).toBe(normal);
        },
      ),
    );
  });

  it('is linear when a subject holds many partial prefixes', () => {
    expect(normalizeSubject('Re: '.repeat(100_000))).toBe('');
    expect(normalizeSubject(`Re${' '.repeat(400_000)}x`)).toBe('re x');
    expect(normalizeSubject(`${' '.repeat(400_000)}x`)).toBe('x');
    expect(normalizeSubject('Re['.repeat(100_000))).toHaveLength(300_000);
    expect(normalizeSubject('[a] '.repeat(100_000))).toBe('[a]');
    expect(normalizeSubject('[EXT] '.repeat(100_000))).toBe('');
    expect(normalizeSubject('out of office'.repeat(100_000))).toHaveLength(1_300_000);
  });
});

describe('isSameSubject', () => {
  it('is true when the subjects differ in prefixes and in tags of the answer', () => {
    for (const answer of ['RE: [EXTERNAL] X', '[EXTERNAL] RE: X', 'TR: X', 'Réf. : X', 'Re: [buyers] X'])
      expect(isSameSubject(answer, 'X')).toBe(true);
    expect(isSameSubject('Re: [Ticket 7] X', '[EXT] [Ticket 7] X')).toBe(true);
  });

  it('is false when a tag of the thread is missing or another, and for empty subjects', () => {
    expect(isSameSubject('Re: [Ticket 8] X', '[Ticket 7] X')).toBe(false);
    expect(isSameSubject('Re: X', '[Ticket 7] X')).toBe(false);
    expect(isSameSubject('Re: [Ticket 8] X', 'X')).toBe(false);
    expect(isSameSubject('Re: [team]', 'Re:')).toBe(false);
    expect(isSameSubject('Re:', '')).toBe(false);
  });
});

describe('isAnswerSubject', () => {
  it.each([...replies, ...automatic, 'TR : ', 'TR: '])(
    'is true when the subject begins with %s',
    (prefix) => {
      expect(isAnswerSubject(`${prefix}Order 7`)).toBe(true);
    },
  );

  it('is false when the subject begins with another forward prefix or with none', () => {
    for (const subject of [
      'Fwd: Order 7',
      'WG: RE: Order 7',
      '[EXTERNAL] Order 7',
      'Order 7',
      'Automatic reply',
    ])
      expect(isAnswerSubject(subject)).toBe(false);
  });
});

describe('replySubject', () => {
  it('adds Re: when there is no reply prefix', () => {
    expect(replySubject('Order 7')).toBe('Re: Order 7');
    expect(replySubject(replySubject('Order 7'))).toBe('Re: Order 7');
    expect(replySubject('')).toBe('Re:');
  });

  it.each(replies)('adds nothing when the subject begins with %s', (prefix) => {
    expect(hasReplyPrefix(`${prefix}Order 7`)).toBe(true);
    expect(replySubject(`${prefix}Order 7`)).toBe(`${prefix}Order 7`);
  });

  it('adds Re: when the subject has a forward prefix', () => {
    expect(hasReplyPrefix('Fwd: Re: Order 7')).toBe(false);
    expect(replySubject('Fwd: Order 7')).toBe('Re: Fwd: Order 7');
  });

  it('stays within 998 characters and splits no surrogate pair', () => {
    expect(replySubject('x'.repeat(998))).toHaveLength(998);
    const cut = replySubject(`${'x'.repeat(993)}😀x`);
    expect(cut).toHaveLength(997);
    expect(cut.isWellFormed()).toBe(true);
  });
});

describe('forwardSubject', () => {
  it('adds Fwd: when there is no forward prefix', () => {
    expect(forwardSubject('Order 7')).toBe('Fwd: Order 7');
    expect(forwardSubject('Re: Order 7')).toBe('Fwd: Re: Order 7');
    for (const prefix of forwards) expect(forwardSubject(`${prefix}Order 7`)).toBe(`${prefix}Order 7`);
  });
});
