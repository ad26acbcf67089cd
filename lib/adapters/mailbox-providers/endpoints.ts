/** The base URLs of the mail providers in this deployment. */
import * as z from 'zod';
import { type ProviderEndpoints, providerEndpoints } from '../../core/mailboxes/endpoints.ts';
import { env } from '../../env.ts';

const urls = z.record(z.string(), z.string()).default({});
const changedEndpoints = z.strictObject({ google: urls, microsoft: urls }).partial();

/** The real ones, with those that the local cloud has changed. */
export function endpoints(): ProviderEndpoints {
  const { google, microsoft } = changedEndpoints.parse(JSON.parse(env().MAIL_PROVIDERS));
  return {
    google: { ...providerEndpoints.google, ...google },
    microsoft: { ...providerEndpoints.microsoft, ...microsoft },
  };
}
