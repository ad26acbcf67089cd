/** An event in one line, for people. */
import type { Event } from '../../../typescript/src/index.ts';
import { cleanLine } from '../terminal/clean.ts';
import type { Colors } from '../terminal/terminal.ts';

/** What an event is about; any type, also one that this version does not know. */
export function aboutEvent({ data }: Event): string {
  const of = data as unknown as Readonly<Record<string, unknown>>;
  const text = (name: string) => (typeof of[name] === 'string' && of[name] !== '' ? String(of[name]) : null);
  const list = (name: string) => (Array.isArray(of[name]) ? of[name].join(', ') : null);
  const [from, to] = [text('from'), list('to') ?? list('recipients')];
  const route = from && to ? `${from} → ${to}` : (from ?? to);
  const subject = text('subject');
  const parts = [
    route,
    text('address') ?? text('name'),
    subject === null ? null : `"${subject}"`,
    text('reason'),
    text('url'),
  ];
  return cleanLine(parts.filter((part) => part !== null).join('  '));
}

export function colorOf(type: string, colors: Colors): (text: string) => string {
  if (/bounced|complained|failed|lost|needs_reauth|disconnected/.test(type)) return colors.red;
  if (/received|created/.test(type)) return colors.cyan;
  if (/delivered|verified|connected/.test(type)) return colors.green;
  return colors.yellow;
}

/** The longest type has 20 characters. */
export const typeColumns = 20;

/** `12:00:01`, in the time zone of the machine. */
export function clockTime(date: Date): string {
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}
