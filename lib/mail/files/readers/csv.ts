/** Comma-separated values (RFC 4180), also with other separators, as a Markdown table. */
import papa from 'papaparse';
import { decodeTextFile } from '../decode.ts';
import { extractionLimits } from '../limits.ts';
import { markdownTable } from '../markdown.ts';
import type { ReaderResult, SourceFile } from '../reader.ts';

/** The first line by which a list tells Excel its separator. */
const separatorLine = /^(?:sep=(.)|"sep=(.)")\n/i;
/** A number that Excel is to keep as text. */
const formulaText = /^="([^"]*)"$/;

export function readCsv({ bytes, hint }: SourceFile): ReaderResult {
  const { cells: cellsMax, columns: columnsMax } = extractionLimits;
  const { text, warnings } = decodeTextFile(bytes, hint);
  const [line = '', bare, quoted] = separatorLine.exec(text) ?? [];
  const rows: string[][] = [];
  let cells = 0;
  let isPartial = false;
  papa.parse<string[]>(text.slice(line.length), {
    delimiter: bare ?? quoted ?? '',
    skipEmptyLines: 'greedy',
    step({ data }, parser) {
      cells += data.length;
      isPartial ||= cells > cellsMax || data.length > columnsMax;
      if (cells > cellsMax) parser.abort();
      else rows.push(data.slice(0, columnsMax).map((cell) => cell.replace(formulaText, '$1')));
    },
  });
  return {
    text: markdownTable(rows),
    format: 'markdown',
    isPartial,
    warnings: [
      ...warnings,
      ...(isPartial ? [`Only the first ${rows.length} rows and ${columnsMax} columns are shown.`] : []),
    ],
  };
}
