/**
 * Set-up file: the random cases of properties. `npm test` runs few, the same each time, so that only a change turns it red;
 * `npm run test:all` runs ten times as many, which differ each time.
 */
import fc from 'fast-check';

const isAll = process.env.PARLEY_TESTS === 'all';
const times = 10;

fc.configureGlobal(isAll ? {} : { seed: 1 });

/** `numRuns` of a property whose cases are expensive. */
export function randomCases(few: number): { numRuns: number } {
  return { numRuns: isAll ? few * times : few };
}
