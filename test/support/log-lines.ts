/** Captures what the structured logger writes during one test. */
import { onTestFinished, vi } from 'vitest';

export type LogLine = Record<string, unknown>;

/** Starts capturing, until the end of the test; the array grows with each line. */
export function captureLog(): readonly LogLine[] {
  const lines: LogLine[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    for (const line of String(text).split('\n')) if (line.startsWith('{')) lines.push(JSON.parse(line));
    return true;
  });
  onTestFinished(() => write.mockRestore());
  return lines;
}
