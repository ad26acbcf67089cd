import { describe, expect, it } from 'vitest';
import { countHops, hopsMax, isOwnMailLoop } from '../../../lib/mail/threading/mail-loop.ts';

const received = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    name: at % 2 ? 'Received' : 'RECEIVED',
    value: 'from a by b',
  }));

describe('countHops', () => {
  it.each([0, 1, 25, 26])('counts %i Received fields in any case', (count) => {
    const others = [
      { name: 'X-Received', value: 'by c' },
      { name: 'Received-SPF', value: 'pass' },
    ];
    expect(countHops([...received(count), ...others])).toBe(count);
  });

  it('is over hopsMax when there are more than 25', () => {
    expect(hopsMax).toBe(25);
  });
});

describe('isOwnMailLoop', () => {
  it.each([
    [['ann@out.example'], ['bob@in.example'], true],
    [['ann@out.example', 'bob@in.example'], ['bob@in.example'], false],
    [['Bob@IN.example'], ['bob@in.example'], false],
    [['bob@in.example'], ['bob@in.example', 'eve@in.example'], false],
  ])('when sent to %j and received at %j: %s', (sentTo, arrivedAt, expected) => {
    const authors = ['desk@in.example'];
    expect(isOwnMailLoop({ authors, recipients: sentTo }, { authors, recipients: arrivedAt })).toBe(expected);
  });

  it.each([
    [['Desk@IN.example'], true],
    [['list@out.example', 'desk@in.example'], true],
    [['list@out.example'], false],
    [[], false],
  ])('when received from %j: %s', (authors, expected) => {
    const sent = { authors: ['desk@in.example'], recipients: ['list@out.example'] };
    expect(isOwnMailLoop(sent, { authors, recipients: ['bob@in.example'] })).toBe(expected);
  });
});
