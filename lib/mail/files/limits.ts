/** Limits of text extraction. A file over them is `partial` or `failed` (docs/concepts/attachments.md). */
const mb = 1024 * 1024;

export const extractionLimits = {
  /** Bytes of the file itself; SES receives messages of up to 40 MB. */
  fileBytes: 32 * mb,
  /** Expanded bytes of all the parts of an archive that are read. */
  expandedBytes: 128 * mb,
  /** Highest expansion ratio of an archive part (measured: sheets of equal rows reach 90). */
  expansionRatio: 300,
  /** Smaller parts may exceed the ratio. */
  harmlessBytes: 1 * mb,
  archiveEntries: 10_000,
  /** Nested elements. Documents have about forty levels. */
  xmlDepth: 250,
  pages: 1000,
  /** Cells of all the sheets of a workbook. */
  cells: 500_000,
  /** Cells of one table, empty ones included. */
  tableCells: 1_000_000,
  /** Columns of one table. */
  columns: 500,
  /** UTF-8 bytes of the extracted text. */
  textBytes: 4 * mb,
  seconds: 45,
  /** Growth of the process during extraction. */
  memoryBytes: 1024 * mb,
} as const;
