/** Text that a script writes into a page: from a comment that names the script to the end mark. */

const end = '<!-- End of what is written -->';

/** The place of a text. */
export function emptyText(start: string): string {
  return `${start}\n\n${end}`;
}

/** The page with a new text behind the comment `start`. @throws Error where it has no place for one */
export function withText(page: string, start: string, text: string): string {
  const from = page.indexOf(start);
  const to = page.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`the page has no place for figures: ${start}`);
  return `${page.slice(0, from + start.length)}\n\n${text}\n\n${page.slice(to)}`;
}
