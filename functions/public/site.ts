/** `GET /docs` and the other pages of the documentation site, from the files beside its code. */
import { join } from 'node:path';
import { serveSite } from '../../lib/http/pages/site.ts';

export const handler = serveSite('site', join(import.meta.dirname, 'site'));
