/** What `npm ci` would warn of, read from the lock file, because .npmrc turns warnings off. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { warningsOf } from '../scripts/first-hour/install.ts';

const root = join(import.meta.dirname, '..');
const read = <T>(file: string): T => JSON.parse(readFileSync(join(root, file), 'utf8')) as T;

interface Locked {
  readonly version?: string;
  readonly engines?: { readonly node?: string };
  readonly optional?: boolean;
  readonly deprecated?: string;
  readonly hasInstallScript?: boolean;
}
const { packages } = read<{ packages: Record<string, Locked> }>('package-lock.json');
const { allowScripts, dependencies, devDependencies } =
  read<Record<string, Record<string, unknown>>>('package.json');
/** Of others, by name. */
const locked = Object.entries(packages)
  .filter(([path]) => path.includes('node_modules/'))
  .map(([path, entry]) => ({ name: path.replace(/.*node_modules\//, ''), ...entry }));

/** Packages that need more than Node 20: code of the functions, the local cloud and the tests, which run on Node 24. */
const onlyOnNode24 = ['@middy/core', '@middy/util', 'react-router', 'undici', 'unpdf', 'vitest'];

/** Whether a range of releases has 20.20 and the like: each alternative is one lower bound, or one with an upper bound. */
function includesNode(release: readonly [number, number], range: string): boolean {
  return range.split('||').some((alternative) => {
    const [, comparator = '', major = '*', minor = '0'] =
      /^\s*(\^|>=|~|)\s*v?(\d+|\*)(?:\.(\d+|x))?/.exec(alternative) ?? [];
    if (major === '*') return true;
    const isAtLeast =
      release[0] > Number(major) ||
      (release[0] === Number(major) && release[1] >= Number(minor.replace('x', '0')));
    const below = /<\s*=?\s*(\d+)/.exec(alternative)?.[1];
    if (below !== undefined && release[0] >= Number(below)) return false;
    return comparator === '>=' ? isAtLeast : isAtLeast && release[0] === Number(major);
  });
}

const excluding = (release: readonly [number, number]) =>
  locked
    .filter(({ engines, optional }) => !optional && !includesNode(release, engines?.node ?? '*'))
    .map(({ name }) => name);

describe('packages', () => {
  it.each([
    ['>=22', false],
    ['>= 20.19.0', true],
    ['^20.19.0 || >=22.12.0', true],
    ['^22.12.0 || ^24.0.0 || >=26.0.0', false],
    ['18 || 20 || >=22', true],
    ['>=12 <20', false],
    ['>=20.21', false],
    ['*', true],
  ])('read the range %s', (range, expected) => {
    expect(includesNode([20, 20], range)).toBe(expected);
  });

  it('support Node 20, but for those that only run on Node 24', () => {
    expect(excluding([20, 20])).toEqual(onlyOnNode24);
  });

  it('support Node 22 and 24', () => {
    expect([...excluding([22, 22]), ...excluding([24, 11])]).toEqual([]);
  });

  it('are not deprecated', () => {
    expect(locked.filter(({ deprecated }) => deprecated).map(({ name }) => name)).toEqual([]);
  });

  it('have no install script that nobody has reviewed', () => {
    const scripted = locked.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name);
    expect(scripted.filter((name) => !(name in (allowScripts ?? {})))).toEqual([]);
  });

  it('are pinned', () => {
    const versions = Object.entries({ ...dependencies, ...devDependencies });
    expect(versions.filter(([, version]) => !/^(?:\d|file:)/.test(String(version)))).toEqual([]);
  });

  it('have no AWS CLI', () => {
    const wanted = locked.filter(({ name }) => name === '@aws-cdk/asset-awscli-v1');
    expect(wanted).toEqual([expect.objectContaining({ resolved: 'scripts/packages/no-aws-cli' })]);
  });
});

describe('warningsOf', () => {
  it('has the lines of npm that warn of the project', () => {
    const output = [
      'npm warn Unknown user config "nodedir". This will stop working in the next major version of npm.',
      'npm warn EBADENGINE Unsupported engine {',
      'npm WARN deprecated abab@2.0.6: Use your platform',
      'added 199 packages in 25s',
    ];
    expect(warningsOf(output.join('\n'))).toEqual(output.slice(1, 3));
  });
});
