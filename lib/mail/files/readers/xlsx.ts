/** Workbooks (XLSX) as Markdown: a table for each sheet, with cells as they are shown, and its notes. */
import { type Archive, openArchive } from '../archive.ts';
import { type ReaderResult, type SourceFile, Unreadable } from '../reader.ts';
import { type Relationship, relationshipsOf } from '../relationships.ts';
import { sheetCollector } from '../sheets.ts';
import { type CellFormat, cellFormat } from '../xlsx/cell-format.ts';
import { addNotes, type Parts, personsOf } from '../xlsx/notes.ts';
import { type Book, readWorksheet, unescaped } from '../xlsx/worksheet.ts';
import { walkXml } from '../xml.ts';

export async function readXlsx({ bytes }: SourceFile): Promise<ReaderResult> {
  const archive = caseless(await openArchive(bytes));
  const { read } = archive;
  const start = [...(await relationshipsOf(archive, '')).values()].find(
    ({ type }) => type === 'officeDocument',
  );
  const workbook = start?.target ?? 'xl/workbook.xml';
  const content = await read(workbook);
  if (!content) throw new Unreadable('The file is not a workbook.');
  const relationships = await relationshipsOf(archive, workbook);
  const related = [...relationships.values()];
  const partOf = (type: string) => related.find((relationship) => relationship.type === type)?.target ?? '';
  const { sheets, isFrom1904, isUncalculated } = sheetsOf(content);
  const book: Book = {
    strings: stringsOf(await read(partOf('sharedStrings'))),
    formats: formatsOf(await read(partOf('styles'))),
    isFrom1904,
    isUncalculated,
    lost: { formulas: 0, strings: 0, values: 0 },
  };
  const unread = new Set<string>();
  const parts = tolerant(archive, unread);
  const persons = personsOf(await parts.read(partOf('person')));
  const collector = sheetCollector();
  const missing: string[] = [];
  for (const { name, relationship, isHidden } of sheets) {
    const part = relationships.get(relationship)?.target ?? '';
    const sheet = await read(part);
    collector.sheet(name, isHidden);
    if (sheet) readWorksheet(sheet, book, collector);
    else missing.push(`The sheet "${name}" is missing in the file.`);
    if (sheet) await addNotes(parts, part, persons, collector);
  }
  const pivots = await hasForeignPivots(parts, related, new Set(sheets.map(({ name }) => name)));
  return collector.result(
    [...missing, ...losses(book), ...unreadParts(archive.names, unread)],
    [
      ...(partOf('externalLink')
        ? ['Values from other workbooks are those of when the file was saved.']
        : []),
      ...(pivots ? ['The source of a pivot table is not in the sheets, and is not shown.'] : []),
    ],
  );
}

/** Names of parts have no case (ECMA-376 part 2, 6.3.5). */
function caseless(archive: Archive): Archive {
  const names = new Map(archive.names.map((name) => [name.toLowerCase(), name]));
  return { ...archive, read: (name) => archive.read(names.get(name.toLowerCase()) ?? name) };
}

/** Reads the parts beside the sheets; one that is damaged does not stop the reading. */
function tolerant(archive: Archive, unread: Set<string>): Parts {
  const attempt = async <T>(part: string, reading: () => Promise<T>): Promise<T | null> => {
    try {
      return await reading();
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      unread.add(part);
      return null;
    }
  };
  return {
    async read(part) {
      const content = part === '' ? null : await attempt(part, () => archive.read(part));
      // Walked twice, so that its damage is known before any of it is used.
      if (content && !part.endsWith('.vml')) {
        return await attempt(part, async () => {
          walkXml(content, {});
          return content;
        });
      }
      if (!content && part !== '') unread.add(part);
      return content;
    },
    async relationships(part): Promise<readonly Relationship[]> {
      return [...((await attempt(part, () => relationshipsOf(archive, part)))?.values() ?? [])];
    },
  };
}

