/** `parley open`: the pages of the deployment. */
import { spawn } from 'node:child_process';
import { accountOf } from '../client.ts';
import { command, result } from '../output.ts';

export const open = command({
  name: 'open',
  summary: "Opens the deployment's page in the browser, and prints its address.",
  positionals: { page: { choices: ['home', 'docs'], default: 'home', describe: 'which page' } },
  options: { print: { type: 'boolean', describe: 'only print the address' } },
  examples: [
    ['open', 'opens the first page'],
    ['open docs', 'opens the documentation'],
  ],
  run: async (values, context) => {
    const { origin } = new URL(accountOf(values).base_url);
    const url = values.page === 'docs' ? `${origin}/docs` : `${origin}/`;
    if (!values.print && !values.json && context.terminal.columns < Number.POSITIVE_INFINITY) browse(url);
    result(values, context, { url }, () => url);
  },
});

/** Not through a shell: the address is an argument. Where there is no browser, the printed address is all. */
function browse(url: string): void {
  const programs: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
    darwin: ['open'],
    win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  };
  const [program, ...args] = programs[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}
