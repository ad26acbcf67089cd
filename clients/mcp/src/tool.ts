/** What a tool is: a name, words for the model, the arguments, and what it does through the library. */
import type { ToolAnnotations } from '@modelcontextprotocol/server';
import type * as z from 'zod';
import type { Attempt, Parley } from '../../typescript/src/index.ts';
import type { Facts } from './result.ts';

/** Scopes of keys that tools need, from narrow to wide. */
export const neededScopes = ['read', 'draft', 'sending'] as const;
export type NeededScope = (typeof neededScopes)[number];

export interface ToolCall {
  readonly parley: Parley;
  /** A client that reports each attempt. */
  readonly watched: (onAttempt: (attempt: Attempt) => void) => Parley;
  /** Ends when the host cancels the call. */
  readonly signal: AbortSignal;
}

export interface ToolDefinition<Input extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly scope: NeededScope;
  readonly annotations: ToolAnnotations;
  readonly input: Input;
  /** @throws ParleyError */
  readonly run: (given: z.output<Input>, call: ToolCall) => Promise<Facts>;
}

/** A tool whose arguments are checked before it runs. */
export interface Tool extends Omit<ToolDefinition<z.ZodObject>, 'run'> {
  readonly run: (given: unknown, call: ToolCall) => Promise<Facts>;
}

export function tool<const Input extends z.ZodObject>(definition: ToolDefinition<Input>): Tool {
  const run = async (given: unknown, call: ToolCall) =>
    await definition.run(definition.input.parse(given), call);
  return { ...definition, run };
}

/** It reads mail of people outside. */
export const reads: ToolAnnotations = { readOnlyHint: true, openWorldHint: true };
