/** Arguments that several tools have. */
import * as z from 'zod';

export const threadId = z
  .string()
  .min(1)
  .max(64)
  .describe('Id of a thread (thr_…), from find_threads or an email.');
export const label = z
  .string()
  .regex(/^[a-z0-9:_-]{1,50}$/)
  .describe('A label: 1 to 50 of a-z, 0-9, ":", "_" and "-".');
export const emailId = z.string().min(1).max(64).describe('Id of an email (eml_…).');
export const space = z
  .string()
  .min(1)
  .max(64)
  .optional()
  .describe('Only this space: its id (spc_…), or "none" for what is in no space.');
export const cursor = z
  .string()
  .max(4_096)
  .optional()
  .describe('next_cursor of the result before, with the same other arguments.');
export const limit = (most: number, usual: number) =>
  z.int().min(1).max(most).default(usual).describe(`How many at most; default ${usual}.`);
export const offset = z
  .int()
  .min(0)
  .max(1_000_000_000)
  .default(0)
  .describe('Where to begin, in characters: next_offset of the result before. Default 0.');
/** With an offset: what a model calls "tomorrow at nine" is another time elsewhere. */
const timeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/i;

export const time = (what: string) =>
  z
    .string()
    .max(64)
    .refine((text) => timeForm.test(text) && !Number.isNaN(Date.parse(text)), {
      error: 'must be a time with an offset, such as 2026-01-31T12:00:00Z or 2026-01-31T13:00:00+01:00',
    })
    .describe(`${what}: RFC 3339 with an offset, such as 2026-01-31T12:00:00Z.`);
