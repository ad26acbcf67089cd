import { describe, expect, it } from 'vitest';
import { createProgress } from '../../../bin/local/progress.ts';

function recorded(isTerminal: boolean) {
  const written: string[] = [];
  let at = 0;
  const progress = createProgress({
    write: (text) => written.push(text),
    isTerminal,
    shown: 'Starting',
    now: () => at,
  });
  const text = () => written.splice(0).join('');
  return { progress, text, pass: (ms: number) => (at += ms) };
}

describe('progress', () => {
  it('is a line for each stage when the output is no terminal', () => {
    const { progress, text } = recorded(false);
    progress.stage('Building');
    progress.note('Tables use DynamoDB Local.');
    progress.stage('Deploying');
    progress.end();
    expect(text()).toBe('Building …\nTables use DynamoDB Local.\nDeploying …\n');
  });

  it('is one line that is replaced and at last removed on a terminal; notes stay', () => {
    const { progress, text, pass } = recorded(true);
    expect(text()).toBe('');
    pass(5000);
    progress.note('Note.');
    expect(text()).toBe('\r\u001b[KNote.\n\r\u001b[KStarting … 5 s');
    progress.stage('Deploying');
    expect(text()).toBe('\r\u001b[KDeploying …');
    progress.end();
    progress.end();
    expect(text()).toBe('\r\u001b[K');
  });
});
