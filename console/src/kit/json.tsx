/** A JSON value, and text that a server answered. */
import { CopyButton } from './copy.tsx';
import { visibleText } from './visible-text.ts';

const shownMax = 200_000;

export function CodeBlock({ text, what }: { readonly text: string; readonly what: string }) {
  const shown = text.length > shownMax ? `${text.slice(0, shownMax)}\n…` : text;
  return (
    <div className="code-block">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <pre tabIndex={0}>
        <code dir="ltr">{shown.split('\n').map(visibleText).join('\n')}</code>
      </pre>
      <CopyButton text={text} what={what} />
    </div>
  );
}

export function Json({ value, what }: { readonly value: unknown; readonly what: string }) {
  return <CodeBlock text={JSON.stringify(value, null, 2)} what={what} />;
}

/** Indented where it is JSON. */
export function Answer({ text, what }: { readonly text: string; readonly what: string }) {
  let shown = text;
  try {
    shown = JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // Of another form, or cut.
  }
  return <CodeBlock text={shown} what={what} />;
}
