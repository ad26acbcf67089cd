/** What a message says without showing it: apart from its text, and marked. */
import type { FullEmail } from 'parley-client';
import { Badge } from '../../kit/badge.tsx';
import { visibleText } from '../../kit/visible-text.ts';

/** Invisible characters are named in every line. */
const shownLines = (text: string): string => text.split('\n').map(visibleText).join('\n');

export function HiddenText({ email: { hidden_text: hidden } }: { readonly email: FullEmail }) {
  if (!hidden) return null;
  return (
    <details className="fold">
      <summary>
        Hidden text <Badge tone="warn">not shown by mail programs</Badge>
      </summary>
      <div className="message-text soft">{shownLines(hidden)}</div>
    </details>
  );
}
