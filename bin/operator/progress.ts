/** Progress of long commands, on stderr: the result goes to stdout. */

/**
 * Prints a line about every so many records.
 *
 * @returns takes the number of records until now, and what to print
 */
export function progressEvery(records: number): (count: number, line: () => string) => void {
  let next = records;
  return (count, line) => {
    if (count < next) return;
    next = count + records;
    process.stderr.write(`${line()}\n`);
  };
}