function sheetsOf(content: Buffer) {
  const sheets: { name: string; relationship: string; isHidden: boolean }[] = [];
  let isFrom1904 = false;
  let isUncalculated = false;
  const isTrue = (flag = '') => /^(?:1|true)$/.test(flag);
  walkXml(content, {
    open({ name, attributes }) {
      if (name === 'workbookPr') isFrom1904 = isTrue(attributes.date1904);
      if (name === 'calcPr') isUncalculated = isTrue(attributes.fullCalcOnLoad);
      if (name !== 'sheet') return;
      const id = Object.keys(attributes).find((key) => key.endsWith(':id'));
      sheets.push({
        name: unescaped(attributes.name ?? ''),
        relationship: (id && attributes[id]) ?? '',
        isHidden: (attributes.state ?? 'visible') !== 'visible',
      });
    },
  });
  return { sheets, isFrom1904, isUncalculated };
}

/** The shared strings, with rich-text runs joined and phonetic runs left out. */
function stringsOf(content: Buffer | null): string[] {
  const strings: string[] = [];
  let text = '';
  let isText = false;
  let isAid = false;
  if (content) {
    walkXml(content, {
      open({ name }) {
        if (name === 'si') text = '';
        else if (name === 'rPh') isAid = true;
        else if (name === 't') isText = !isAid;
      },
      text(value) {
        if (isText) text += value;
      },
      close(name) {
        if (name === 'si') strings.push(unescaped(text));
        else if (name === 'rPh') isAid = false;
        else if (name === 't') isText = false;
      },
    });
  }
  return strings;
}

/** The format of each cell style, by its position in `cellXfs`. */
function formatsOf(content: Buffer | null): CellFormat[] {
  const own = new Map<string, string>();
  const known = new Map<string, CellFormat>();
  const formats: CellFormat[] = [];
  let isCellStyles = false;
  if (content) {
    walkXml(content, {
      open({ name, attributes: { numFmtId = '0', formatCode = '' } }) {
        if (name === 'cellXfs') isCellStyles = true;
        else if (name === 'numFmt') own.set(numFmtId, formatCode);
        else if (name === 'xf' && isCellStyles) {
          const format = known.get(numFmtId) ?? cellFormat(Number(numFmtId), own.get(numFmtId));
          known.set(numFmtId, format);
          formats.push(format);
        }
      },
      close(name) {
        if (name === 'cellXfs') isCellStyles = false;
      },
    });
  }
  return formats.length > 0 ? formats : [cellFormat(0, undefined)];
}

/** Whether the records of a pivot table come from elsewhere than a sheet of the workbook. */
async function hasForeignPivots(
  parts: Parts,
  related: readonly Relationship[],
  sheets: ReadonlySet<string>,
): Promise<boolean> {
  let isForeign = false;
  for (const { type, target } of related) {
    const content = type === 'pivotCacheDefinition' ? await parts.read(target) : null;
    if (!content) continue;
    walkXml(content, {
      open({ name, attributes }) {
        if (name === 'cacheSource') isForeign ||= attributes.type !== 'worksheet';
        if (name !== 'worksheetSource') return;
        const isElsewhere = Object.keys(attributes).some((key) => key.endsWith(':id'));
        isForeign ||= isElsewhere || (attributes.sheet !== undefined && !sheets.has(attributes.sheet));
      },
    });
  }
  return isForeign;
}

function losses({ lost }: Book): string[] {
  return [
    [lost.formulas, 'Formulas without a result in the file, shown as formulas'] as const,
    [lost.strings, 'Cells whose text is missing in the file'] as const,
    [lost.values, 'Cells with pictures or linked data that are not read'] as const,
  ].flatMap(([count, sentence]) => (count > 0 ? [`${sentence}: ${count}.`] : []));
}

/** Parts with words of their own that no reader looks for. */
const foreignParts = /^xl\/(?:embeddings|model|activeX)\/[^/]+$/i;

function unreadParts(names: readonly string[], unread: ReadonlySet<string>): string[] {
  const embedded = names.filter((name) => foreignParts.test(name)).length;
  return [
    ...(embedded > 0 ? [`Files or objects inside the workbook that are not read: ${embedded}.`] : []),
    ...[...unread].slice(0, 10).map((part) => `A part of the workbook cannot be read: ${part}.`),
  ];
}
