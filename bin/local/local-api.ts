/** The URL of the API of the local run, for the operator's commands. */
import { existsSync, readFileSync } from 'node:fs';
import { readyFile } from './folders.ts';

/** The API of the run that `npm start` keeps up; empty: it is not ready. */
export function localApi(): string {
  if (!existsSync(readyFile)) return '';
  const { baseUrl } = JSON.parse(readFileSync(readyFile, 'utf8')) as { readonly baseUrl: string };
  return baseUrl.replace(/\/api\/v2$/, '');
}
