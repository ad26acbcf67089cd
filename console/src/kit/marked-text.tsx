/** A text of many lines: what is not seen in it, or changes the order of its letters, is shown as a mark. */
import { type ReactNode, useMemo } from 'react';
import { bracketed, hiddenCount, markedParts, markOf } from './hidden-characters.ts';
import { Icon } from './icon.tsx';

/** Further ones are plain text: elements are slow by the ten thousand. */
const marksMax = 2_000;

/** For a block with `unicode-bidi: plaintext` or an element with `dir="auto"`, so that the text turns nothing around it. */
export function MarkedText({ text }: { readonly text: string }) {
  const parts = useMemo(() => markedParts(text), [text]);
  return (
    <>
      {parts
        .slice(0, 2 * marksMax)
        .map((part, at) =>
          part.kind === 'text' ? (
            <Pieces key={at} text={part.text} />
          ) : (
            <Mark key={at} run={part.characters} />
          ),
        )}
      <Pieces text={bracketed(parts.slice(2 * marksMax))} />
    </>
  );
}

const pieceMax = 500;
/** None ends within a pair of surrogates. */
const pieces = new RegExp(`[^]{1,${pieceMax}}`, 'gu');

/**
 * A long text in pieces, which look like one. Where characters without a glyph (U+D7FF) stand among others, Chromium breaks the
 * lines of a text node in more than linear time and memory: the source of one message took more than 5 GB.
 */
function Pieces({ text }: { readonly text: string }) {
  if (text.length <= pieceMax) return text;
  return text.match(pieces)?.map((piece, at) => <span key={at}>{piece}</span>);
}

function Mark({ run }: { readonly run: string }) {
  const { label, title } = markOf(run);
  return (
    <mark className="hidden-mark" title={title} dir="ltr">
      {label}
    </mark>
  );
}

/** Says that a text has marks. @param children what can be done */
export function HiddenNotice({ text, children }: { readonly text: string; readonly children?: ReactNode }) {
  const count = useMemo(() => hiddenCount(text), [text]);
  if (count === 0) return null;
  return (
    <div className="notice warn">
      <Icon name="alert" />
      <p>
        The text has {hiddenWords(count)}. {children ?? 'Each is marked where it is.'}
      </p>
    </div>
  );
}

export const hiddenWords = (count: number): string =>
  count === 1
    ? 'a character that is not seen or that changes the order of the letters'
    : `${count} characters that are not seen or that change the order of the letters`;
