/** Compares the output that a page shows with the one that its commands have. */

/** Before the entries of a list: these are in it, somewhere. */
const anywhere = '…';

/**
 * The value that a page shows. Lines of an ellipsis stand for fields and entries that are left out.
 *
 * @throws SyntaxError
 */
export function readShown(text: string): unknown {
  const kept = text
    .replace(/(\[\s*\n\s*)…,?[ \t]*\n/g, `$1"${anywhere}",\n`)
    .split('\n')
    .filter((line) => !/^\s*…,?\s*$/.test(line))
    .join('\n');
  return JSON.parse(kept.replace(/,(?=\s*[}\]])/g, ''));
}

/** Forms that differ from run to run, and what stands for them. */
const varying: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\\\.\d+)?Z/g, '\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z'],
  [/\b([a-z]{3,4}_)[0-9a-f]{32}\b/g, '$1[0-9a-f]{32}'],
  [/…/g, '[^]*'],
];

function patternOf(shown: string): RegExp {
  const escaped = shown.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${varying.reduce((text, [form, stand]) => text.replace(form, stand), escaped)}$`);
}

/** Whether a text is the shown one; ids, times and what an ellipsis stands for may differ. */
export function isShownText(shown: string, actual: string): boolean {
  return patternOf(shown).test(actual);
}

/** Where an output lacks what a page shows: `path: expected …`. Further fields and entries are no difference. */
export function differences(shown: unknown, actual: unknown, path = '$'): readonly string[] {
  const differs = () => [
    `${path}: shown ${JSON.stringify(shown)}, found ${JSON.stringify(actual) ?? 'nothing'}`,
  ];
  if (Array.isArray(shown)) {
    if (!Array.isArray(actual)) return differs();
    if (shown[0] === anywhere)
      return shown
        .slice(1)
        .filter((one) => actual.every((entry) => differences(one, entry).length > 0))
        .map((one) => `${path}: no entry ${JSON.stringify(one)}`);
    return shown.flatMap((one, at) => differences(one, actual[at], `${path}[${at}]`));
  }
  if (shown !== null && typeof shown === 'object') {
    if (actual === null || typeof actual !== 'object' || Array.isArray(actual)) return differs();
    const found = actual as Readonly<Record<string, unknown>>;
    return Object.entries(shown).flatMap(([name, one]) => differences(one, found[name], `${path}.${name}`));
  }
  if (typeof shown === 'string' && typeof actual === 'string')
    return isShownText(shown, actual) ? [] : differs();
  return shown === actual ? [] : differs();
}

/** The JSON objects in an output, between other text. @throws Error where there is none */
export function jsonIn(output: string): readonly unknown[] {
  const found: unknown[] = [];
  let from = output.indexOf('{');
  while (from >= 0) {
    const end = endOfObject(output, from);
    const value = end === undefined ? undefined : parsed(output.slice(from, end));
    if (value !== undefined) found.push(value);
    from = output.indexOf('{', value === undefined ? from + 1 : end);
  }
  if (found.length === 0) throw new Error(`the output has no JSON object: ${output}`);
  return found;
}

/** Undefined for a brace that begins no object, as in a header or a line of a program. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function endOfObject(text: string, from: number): number | undefined {
  let depth = 0;
  for (const { 0: token, index } of text.slice(from).matchAll(/"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (token === '{') depth += 1;
    if (token === '}') depth -= 1;
    if (depth === 0) return from + index + 1;
  }
  return undefined;
}

/** Lines of a shown text that are missing in the output, in order. */
export function missingLines(shown: string, output: string): readonly string[] {
  const lines = output.split('\n').map((line) => line.trim());
  let at = 0;
  return shown
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && line !== '…')
    .filter((line) => {
      const found = lines.findIndex((one, index) => index >= at && isShownText(line, one));
      if (found >= 0) at = found + 1;
      return found < 0;
    });
}
