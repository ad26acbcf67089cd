/** Every family of attacks. */
import type { Family } from '../attack.ts';
import { calls, tools, version1 } from './calls.ts';
import { drafts } from './drafts.ts';
import { duplicates } from './duplicates.ts';
import { files } from './files.ts';
import { headers } from './headers.ts';
import { hidden } from './hidden.ts';
import { identity } from './identity.ts';
import { kinds } from './kinds.ts';
import { rules } from './rules.ts';
import { size } from './size.ts';
import { tenants } from './tenants.ts';
import { threading } from './threading.ts';
import { webhooks } from './webhooks.ts';
import { workers } from './workers.ts';

export const families: readonly Family[] = [
  ...[hidden, files, size, identity, threading, headers, kinds, duplicates],
  ...[workers, drafts, calls, version1, tools, tenants, rules, webhooks],
];
