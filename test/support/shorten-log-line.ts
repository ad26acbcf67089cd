/** Log lines as a failed test prints them. */

/**
 * A log line with the stack of the innermost cause alone: the stacks around it would push the cause behind the end of what is
 * printed. Lines that are no JSON stay.
 */
export function shortenLogLine(line: string): string {
  try {
    return JSON.stringify(JSON.parse(line), (_, value: unknown) => withoutOuterStack(value));
  } catch (error) {
    if (error instanceof SyntaxError) return line;
    throw error;
  }
}

function withoutOuterStack(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('cause' in value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== 'stack'));
}
