import { describe, expect, it } from 'vitest';
import { firstSteps } from '../../../bin/local/first-steps.ts';
import { greeting } from '../../../bin/local/greeting.ts';
import { atPort, stepsOf } from '../../../scripts/first-hour/newcomer.ts';

const addresses = { baseUrl: 'http://127.0.0.1:3000/api/v2', smtpPort: 2525 };
const demo = { apiKey: 'pk_1', apps: [], providedDomain: 'demo.mail.parley.test' };
const commands = firstSteps({ ...addresses, ...demo, domain: demo.providedDomain }).map(
  (step) => step.commands,
);
const text = greeting(
  {
    ...addresses,
    controlUrl: 'http://127.0.0.1:3000/_control',
    dnsPort: 5300,
    mailboxProviders: {
      google: { url: 'http://127.0.0.1:3001' },
      microsoft: { url: 'http://127.0.0.1:3002' },
    },
  },
  demo,
  { brand: 'Parley', seconds: '4.2' },
);

describe('stepsOf', () => {
  it.each(['', '\n', '\nlater output\n'])('are the commands of a greeting alone', (after) => {
    expect(stepsOf(`Starting …\n${text}${after}`)).toEqual(commands);
  });

  it('refuses a greeting of other steps, and shows it', () => {
    expect(() => stepsOf('Parley is ready.')).toThrow(
      'npm start printed 1 steps instead of 5:\nParley is ready.',
    );
  });
});

describe('atPort', () => {
  it('is the receiver of the steps at another port', () => {
    const moved = atPort(commands, 54_321).join('\n');
    expect(moved).not.toMatch(/127\.0\.0\.1:4000/);
    expect(moved).toContain('"url":"http://127.0.0.1:54321"');
    expect(moved).toContain(`"$(sed 's/\\b4000\\b/54321/' examples/receiver.mjs)" &`);
  });

  it('leaves a port that begins like that of the receiver', () => {
    const steps = [...commands, 'curl http://127.0.0.1:40003/api/v2'];
    expect(atPort(steps, 1).at(-1)).toBe(steps.at(-1));
  });

  it('refuses steps that start the receiver otherwise', () => {
    expect(() => atPort(['node receiver.mjs'], 1)).toThrow('no step has node examples/receiver.mjs &');
  });
});
