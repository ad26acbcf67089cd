/** The sections and pages of the documentation, from docs/navigation.json. */
import * as z from 'zod';

const shape = z.array(
  z.strictObject({
    title: z.string().min(1),
    pages: z.array(z.string().regex(/^[a-z0-9/-]+\.md$/, 'is not a path of a page below docs/')).min(1),
  }),
);

export type Navigation = z.output<typeof shape>;

/**
 * Reads the sections.
 *
 * @param json text of docs/navigation.json
 * @param known paths below docs/ of the pages that exist
 * @throws Error naming every page that does not exist or is listed twice
 */
export function readNavigation(json: string, known: ReadonlySet<string>): Navigation {
  const sections = shape.parse(JSON.parse(json));
  const listed = sections.flatMap(({ pages }) => pages);
  const missing = listed.filter((page) => !known.has(page));
  if (missing.length > 0) throw new Error(`docs/navigation.json lists missing pages: ${missing.join(', ')}`);
  const twice = listed.filter((page, at) => listed.indexOf(page) !== at);
  if (twice.length > 0) throw new Error(`docs/navigation.json lists pages twice: ${twice.join(', ')}`);
  return sections;
}

/** `concepts/threads.md` as `/docs/concepts/threads`; the index of docs/ is the start of the site. */
export function urlOfPage(page: string): string {
  return page === 'README.md' ? '/docs' : `/docs/${page.replace(/\.md$/, '')}`;
}
