/** `npm run admin`: the operator's commands, against AWS or the local cloud (docs/administration.md). */
import { logTo } from '../lib/observability/log.ts';
import { refusalOf, runAdmin } from './admin-commands.ts';

// The result and the audit log tell what was done.
logTo((line) => JSON.parse(line).level === 'ERROR' && process.stderr.write(line));
try {
  console.log(await runAdmin(process.argv.slice(2)));
} catch (error) {
  const refusal = refusalOf(error);
  if (refusal === null) throw error;
  console.error(refusal.line);
  process.exitCode = refusal.exitCode;
}
