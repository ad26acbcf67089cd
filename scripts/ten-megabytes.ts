/** Hostile inputs of ten megabytes, and the processor time that reading them takes. */

const octets = 10 * 1024 * 1024;
/** The fastest round counts, because of other load on the machine. */
const rounds = 3;
/** Processor time allowed for each input. */
export const targetMs = 2000;

/** Repeated units of a body; each targets a rule that could take quadratic time. */
export const plainStorms: Readonly<Record<string, string>> = {
  'quoted lines': '> quoted line of some length, as in a long thread\n',
  'marks in one line': '>',
  'deep quotes': '> > > > > > > > > > > > > > > > x\n',
  'prose in one line': 'The quick brown fox jumps over the lazy dog, and nobody asks it why. ',
  'lines of prose': 'The quick brown fox jumps over the lazy dog, and nobody asks it why.\n',
  'lines of one letter': 'a\n',
  'blank lines': '\n',
  'addresses in one line': 'ann@a.example, ',
  'lines that begin a header': 'From: ann@a.example,\n',
  'header blocks': 'From: a\nTo: b\nSent: c\nImportance: d\n',
  attributions: 'On 12 Mar 2024 at 10:04, Ann <a@a.example> wrote:\n> x\n',
  closings: 'Best regards,\nAnn\n\n',
};

export const htmlStorms: Readonly<Record<string, string>> = {
  paragraphs: '<p class="MsoNormal">The quick brown fox jumps over the lazy dog.</p>\n',
  'open paragraphs': '<p>a',
  'open quotes': '<blockquote type=cite>a',
  brackets: '<',
  entities: '&gt;',
};

/** @param unit ASCII text to repeat */
export function tenMegabytesOf(unit: string): string {
  return unit.repeat(Math.floor(octets / unit.length));
}

/** Processor time in milliseconds, garbage collector threads included. */
export async function cpuMs(work: () => unknown): Promise<number> {
  let fastest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const start = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(start);
    fastest = Math.min(fastest, (user + system) / 1000);
  }
  return fastest;
}

/** A table cell; bold when the time exceeds the target. */
export function shownMs(ms: number): string {
  return ms <= targetMs ? ms.toFixed(0) : `**${ms.toFixed(0)}**`;
}
