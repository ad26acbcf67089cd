/** Cross-origin rules of buckets ("Elements of a CORS configuration", Amazon S3 User Guide). */
import type { AwsCall } from './service.ts';

/** As in a template (`AWS::S3::Bucket`, `CorsConfiguration.CorsRules`). */
export interface CorsRule {
  /** With at most one `*`. */
  readonly AllowedOrigins: readonly string[];
  readonly AllowedMethods: readonly string[];
  /** With at most one `*`; default: none. */
  readonly AllowedHeaders?: readonly string[] | undefined;
  readonly ExposedHeaders?: readonly string[] | undefined;
  /** Seconds. */
  readonly MaxAge?: number | undefined;
}

/**
 * The headers of the first rule that allows a call, or the call that a preflight asks for; empty without `Origin`, null
 * where none allows it.
 */
export function corsHeaders(rules: readonly CorsRule[], call: AwsCall): Record<string, string> | null {
  const { origin } = call.headers;
  if (origin === undefined) return {};
  const method = call.headers['access-control-request-method'] ?? call.method;
  const asked = (call.headers['access-control-request-headers'] ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
  const rule = rules.find(
    ({ AllowedOrigins, AllowedMethods, AllowedHeaders = [] }) =>
      AllowedMethods.includes(method) &&
      AllowedOrigins.some((pattern) => matches(pattern, origin)) &&
      asked.every((name) => AllowedHeaders.some((pattern) => matches(pattern.toLowerCase(), name))),
  );
  if (!rule) return null;
  return {
    'access-control-allow-origin': rule.AllowedOrigins.includes('*') ? '*' : origin,
    'access-control-allow-methods': rule.AllowedMethods.join(', '),
    vary: 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method',
    ...(asked.length > 0 && { 'access-control-allow-headers': asked.join(', ') }),
    ...(rule.ExposedHeaders?.length && { 'access-control-expose-headers': rule.ExposedHeaders.join(', ') }),
    ...(rule.MaxAge !== undefined && { 'access-control-max-age': String(rule.MaxAge) }),
  };
}

function matches(pattern: string, value: string): boolean {
  const [before = '', after] = pattern.split('*');
  if (after === undefined) return pattern === value;
  return value.length >= before.length + after.length && value.startsWith(before) && value.endsWith(after);
}
