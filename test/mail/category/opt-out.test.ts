import { describe, expect, it } from 'vitest';
import { isOptOut } from '../../../lib/mail/category/opt-out.ts';

describe('isOptOut', () => {
  it.each([
    'unsubscribe',
    'Unsubscribe.',
    '  STOP!!! ',
    'please remove me from your list',
    'Please stop.',
    'opt-out',
    'Opt out',
    'Abmelden',
    'Bitte abmelden!',
    'Désabonnez-moi',
    'DE\u0301SABONNER',
    'Baja',
    'Cancelar inscrição',
    'Disiscrivimi',
    'uitschrijven',
    'Wypisz mnie',
    'Avregistrera',
    'Afmeld mig',
    'Meld meg av',
    'Odhlásit se',
    'Отписаться',
    'СТОП',
    '退订',
    '取消訂閱',
    '配信停止',
    '"stop"',
  ])('is true when the text is %j', (text) => {
    expect(isOptOut(text)).toBe(true);
  });

  it.each([
    '',
    '   ',
    'Stop by on Monday',
    'Do not stop!',
    'How do I unsubscribe?',
    'Yes',
    'I stopped',
    'unsubscribe unsubscribe',
    'Remove the second paragraph',
    `stop ${'!'.repeat(100)}`,
  ])('is false when the text is %j', (text) => {
    expect(isOptOut(text)).toBe(false);
  });
});
