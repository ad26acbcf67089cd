/** Copies a text: as a button, beside a value, below a command. */
import { useEffect, useState } from 'react';
import { Icon } from './icon.tsx';

/** `what` names the text for screen readers: "the value of the DKIM record". */
export function CopyButton({
  text,
  what,
  label,
}: {
  readonly text: string;
  readonly what: string;
  readonly label?: string;
}) {
  const [state, setState] = useState<'ready' | 'copied' | 'failed'>('ready');
  useEffect(() => {
    if (state === 'ready') return;
    const timer = setTimeout(() => setState('ready'), 2_000);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setState('copied'),
      () => setState('failed'),
    );
  const said = { ready: label ?? '', copied: 'Copied', failed: 'Select and copy it by hand' }[state];
  return (
    <button
      type="button"
      className="button quiet small copy"
      onClick={() => void copy()}
      aria-label={said ? `${said}: ${what}` : `Copy ${what}`}
    >
      <Icon name={state === 'copied' ? 'check' : 'copy'} />
      <span aria-live="polite">{said}</span>
    </button>
  );
}

/** A value such as an id, with its copy button. */
export function CopyValue({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <span className="copy-value">
      <code>{text}</code>
      <CopyButton text={text} what={what} />
    </span>
  );
}

/** A command or other block of code. */
export function Command({ text, what = 'the command' }: { readonly text: string; readonly what?: string }) {
  return (
    <div className="command">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} what={what} />
    </div>
  );
}
