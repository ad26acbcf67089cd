/** `GET /console` and the paths below it: the console, from the files beside its code. */
import { join } from 'node:path';
import { addressOf } from '../../lib/adapters/object-addresses.ts';
import { env } from '../../lib/env.ts';
import { consoleSite } from '../../lib/http/pages/console.ts';
import { serveSite } from '../../lib/http/pages/site.ts';

const { LIVE_URL, CONTENT_BUCKET } = env();
const uploads = addressOf({ bucket: CONTENT_BUCKET, key: '' });

export const handler = serveSite(
  'console',
  join(import.meta.dirname, 'console'),
  undefined,
  consoleSite([new URL(LIVE_URL).origin, uploads.origin]),
);
