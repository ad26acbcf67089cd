/** Kinds of cases for `linear-growth.all.test.ts`, and values that several of them use. */
import { composeId, type EmailId, type ThreadId, type WorkspaceId } from '../../lib/core/ids.ts';

/** Runs a function on a text. */
export type Case = (text: string) => unknown;

/** By module of `lib/core` and `lib/mail` and exported function: a case, or why no text from outside can make the function slow. */
export type GrowthCases = Readonly<Record<string, Readonly<Record<string, Case | string>>>>;

export const noText = 'takes no text from outside';
export const onePass = 'looks at the fields of a list once';
export const ofOurs = 'takes ids and settings of our own only';
export const ofTheParser = 'is a part of a function that has a case';

export const bytes = (text: string): Buffer => Buffer.from(text);
export const words = (text: string): string[] => text.split(/(?<=\s)/).map((word) => `<${word}>`);
export const person = (text: string) => ({ name: text, address: text });
export const people = (text: string) => words(text).map((address) => ({ name: null, address }));

export const emailId: EmailId = composeId('eml', 0, new Uint8Array(10));
export const threadId: ThreadId = composeId('thr', 0, new Uint8Array(10));
export const workspaceId: WorkspaceId = composeId('wks', 0, new Uint8Array(10));
