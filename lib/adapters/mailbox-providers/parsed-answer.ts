/** Answers of the providers against their schemas. */
import * as z from 'zod';
import { ProviderError } from '../../core/mailboxes/provider.ts';

/** @throws ProviderError unknown where the answer has another shape; what it holds is not named */
export function parsedAnswer<S extends z.ZodType>(provider: string, schema: S, answer: unknown): z.output<S> {
  const { success, data } = schema.safeParse(answer);
  if (success) return data;
  throw new ProviderError('unknown', `${provider} answered in a form that is not known.`);
}

/**
 * A position of ours. One of another release is a position that is lost: a full synchronization follows.
 *
 * @throws ProviderError not_found
 */
export function parsedCursor<S extends z.ZodType>(provider: string, schema: S, text: string): z.output<S> {
  let json: unknown = null;
  try {
    json = JSON.parse(text);
  } catch {
    // As any other form.
  }
  const { success, data } = schema.safeParse(json);
  if (success) return data;
  throw new ProviderError('not_found', `The position at ${provider} has another form.`);
}

/** A time in RFC 3339, as Unix milliseconds. */
export const timestamp = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
/** A time in milliseconds, as a string ("int64 format", Google APIs). */
export const milliseconds = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);

/** null where what is asked for is not there. */
export async function orNull<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ProviderError && error.kind === 'not_found') return null;
    throw error;
  }
}
