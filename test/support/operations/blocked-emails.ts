import type { FixtureContext, OperationGroup } from '../operation-fixtures.ts';

/** A message that a rule has blocked. */
async function blocked(context: FixtureContext): Promise<string> {
  const from = `spam-${context.count()}@blocked.example`;
  await context.create('/inbound-rules', { action: 'block', pattern: from });
  await context.receive({ from, to: context.address, subject: 'Blocked', text: 'Hello' });
  await context.idle();
  const { data } = await context.get('/events?type=email.blocked&order=desc&limit=100');
  const found = data.map((event) => event.data as unknown as { from: string; blocked_email_id: string });
  const own = found.find((one) => one.from === from);
  if (!own) throw new Error('no email was blocked');
  return own.blocked_email_id;
}

export const fixtures: OperationGroup = {
  resources: { blocked_email_id: blocked },
  operations: { accept: {} },
};
