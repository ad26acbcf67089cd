/** `GET /console` and the paths below it: the console, from the files beside its code. */
import { join } from 'node:path';
import { env } from '../../lib/env.ts';
import { consoleSite } from '../../lib/http/pages/console.ts';
import { serveSite } from '../../lib/http/pages/site.ts';

export const handler = serveSite(
  'console',
  join(import.meta.dirname, 'console'),
  undefined,
  consoleSite(env().LIVE_URL),
);
