/** Charts that are embedded in an OpenDocument file. */
import type { Archive } from '../archive.ts';
import { Unreadable } from '../reader.ts';
import { walkXml } from '../xml.ts';

/** The titles and own names of series of the charts in a document, by the folder of the object; other objects are not read. */
export async function chartObjectsOf(archive: Archive): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const name of archive.names) {
    const [, folder] = /^([^/]+)\/content\.xml$/.exec(name) ?? [];
    if (!folder) continue;
    try {
      const texts = chartTexts(await archive.read(name));
      if (texts) found.set(folder, texts);
    } catch (error) {
      // It counts as an object that is not read.
      if (!(error instanceof Unreadable)) throw error;
    }
  }
  return found;
}

const chartTitles = new Set(['title', 'subtitle', 'footer']);

/** Null if the object is no chart. */
function chartTexts(content: Buffer | null): string[] | null {
  const texts: string[] = [];
  let isChart = false;
  let titles = 0;
  let text = '';
  if (!content) return null;
  walkXml(content, {
    open({ name, attributes }) {
      isChart ||= name === 'chart';
      // A string in quotes; other names are those of cells.
      const [, label] = /^"(.+)"$/s.exec(attributes['loext:label-string'] ?? '') ?? [];
      if (name === 'series' && label) texts.push(label);
      if (chartTitles.has(name)) titles++;
      if (name === 'p') text += ' ';
    },
    text(value) {
      if (titles > 0) text += value;
    },
    close(name) {
      if (!chartTitles.has(name)) return;
      titles--;
      if (text.trim() !== '') texts.push(text.trim());
      text = '';
    },
  });
  return isChart ? texts : null;
}
