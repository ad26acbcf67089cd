/**
 * Filter patterns of CloudWatch Logs, derived from the log event catalogue ("Filter pattern syntax for metric filters",
 * Amazon CloudWatch Logs User Guide).
 */
import type { FieldsOf, LogEventName, LogLevel } from './log-events.ts';

/** Matches the lines of an event, restricted to those whose fields have the given values. */
export function eventPattern<N extends LogEventName>(name: N, fields: Partial<FieldsOf<N>> = {}): string {
  const conditions = Object.entries({ event: name, ...fields }).map(
    ([field, value]) => `($.${field} = ${JSON.stringify(value)})`,
  );
  return `{ ${conditions.join(' && ')} }`;
}

/**
 * Matches every line of a level, and each invocation that Lambda reports as failed or timed out
 * ("Telemetry API Event schema reference", AWS Lambda Developer Guide).
 */
export function failurePattern(level: LogLevel): string {
  return `{ ($.level = "${level}") || (($.type = "platform.report") && ($.record.status != "success")) }`;
}
