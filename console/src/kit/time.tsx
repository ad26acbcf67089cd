/** Moments: relative words with the full time as a title, in the reader's language and zone. */
import { useEffect, useState } from 'react';

const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'narrow' });
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const dayOfYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });

/** "now", "5 min. ago", "14:20" of today, "3 Mar", "3 Mar 2025"; a future moment as "in 2 h". */
export function relativeText(at: Date, now: Date): string {
  const seconds = Math.round((at.getTime() - now.getTime()) / 1000);
  const size = Math.abs(seconds);
  if (size < 45) return 'now';
  if (size < 3_600) return relative.format(Math.round(seconds / 60), 'minute');
  if (size < 86_400 && (seconds > 0 || at.getDate() !== now.getDate())) {
    return relative.format(Math.round(seconds / 3_600), 'hour');
  }
  if (size < 86_400) return clock.format(at);
  return at.getFullYear() === now.getFullYear() ? day.format(at) : dayOfYear.format(at);
}

export const absoluteText = (at: string): string => absolute.format(new Date(at));

/** `isAbsolute`: shows the full time instead of the relative words. */
export function Time({ at, isAbsolute = false }: { readonly at: string; readonly isAbsolute?: boolean }) {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 30_000);
    return () => clearInterval(timer);
  }, []);
  const full = absoluteText(at);
  return (
    <time dateTime={at} title={isAbsolute ? undefined : full}>
      {isAbsolute ? full : relativeText(new Date(at), now)}
    </time>
  );
}
