/** The html of a draft: the frame cannot mark what is hidden in it, so that its source does. */
import { useMemo, useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { hiddenCountInHtml } from '../../kit/hidden-characters.ts';
import { Icon } from '../../kit/icon.tsx';
import { hiddenWords, MarkedText } from '../../kit/marked-text.tsx';
import { MailFrame } from '../conversations/mail-frame.tsx';

export function DesignedDraft({ id, html }: { readonly id: string; readonly html: string }) {
  const [isSource, setSource] = useState(false);
  const count = useMemo(() => hiddenCountInHtml(html), [html]);
  return (
    <>
      {count > 0 && (
        <div className="notice warn">
          <Icon name="alert" />
          <p>{`The designed version has ${hiddenWords(count)}: they are in its source.`}</p>
        </div>
      )}
      {isSource ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
        <pre className="file-text" tabIndex={0}>
          <MarkedText text={html} />
        </pre>
      ) : (
        <MailFrame email={{ id, html }} />
      )}
      <div className="view-switch">
        <Button small kind="quiet" aria-pressed={isSource} onClick={() => setSource(!isSource)}>
          {isSource ? 'Show as designed' : 'Show the source'}
        </Button>
      </div>
    </>
  );
}
