import { describe, expect, it } from 'vitest';
import type { Category } from '../../../lib/mail/category/categories.ts';
import { type CategoryInput, categorize } from '../../../lib/mail/category/category.ts';

function category(
  from: string,
  subject: string,
  headers: Record<string, string> = {},
  change: Partial<CategoryInput> = {},
): Category {
  return categorize({
    headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
    verdicts: { spam: 'PASS' },
    from: { name: null, address: from },
    subject,
    text: 'Hello',
    ...change,
  });
}

describe('categorize by headers', () => {
  it.each<[Category, string, string, Record<string, string>]>([
    [
      'bounce',
      'x@y.example',
      'Hello',
      { 'Content-Type': 'multipart/report; boundary=x; report-type=delivery-status' },
    ],
    ['bounce', 'x@y.example', 'Hello', { 'Content-Type': 'multipart/report; boundary=x' }],
    ['bounce', 'x@y.example', 'Hello', { 'X-Failed-Recipients': 'a@b.example' }],
    ['bounce', 'MAILER-DAEMON@y.example', 'Warning', {}],
    ['bounce', 'MAILER-DAEMON', 'Warning', { 'Auto-Submitted': 'auto-replied' }],
    ['bounce', 'admin@y.example', 'Rejected', { 'Auto-Submitted': 'auto-replied (rejected)' }],
    ['bounce', 'postmaster@y.example', 'Undeliverable: Hello', {}],
    ['bounce', 'x@y.example', 'Returned mail: see transcript', { 'Return-Path': '<>' }],
    ['human', 'x@y.example', 'Fwd: Returned mail: see transcript', {}],
    ['human', 'postmaster@y.example', 'Re: your DNS', { 'In-Reply-To': '<a@b>' }],
    ['bounce', 'fbl@y.example', 'Abuse', { 'Content-Type': 'multipart/report; report-type=feedback-report' }],
    [
      'auto_reply',
      'x@y.example',
      'Read: Hello',
      { 'Content-Type': 'multipart/report; report-type="disposition-notification"' },
    ],
    ['auto_reply', 'x@y.example', 'Ticket 4711', { 'Auto-Submitted': 'auto-replied' }],
    ['auto_reply', 'x@y.example', 'Ticket 4711', { 'X-Autoreply': 'yes' }],
    ['auto_reply', 'x@y.example', 'Ticket 4711', { Precedence: 'auto_reply' }],
    [
      'out_of_office',
      'x@y.example',
      'Automatic reply: Hello',
      { 'X-Auto-Response-Suppress': 'All', 'Auto-Submitted': 'auto-generated' },
    ],
    ['notification', 'x@y.example', 'Your build failed', { 'Auto-Submitted': 'auto-generated' }],
    ['human', 'x@y.example', 'Hello', { 'Auto-Submitted': 'no' }],
    [
      'marketing',
      'team@y.example',
      'Big sale',
      { 'List-Unsubscribe': '<https://y.example/u>', 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    ],
    ['marketing', 'team@y.example', 'Big sale', { Precedence: 'bulk' }],
    [
      'notification',
      'notifications@y.example',
      'Ann commented',
      { 'List-ID': '<repo.y.example>', 'List-Unsubscribe': '<https://y.example/u>' },
    ],
    [
      'human',
      'ann@y.example',
      'Plan',
      { 'List-Post': '<mailto:list@y.example>', 'List-Id': '<list.y.example>', Precedence: 'list' },
    ],
    ['transactional', 'no-reply@y.example', 'Your order has shipped', { 'Feedback-ID': 'x' }],
    ['transactional', 'billing@y.example', 'Rechnung 4711', {}],
    ['human', 'ann@y.example', 'Invoice attached', {}],
    ['notification', 'no-reply@y.example', 'Ann liked it', {}],
  ])('returns %s when the mail is from %s: %s %j', (expected, from, subject, headers) => {
    expect(
      category(from, subject, headers, {
        text: expected === 'out_of_office' ? 'I am on vacation.' : 'Hello',
      }),
    ).toBe(expected);
  });

  it('ranks the spam verdict above headers, and below a delivery report', () => {
    const spam = { verdicts: { spam: 'FAIL' } };
    expect(category('x@y.example', 'Hello', { 'Auto-Submitted': 'auto-replied' }, spam)).toBe('spam');
    expect(category('x@y.example', 'Hello', { 'Content-Type': 'multipart/report' }, spam)).toBe('bounce');
    expect(category('x@y.example', 'Hello', {}, { verdicts: { spam: 'GRAY' } })).toBe('human');
  });
});

describe('categorize by phrases', () => {
  it.each([
    'Out of office: Hello',
    'Automatic reply: Hello',
    'Abwesenheitsnotiz: Hallo',
    'Réponse automatique : Bonjour',
    'Respuesta automática: Hola',
    'Risposta automatica: Ciao',
    'Automatisch antwoord: Hallo',
    'Odpowiedź automatyczna: Cześć',
    'Autosvar: Hej',
    'Автоответ: Привет',
    '自動返信: こんにちは',
    '自动回复: 你好',
  ])('returns an automatic reply when the subject is %s', (subject) => {
    expect(['auto_reply', 'out_of_office']).toContain(category('x@y.example', subject));
  });

  it.each([
    'I am on annual leave.',
    'Ich bin bis Montag im Urlaub.',
    'Je suis absent du bureau.',
    'Estoy fuera de la oficina.',
    'Estou de férias.',
    'Sono in ferie.',
    'Ik ben afwezig.',
    'Jestem na urlopie.',
    'Jag är på semester.',
    'Jeg er på ferie.',
    'Jsem na dovolené.',
    'Я в отпуске.',
    '本日は休暇をいただいております。',
    '我正在休假。',
  ])('returns out_of_office when an automatic reply says "%s"', (text) => {
    expect(category('x@y.example', 'Re: Hello', { 'Auto-Submitted': 'auto-replied' }, { text })).toBe(
      'out_of_office',
    );
  });

  it.each([
    ['no-reply@y.example', 'Your verification code', 'It is 123456.'],
    ['no-reply@y.example', '123456 ist dein Bestätigungscode', ''],
    ['no-reply@y.example', 'Confirmez votre adresse', ''],
    ['no-reply@y.example', 'Welcome', 'Your one-time password: 993211'],
    ['hello@y.example', 'Your login code', 'Enter 4821 to sign in.'],
    ['no-reply@y.example', '您的验证码', '123456'],
  ])('returns verification when the mail is from %s: %s', (from, subject, text) => {
    expect(category(from, subject, {}, { text })).toBe('verification');
  });

  it.each([
    ['Re: Your verification code', 'I got 123456'],
    ['Where is my verification code?', 'It never came.'],
    ['On vacation next week?', 'Shall we postpone?'],
    ['Re: out of office planning', 'Fine with me.'],
  ])('returns human when the subject is %s', (subject, text) => {
    expect(category('ann@y.example', subject, {}, { text })).toBe('human');
  });
});

describe('categorize weighs signs', () => {
  it.each([
    'From tomorrow I am on vacation until March 20, please deliver after that.',
    'Ab morgen bin ich bis 20. März im Urlaub, bitte liefern Sie danach.',
    'Je serai en congés à partir de demain jusqu’au 20 mars, merci de livrer après.',
    'Od jutra jestem na urlopie do 20 marca, proszę o dostawę po tym terminie.',
    'Olen huomisesta alkaen lomalla 20.3. asti, toimittakaa vasta sen jälkeen.',
    'Holnaptól szabadságon leszek március 20-ig, kérem, utána küldjék.',
    'החל ממחר אני בחופשה עד ה-20 במרץ, נא לשלוח אחרי.',
    'Je ne suis pas disponible jusqu’à jeudi. Proposez-moi une date la semaine suivante.',
    '明日から20日まで休暇をいただいております。21日以降に配送してください。',
  ])('returns human when a person announces an absence: %s', (text) => {
    const answer = { 'In-Reply-To': '<a@ours.example>' };
    expect(category('ann@y.example', 'Re: Order', answer, { text, answersOurs: true })).toBe('human');
  });

  it.each(['billing', 'orders', 'security', 'notifications'])('returns human when %s@ answers us', (name) => {
    const answer = { 'In-Reply-To': '<a@ours.example>' };
    expect(category(`${name}@y.example`, 'Re: Invoice', answer, { answersOurs: true })).toBe('human');
    expect(category(`${name}@y.example`, 'Invoice', { 'User-Agent': 'Mozilla Thunderbird' })).toBe('human');
    expect(category('no-reply@y.example', 'Re: Invoice', answer, { answersOurs: true })).not.toBe('human');
  });

  it.each([
    'Je ne suis pas au bureau jusqu’au 20 mars. Pour toute urgence, contactez Marie.',
    'No estoy en la oficina hasta el 20 de marzo. Para urgencias, contacte con Ana.',
    'Não estou no escritório até 20 de março. Em caso de urgência, contacte a Ana.',
    'Non sono in ufficio fino al 20 marzo. Per urgenze contattare Anna.',
    'Nie ma mnie w biurze do 20 marca. W pilnych sprawach proszę o kontakt z Anną.',
    'Nejsem v kanceláři do 20. března. V naléhavých případech kontaktujte Evu.',
    'En ole toimistolla 20.3. asti. Kiireellisissä asioissa ottakaa yhteyttä Annaan.',
    'Jelenleg nem vagyok az irodában, március 20-án érkezem vissza.',
    '3월 20일까지 사무실에 없습니다. 급한 용무는 이영희에게 연락 바랍니다.',
    'אינני במשרד עד ה-20 במרץ. בנושאים דחופים ניתן לפנות ליוסי.',
    'لست في المكتب حتى 20 مارس. للأمور العاجلة يرجى التواصل مع سارة.',
    'I am away until tonight and back in the office from tomorrow.',
    'Ich bin bis heute Abend nicht im Büro und ab morgen wieder erreichbar.',
  ])('returns out_of_office when a writer is not in the office, or returns: %s', (text) => {
    const answer = { 'In-Reply-To': '<a@ours.example>' };
    expect(category('ann@y.example', 'Re: Order', answer, { text })).toBe('out_of_office');
  });

  it('takes the fields that SES adds to mail that it receives for no sign of a program', () => {
    const received = { 'X-SES-Spam-Verdict': 'PASS', 'X-SES-Virus-Verdict': 'PASS', 'X-SES-RECEIPT': 'AEF=' };
    const text = 'I paid it twice, please refund one payment.';
    expect(category('ann@y.example', 'Invoice 7', received, { text })).toBe('human');
    const sent = { ...received, 'X-SES-Outgoing': '2026.01.31-54.240.7.13' };
    expect(category('ann@y.example', 'Invoice 7', sent, { text })).toBe('transactional');
  });

  it('does not return marketing when Precedence is the only sign', () => {
    expect(category('ann@y.example', 'Plan', { Precedence: 'bulk' })).toBe('notification');
    expect(category('ann@y.example', 'Plan', { Precedence: 'list' })).toBe('human');
  });

  it('returns bounce for a feedback report whatever else it carries', () => {
    const headers = { 'Auto-Submitted': 'auto-replied', 'List-Unsubscribe': '<https://y.example/u>' };
    const change = {
      text: 'I am on vacation.',
      verdicts: { spam: 'FAIL' },
      attachments: [{ contentType: 'message/feedback-report' }],
    };
    expect(category('no-reply@y.example', 'Your code', headers, change)).toBe('bounce');
  });

  it.each(['REQUEST', 'REPLY', 'COUNTER', 'CANCEL'])(
    'returns human for calendar mail of METHOD:%s',
    (method) => {
      const content = Buffer.from(`BEGIN:VCALENDAR\r\nMETHOD:${method}\r\n`);
      const change = { attachments: [{ contentType: 'text/calendar', content }] };
      expect(category('ann@y.example', 'Review', { 'Auto-Submitted': 'auto-generated' }, change)).toBe(
        'human',
      );
      expect(category('no-reply@y.example', 'Review', {}, change)).toBe('notification');
      expect(category('room@y.example', 'Review', { 'Auto-Submitted': 'auto-replied' }, change)).toBe(
        'auto_reply',
      );
    },
  );
});
