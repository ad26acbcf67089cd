/** What a message says without showing it: apart from its text, and marked. */
import type { FullEmail } from 'parley-client';
import { Badge } from '../../kit/badge.tsx';
import { MarkedText } from '../../kit/marked-text.tsx';

export function HiddenText({ email: { hidden_text: hidden } }: { readonly email: FullEmail }) {
  if (!hidden) return null;
  return (
    <details className="fold">
      <summary>
        Hidden text <Badge tone="warn">not shown by mail programs</Badge>
      </summary>
      <div className="message-text soft">
        <MarkedText text={hidden} />
      </div>
    </details>
  );
}
