/** Comma-separated values (RFC 4180), also with other separators, as a Markdown table. */
import papa from 'papaparse';
import { decodeFile } from '../decode.ts';
import { extractionLimits } from '../limits.ts';
import { markdownTable } from '../markdown.ts';
import type { ReaderResult, SourceFile } from '../reader.ts';

export function readCsv({ bytes }: SourceFile): ReaderResult {
  const { cells: cellsMax, columns: columnsMax } = extractionLimits;
  const rows: string[][] = [];
  let cells = 0;
  let isPartial = false;
  papa.parse<string[]>(decodeFile(bytes), {
    skipEmptyLines: 'greedy',
    step({ data }, parser) {
      cells += data.length;
      isPartial ||= cells > cellsMax || data.length > columnsMax;
      if (cells > cellsMax) parser.abort();
      else rows.push(data.slice(0, columnsMax));
    },
  });
  return {
    text: markdownTable(rows),
    format: 'markdown',
    isPartial,
    warnings: isPartial ? [`Only the first ${rows.length} rows and ${columnsMax} columns are shown.`] : [],
  };
}
