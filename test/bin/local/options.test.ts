import { describe, expect, it } from 'vitest';
import { help, readOptions } from '../../../bin/local/options.ts';
import { UsageError } from '../../../clients/cli/src/terminal/exit.ts';

describe('readOptions', () => {
  it('has the ports that the help names by default', () => {
    const ports = readOptions([])?.ports ?? {};
    expect(Object.keys(ports)).toHaveLength(5);
    for (const [option, port] of Object.entries(ports)) {
      expect(help).toMatch(new RegExp(`--${option} N .*\\(default ${port}\\b`));
    }
  });

  it('is null for the help, also beside other options', () => {
    expect(readOptions(['--port', '0', '--help'])).toBeNull();
  });

  it('takes a free port for several servers', () => {
    expect(readOptions(['--port', '0', '--smtp-port', '0'])?.ports).toMatchObject({
      port: 0,
      'smtp-port': 0,
    });
  });

  it.each([
    [['--port', '3001'], '--port and --google-port are both 3001: give one another port.'],
    [['--port', '65536'], '--port is a whole number from 0 to 65535.'],
    [['--smtp-port', '1e3'], '--smtp-port is a whole number from 0 to 65535.'],
    [['--ses-rate', '0'], '--ses-rate is a whole number from 1 to 999999999.'],
    [['--seed', ''], '--seed is a whole number from 1 to 999999999.'],
    [['--data', ''], '--data needs the name of a folder.'],
    [['--dta', 'x'], "Unknown option '--dta'."],
    [['folder'], "Unexpected argument 'folder'."],
  ])('refuses %j in one sentence', (args, sentence) => {
    expect(() => readOptions(args)).toThrow(new UsageError(sentence));
  });
});
