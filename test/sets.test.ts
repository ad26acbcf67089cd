/** Every test file is in one project, and in one of the two sets: CONTRIBUTING.md#how-the-tests-are-arranged. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join, matchesGlob } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mainProjects, otherProjects, patternsOf } from './support/sets.ts';

const root = join(import.meta.dirname, '..');
const files = globSync('test/**/*.test.ts', { cwd: root, exclude: ['**/node_modules'] });
const projects = [...keysOf(mainProjects), ...keysOf(otherProjects)];

function keysOf<T extends object>(value: T) {
  return Object.keys(value) as (keyof T)[];
}

/** The projects whose patterns take a file. */
const projectsOf = (file: string) =>
  projects.filter((project) => {
    const { include, exclude } = patternsOf(project);
    const isIn = (patterns: readonly string[]) => patterns.some((pattern) => matchesGlob(file, pattern));
    return isIn(include) && !isIn(exclude);
  });

describe('every test file', () => {
  it('is in one project', () => {
    const counted = files.filter((file) => projectsOf(file).length !== 1);
    expect(files.length).toBeGreaterThan(300);
    expect(counted).toEqual([]);
    const used = new Set(files.flatMap(projectsOf));
    expect([...used].sort()).toEqual([...projects].sort());
  });

  it('has no words before `.test.ts` but those that decide its project and its set', () => {
    const allowed = ['', 'all', 'clock', 'clock.all', 'cloud', 'cloud.all', 'corpus', 'long'];
    const wordsOf = (file: string) => basename(file, '.test.ts').split('.').slice(1).join('.');
    expect(files.filter((file) => !allowed.includes(wordsOf(file)))).toEqual([]);
  });

  it('is run by `npm test` or by what CI runs after it, and not by both', () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(
      readFileSync(join(root, 'package.json'), 'utf8'),
    );
    const argumentsOf = (script: string) => scripts[script]?.split('vitest run')[1];
    const naming = (names: readonly string[]) => names.map((name) => ` --project ${name}`).join('');
    expect(argumentsOf('test')).toBe(naming(keysOf(mainProjects)));
    expect(argumentsOf('test:rest')).toBe(naming(keysOf(otherProjects)));
    expect(argumentsOf('test:all')).toBe('');
  });
});
