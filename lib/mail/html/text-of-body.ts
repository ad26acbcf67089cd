/** The text of a body that may have html only. */

/** A body's own text, else that of its html; null where it has neither. The converter has 45 KB and is loaded late. */
export async function textOfBody({
  text,
  html,
}: {
  readonly text: string | null;
  readonly html: string | null;
}): Promise<string | null> {
  if (text !== null || html === null) return text;
  const { textOfHtml } = await import('./html-text.ts');
  return textOfHtml(html);
}
