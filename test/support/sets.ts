/**
 * The files of each Vitest project. `npm test` runs the first three projects, `npm run test:rest` the others;
 * CONTRIBUTING.md#how-the-tests-are-arranged. Projects, because `--exclude` of Vitest does not reach projects, and files whose tests
 * a tag leaves out are loaded all the same.
 */

const cloudFolders = 'test/{faults,functions,operations,scenarios,services,storage}';

export const mainProjects = {
  rules: ['test/**/*.test.ts'],
  cloud: [`${cloudFolders}/**/*.test.ts`, 'test/**/*.cloud.test.ts'],
  clock: ['test/**/*.clock.test.ts'],
} as const;

export const otherProjects = {
  'rules-all': ['test/**/*.all.test.ts'],
  'cloud-all': [`${cloudFolders}/**/*.all.test.ts`, 'test/**/*.cloud.all.test.ts'],
  'clock-all': ['test/**/*.clock.all.test.ts'],
  long: ['test/**/*.long.test.ts'],
} as const;

const files = { ...mainProjects, ...otherProjects };
export type Project = keyof typeof files;

/** A file belongs to the last project that includes it. */
const order: readonly Project[] = ['rules', 'cloud', 'rules-all', 'cloud-all', 'clock', 'clock-all', 'long'];

/** `include` and `exclude` of a project; not the tests of packages in test/tools and test/browser. */
export function patternsOf(project: Project): { include: string[]; exclude: string[] } {
  const later = order.slice(order.indexOf(project) + 1);
  return {
    include: [...files[project]],
    exclude: ['**/node_modules/**', ...later.flatMap((one) => files[one])],
  };
}
