/** What the commands of the drills have in common: their numbers, and a drill for each seed. */

/**
 * The numbers of a command line.
 *
 * @param counts names of those that are at least 1
 * @throws Error that names them all
 */
export function drillNumbers<N extends string>(
  values: Readonly<Partial<Record<N | 'seed', string>>>,
  counts: readonly N[],
): Readonly<Record<N | 'seed', number>> {
  const numbers = Object.fromEntries(
    [...counts, 'seed' as const].map((name) => [name, Number(values[name])]),
  );
  const isRight =
    Number.isSafeInteger(numbers.seed) &&
    counts.every((name) => Number.isSafeInteger(numbers[name]) && (numbers[name] ?? 0) > 0);
  if (isRight) return numbers as Record<N | 'seed', number>;
  const names = counts.map((name) => `--${name}`).join(', ');
  throw new Error(`${names} take a positive whole number, --seed a whole number`);
}

/** Drills of consecutive seeds, one after the other. @param isQuiet prints no outcome */
export async function drillsOf<T>(
  { runs, seed }: { readonly runs: number; readonly seed: number },
  isQuiet: boolean,
  drill: (seed: number) => Promise<T>,
): Promise<T[]> {
  const outcomes: T[] = [];
  for (let run = 0; run < runs; run++) {
    outcomes.push(await drill(seed + run));
    if (!isQuiet) console.log(JSON.stringify(outcomes.at(-1)));
  }
  return outcomes;
}
