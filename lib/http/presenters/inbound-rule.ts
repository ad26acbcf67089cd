/** The API record and input of an inbound rule (docs/concepts/inbound-rules.md). */
import * as z from 'zod';
import { limits } from '../../core/limits.ts';
import { canonicalPattern, type InboundRule, ruleActions } from '../../core/receiving/inbound-rules.ts';
import { addressCharactersMax, addressKey, normalizeAddress } from '../../mail/addresses/addresses.ts';
import { appliesInSpace, createdAt, idSchema, nullableText, text, timestampOf } from '../schemas.ts';

const texts = {
  address: 'The only address of the workspace at which it applies, which never changes; null: every address.',
  action:
    '`block`: mail of the senders is blocked; `allow`: theirs is let in, and all other mail of the scope is blocked.',
  pattern:
    'The senders: an address (`anna@acme.dev`), an address with any tag (`anna+*@acme.dev`), a domain (`@acme.dev`), or the ' +
    'subdomains of one (`@*.acme.dev`). In lower case, the domain in ASCII; it never changes.',
  note: 'For people; null: none.',
};

export const inboundRuleSchema = z
  .strictObject({
    id: idSchema('rul'),
    space_id: appliesInSpace,
    address: nullableText('support@acme.dev', texts.address),
    action: z.enum(ruleActions).meta({ examples: ['block'], description: texts.action }),
    pattern: text('@spam.example', texts.pattern),
    note: nullableText('Sends a newsletter nobody asked for.', texts.note),
    created_at: createdAt,
  })
  .meta({ id: 'InboundRule', description: 'A rule that says whose mail is received.' });

const action = z.enum(ruleActions).meta({ examples: ['block'], description: texts.action });
const note = z
  .string()
  .max(limits.suppressionNoteCharacters)
  .nullable()
  .meta({ examples: ['Sends a newsletter nobody asked for.'], description: texts.note });

/** A text that `parse` understands, in the form that it returns. */
function parsed(parse: (text: string) => string | null, problem: string) {
  return z
    .string()
    .max(addressCharactersMax)
    .transform((value, context) => {
      const found = parse(value);
      if (found !== null) return found;
      context.addIssue({ code: 'custom', message: problem });
      return z.NEVER;
    });
}

/** Input of create. */
export const newInboundRuleInput = z.strictObject({
  space_id: appliesInSpace.default(null),
  address: parsed((value) => {
    const address = normalizeAddress(value.trim());
    return address && addressKey(address);
  }, 'must be an address')
    .nullable()
    .default(null)
    .meta({ examples: ['support@acme.dev'], description: texts.address }),
  action,
  pattern: parsed(canonicalPattern, 'must be an address, @domain or @*.domain').meta({
    examples: ['@spam.example'],
    description: texts.pattern,
  }),
  note: note.default(null),
});

/** Input of update. */
export const inboundRuleChange = z.strictObject({ action, note }).partial();

export function presentInboundRule(rule: InboundRule): z.input<typeof inboundRuleSchema> {
  return {
    id: rule.id,
    space_id: rule.spaceId,
    address: rule.address,
    action: rule.action,
    pattern: rule.pattern,
    note: rule.note,
    created_at: timestampOf(rule.createdAt),
  };
}
