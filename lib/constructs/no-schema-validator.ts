/**
 * Replaces the platform module of `@modelcontextprotocol/server` in the bundle. Its validator of JSON schemas checks answers of
 * clients to questions, which no tool asks; with ajv it would add 150 KB. Tools check their arguments with zod.
 */
export { default as process } from 'node:process';

export class DefaultJsonSchemaValidator {
  /** @throws Error always: no tool asks the client */
  getValidator(): never {
    throw new Error('the validator of JSON schemas is not part of the bundle');
  }
}
