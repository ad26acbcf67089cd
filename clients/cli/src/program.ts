/** The command line of Parley: its commands. */
import { explain } from './client.ts';
import { login, logout, whoami } from './commands/account.ts';
import { blocked } from './commands/blocked.ts';
import { completion } from './commands/completion.ts';
import { deleteMail } from './commands/delete.ts';
import { domains } from './commands/domains.ts';
import { drafts } from './commands/drafts.ts';
import { listen } from './commands/listen.ts';
import { mcp } from './commands/mcp.ts';
import { open } from './commands/open.ts';
import { rules } from './commands/rules.ts';
import { reply, send } from './commands/send.ts';
import { suppressions } from './commands/suppressions.ts';
import { tail } from './commands/tail.ts';
import { read, threads } from './commands/threads.ts';
import { trigger } from './commands/trigger.ts';
import { webhooks } from './commands/webhooks.ts';
import { claim, mark, release } from './commands/work.ts';
import type { Program } from './terminal/program.ts';
import { version } from './version.ts';

export const program: Program = {
  name: 'parley',
  version,
  summary: 'Parley: email for software that holds conversations.',
  epilogue: [
    'parley <command> --help shows options and examples.',
    'The key is that of parley login, or PARLEY_API_KEY with PARLEY_BASE_URL, which win.',
    'Exit codes: 0 done, 1 failed, 2 wrong command line, 130 interrupted. With --json, errors are JSON on stderr.',
  ].join('\n'),
  commands: [
    login,
    logout,
    whoami,
    send,
    threads,
    read,
    reply,
    drafts,
    mark,
    claim,
    release,
    deleteMail,
    tail,
    listen,
    trigger,
    domains,
    webhooks,
    suppressions,
    rules,
    blocked,
    open,
    mcp,
    completion,
  ],
  explain,
};
