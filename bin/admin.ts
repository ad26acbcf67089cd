/** `npm run admin`: the operator's commands for workspaces, members and first keys, against AWS or the local cloud. */
import { explanationOf, runAdmin } from './admin-commands.ts';

try {
  await runAdmin(process.argv.slice(2));
} catch (error) {
  const message = explanationOf(error);
  if (message === null) throw error;
  console.error(message);
  process.exitCode = 1;
}
