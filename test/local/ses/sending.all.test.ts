/** The largest message that SES takes: 40 MiB go through the SDK. */
import { SendEmailCommand } from '@aws-sdk/client-sesv2';
import { expect, it } from 'vitest';
import { createKit, home, startSdk } from './kit.ts';

it('SendEmail fails with BadRequestException when a message has more than 41943040 bytes', async () => {
  const { ses } = createKit();
  const { client, close } = await startSdk(ses, home);
  const input = {
    FromEmailAddress: 'Ann <ann@sender.test>',
    Destination: { ToAddresses: ['bob@example.com'] },
    Content: { Raw: { Data: Buffer.alloc(40 * 1024 * 1024 + 1, '\n') } },
    ConfigurationSetName: 'set',
  };
  await expect(client.send(new SendEmailCommand(input))).rejects.toMatchObject({
    name: 'BadRequestException',
    message: expect.stringContaining('more than 41943040'),
  });
  expect(ses.sent()).toEqual([]);
  await close();
});
