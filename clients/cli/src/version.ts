/** The version of this package; `test/clients/cli-package.all.test.ts` compares it with package.json. */
export const version = '0.2.0';
