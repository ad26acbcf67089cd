/** Ids of headings, as GitHub makes them, so that a link works there and on the site. */

/** @returns a function that gives each heading of a page its own id */
export function slugs(): (text: string) => string {
  const used = new Map<string, number>();
  return (text) => {
    const base = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-');
    const count = used.get(base) ?? 0;
    used.set(base, count + 1);
    return count === 0 ? base : `${base}-${count}`;
  };
}
