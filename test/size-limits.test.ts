/** The limits of functions in biome.json (lines, complexity, parameters): their exceptions are only those that code needs. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

interface Override {
  readonly includes: readonly string[];
  readonly linter: { readonly rules: { readonly complexity?: Readonly<Record<string, unknown>> } };
}

const { overrides }: { overrides: readonly Override[] } = JSON.parse(
  readFileSync(join(root, 'biome.json'), 'utf8'),
);
const limits = overrides.find(({ includes }) => includes.includes('lib/**'))?.linter.rules.complexity ?? {};
/** `rule: file` for each exception. */
const exceptions = overrides.flatMap(({ includes, linter }) =>
  Object.entries(linter.rules.complexity ?? {})
    .filter(([, level]) => level === 'off')
    .flatMap(([rule]) => includes.map((file) => `${rule}: ${file}`)),
);

it('are exceeded by every file that is an exception', () => {
  const folder = mkdtempSync(join(tmpdir(), 'limits-'));
  const config = { root: true, linter: { rules: { recommended: false, complexity: limits } } };
  writeFileSync(join(folder, 'biome.json'), JSON.stringify(config));
  const files = [...new Set(exceptions.map((exception) => exception.split(': ')[1] ?? ''))];
  const args = ['lint', `--config-path=${folder}`, '--reporter=github', '--max-diagnostics=none', ...files];
  const { stdout } = spawnSync(join(root, 'node_modules/.bin/biome'), args, { cwd: root, encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  const found = [...stdout.matchAll(/title=lint\/complexity\/(\w+),file=([^,]+)/g)].map(
    ([, rule, file = '']) => `${rule}: ${file.replace(`${root}/`, '')}`,
  );
  expect(Object.keys(limits)).toHaveLength(3);
  expect(exceptions.filter((exception) => !found.includes(exception))).toEqual([]);
});
