/** Text of strangers: it cannot turn the text around it, and what is invisible in it is shown. */
import { visibleText } from './visible-text.ts';

/** `isClipped`: one line with an ellipsis, and the whole text as a title. */
export function SafeText({ text, isClipped }: { readonly text: string; readonly isClipped?: boolean }) {
  const shown = visibleText(text);
  return (
    <bdi className={isClipped ? 'clipped' : 'safe-text'} title={isClipped ? shown : undefined}>
      {shown}
    </bdi>
  );
}
