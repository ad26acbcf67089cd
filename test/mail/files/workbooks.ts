/** Workbooks with any parts, beyond those of `files.ts`. */
import { archive } from './files.ts';

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** A relationships part. @param targets type and target by id */
export function rels(targets: Readonly<Record<string, readonly [type: string, target: string]>>): string {
  const entries = Object.entries(targets).map(
    ([id, [type, target]]) => `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`,
  );
  return `<Relationships>${entries.join('')}</Relationships>`;
}

interface WorkbookOptions {
  /** What stands in `sheets` of the workbook. */
  readonly sheets?: string;
  /** What stands beside them. */
  readonly more?: string;
  readonly strings?: readonly string[] | null;
  /** Number formats of the styles 0, 1, …; numbers are built in. */
  readonly formats?: readonly (string | number)[];
  /** Relationships of the workbook besides those of the sheets. */
  readonly related?: Readonly<Record<string, readonly [type: string, target: string]>>;
  readonly parts?: Readonly<Record<string, string>>;
}

/** @param worksheets what stands in each `worksheet` */
export function workbook(worksheets: readonly string[], options: WorkbookOptions = {}): Uint8Array {
  const { more = '', strings = [], formats = [0], related = {}, parts = {} } = options;
  const sheets = worksheets.map((_, at) => `<sheet name="S${at + 1}" r:id="s${at + 1}"/>`).join('');
  const own = formats.map((format, at) =>
    typeof format === 'number' ? '' : `<numFmt numFmtId="${200 + at}" formatCode="${xml(format)}"/>`,
  );
  const styles = formats.map(
    (format, at) => `<xf numFmtId="${typeof format === 'number' ? format : 200 + at}"/>`,
  );
  return archive({
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': rels({ r1: ['officeDocument', 'xl/workbook.xml'] }),
    'xl/workbook.xml': `<workbook xmlns:r="r"><sheets>${options.sheets ?? sheets}</sheets>${more}</workbook>`,
    'xl/_rels/workbook.xml.rels': rels({
      ...Object.fromEntries(worksheets.map((_, at) => [`s${at + 1}`, ['worksheet', `sheets/${at + 1}.xml`]])),
      strings: ['sharedStrings', 'strings.xml'],
      styles: ['styles', 'styles.xml'],
      ...related,
    }),
    'xl/styles.xml': `<styleSheet><numFmts>${own.join('')}</numFmts><cellXfs>${styles.join('')}</cellXfs></styleSheet>`,
    ...(strings && {
      'xl/strings.xml': `<sst>${strings.map((text) => `<si>${text}</si>`).join('')}</sst>`,
    }),
    ...Object.fromEntries(
      worksheets.map((content, at) => [
        `xl/sheets/${at + 1}.xml`,
        `<worksheet xmlns:r="r">${content}</worksheet>`,
      ]),
    ),
    ...parts,
  });
}

/** Rows of cells, as the sheet data of a worksheet. */
export function sheetData(...rows: readonly string[]): string {
  return `<sheetData>${rows.map((cells) => `<row>${cells}</row>`).join('')}</sheetData>`;
}

export function textCell(text: string): string {
  return `<c t="inlineStr"><is><t>${text}</t></is></c>`;
}

function xml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
