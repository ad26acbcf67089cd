/** How much a file may ask of us. What goes beyond makes a preparation `partial` or `failed`, never a crash. */
const mb = 1024 * 1024;

export const extractionLimits = {
  /** Bytes of the file itself; mail ends at 40 MB in all. */
  fileBytes: 32 * mb,
  /** Bytes of all the parts of an archive that are read, once expanded. */
  expandedBytes: 128 * mb,
  /** A part of an archive that grows more than so many times is a bomb (measured: sheets of equal rows reach 90) … */
  expansionRatio: 300,
  /** … unless it stays this small all the same. */
  harmlessBytes: 1 * mb,
  archiveEntries: 10_000,
  /** Elements inside elements. Documents have some forty. */
  xmlDepth: 250,
  pages: 1000,
  /** Cells of all the sheets of a workbook. */
  cells: 500_000,
  /** Places of cells of one table, empty ones included. */
  tableCells: 1_000_000,
  /** Columns of one table. */
  columns: 500,
  /** UTF-8 bytes of the text that is made. */
  textBytes: 4 * mb,
  seconds: 45,
  /** By how much the process may grow meanwhile. */
  memoryBytes: 1024 * mb,
} as const;
