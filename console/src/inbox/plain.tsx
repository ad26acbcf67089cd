/** A long text in a region that scrolls; what is not seen in it is marked. */
import { classes } from '../kit/classes.ts';
import { MarkedText } from '../kit/marked-text.tsx';

export function Plain({
  label,
  text,
  isSmall = false,
}: {
  readonly label: string;
  readonly text: string;
  readonly isSmall?: boolean;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section className={classes('long-text', isSmall && 'small')} tabIndex={0} aria-label={label}>
      <pre dir="auto">
        <MarkedText text={text} />
      </pre>
    </section>
  );
}
