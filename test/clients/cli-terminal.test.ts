/** The terminal of the programs: command lines, exit codes, help, tables, and text of strangers. */
import { describe, expect, it } from 'vitest';
import { cleanLine, cleanText, onlyStyled, toJson } from '../../clients/cli/src/terminal/clean.ts';
import { commandsWith, group } from '../../clients/cli/src/terminal/command.ts';
import { Refused, UsageError } from '../../clients/cli/src/terminal/exit.ts';
import { type Program, runProgram } from '../../clients/cli/src/terminal/program.ts';
import { fields, resultText, styled, table } from '../../clients/cli/src/terminal/tables.ts';
import { hasColors } from '../../clients/cli/src/terminal/terminal.ts';
import { recordedTerminal } from './support/recorded-terminal.ts';

const command = commandsWith({ json: { type: 'boolean', describe: 'print JSON' } });

const program: Program = {
  name: 'post',
  version: '1.2.3',
  summary: 'Posts letters.',
  commands: [
    command({
      name: 'send',
      summary: 'Sends a letter.',
      positionals: { to: { describe: 'who gets it', demandOption: true } },
      options: {
        text: { describe: 'the words' },
        class: { choices: ['first', 'second'], default: 'second', describe: 'how fast' },
        copies: { type: 'number', describe: 'how many' },
        via: { array: true, describe: 'places on the way' },
        from: { demandOption: true, describe: 'who sends it' },
        'no-stamp': { type: 'boolean', describe: 'let the recipient pay' },
      },
      examples: [['send anna --from ben --text Hello', 'sends a greeting']],
      run: async (values, { terminal }) => {
        if (values.text === 'usage') throw new UsageError('That is no text.');
        if (values.text === 'refused') throw new Refused('The office is closed.', 'Come tomorrow.');
        if (values.text === 'bug') throw new TypeError('x is undefined');
        if (values.text === 'one') return 1;
        terminal.print(JSON.stringify(values));
        return 0;
      },
    }),
    group({
      name: 'boxes',
      summary: 'Letter boxes.',
      commands: [
        command({
          name: 'list',
          summary: 'Lists boxes.',
          examples: [['boxes list', 'lists all']],
          run: async (_, { terminal, command: path }) => terminal.print(path),
        }),
        command({
          name: 'watch',
          summary: 'Watches boxes.',
          examples: [['boxes watch', 'watches all']],
          run: () => new Promise(() => {}),
        }),
      ],
    }),
  ],
};

async function run(args: readonly string[], signal = new AbortController().signal) {
  const terminal = recordedTerminal();
  const code = await runProgram(program, args, { terminal, signal });
  return { code, out: terminal.out(), err: terminal.err() };
}

describe('a command line', () => {
  it('gives a command its values by their names, and nothing else', async () => {
    const right = await run([
      'send',
      '7',
      '--from',
      '0012',
      '--text=-x',
      '--copies',
      '3',
      '--via',
      'a',
      '--via',
      'b',
      '--no-stamp',
    ]);
    expect(right.code).toBe(0);
    expect(JSON.parse(right.out)).toMatchObject({
      to: '7',
      from: '0012',
      text: '-x',
      copies: 3,
      via: ['a', 'b'],
      'no-stamp': true,
      class: 'second',
    });
  });

  it.each([
    [['send'], '<to> is missing.', 'post send'],
    [['send', 'anna'], '--from is missing.', 'post send'],
    [
      ['send', 'anna', '--from', 'b', '--text'],
      '--text needs a value. One that begins with "-" is written --text=-….',
      'post send',
    ],
    [['send', 'anna', '--from', 'b', '--class', 'third'], '--class is one of first, second.', 'post send'],
    [['send', 'anna', '--from', 'b', '--copies', 'x'], '--copies is a number.', 'post send'],
    [['send', 'anna', '--from', 'b', '--from', 'c'], '--from is given twice.', 'post send'],
    [['send', 'anna', '--from', ''], '--from is empty.', 'post send'],
    [['send', '', '--from', 'b'], '<to> is empty.', 'post send'],
    [['send', 'anna', '--from', 'b', '--colour'], 'There is no option --colour here.', 'post send'],
    [['send', 'anna', '--from', 'b', '--text.x=1'], 'There is no option --text.x here.', 'post send'],
    [['send', 'anna', '--from', 'b', '-z'], 'There is no option -z here.', 'post send'],
    [['send', 'anna', '--from', 'b', 'extra'], '"extra" is unknown here.', 'post send'],
    [['send', 'anna', '--from', 'b', '--text', 'usage'], 'That is no text.', 'post send'],
    [['boxes'], 'A command is missing.', 'post boxes'],
    [['boxes', 'lst'], 'Did you mean list?', 'post boxes'],
    [['boxes', 'open'], '"open" is unknown here.', 'post boxes'],
    [['sned'], 'Did you mean send?', 'post'],
    [[], 'A command is missing.', 'post'],
  ])('%j is refused with exit code 2: %s', async (args, message, path) => {
    const { code, out, err } = await run(args);
    expect({ code, out, err }).toEqual({
      code: 2,
      out: '',
      err: `error: ${message}\n  See ${path} --help.\n`,
    });
  });

  it('is refused in JSON for programs', async () => {
    const { code, err } = await run(['boxes', 'list', '--json', '--bogus']);
    expect(code).toBe(2);
    expect(JSON.parse(err)).toEqual({
      error: {
        code: 'usage',
        detail: 'There is no option --bogus here.',
        issues: [],
        hint: 'See post boxes list --help.',
      },
    });
  });

  it('ends with 1 where the work failed, and with the code of the work', async () => {
    const refused = await run(['send', 'a', '--from', 'b', '--text', 'refused']);
    expect(refused).toEqual({ code: 1, out: '', err: 'error: The office is closed.\n  Come tomorrow.\n' });
    expect((await run(['send', 'a', '--from', 'b', '--text', 'one'])).code).toBe(1);
    await expect(run(['send', 'a', '--from', 'b', '--text', 'bug'])).rejects.toThrow('x is undefined');
  });

  it('ends with 130 and without a word when it is interrupted', async () => {
    const stop = new AbortController();
    const running = run(['boxes', 'watch'], stop.signal);
    setImmediate(() => stop.abort());
    expect(await running).toEqual({ code: 130, out: '', err: '' });
  });

  it('knows the command that runs', async () => {
    expect((await run(['boxes', 'list'])).out).toBe('post boxes list\n');
  });
});

describe('help', () => {
  it('of the program lists the commands, of a command its options and examples', async () => {
    const all = await run(['--help']);
    expect(all).toMatchObject({ code: 0, err: '' });
    expect(all.out).toMatch(/Posts letters\.[\s\S]+post send <to>\s+Sends a letter\.[\s\S]+post boxes/);
    const { out } = await run(['send', '--help']);
    expect(out).toMatch(/Usage: post send <to> \[options\]/);
    expect(out).toMatch(/post send anna --from ben --text Hello\s+sends a greeting/);
    expect(out).toMatch(
      /--class\s+how fast\s+\[string\] \[choices: "first", "second"\] \[default: "second"\]/,
    );
    expect((await run(['boxes', '--help'])).out).toMatch(/post boxes list\s+Lists boxes\./);
    expect((await run(['--version'])).out).toBe('1.2.3\n');
  });

  it('of the shell completes commands and options', async () => {
    const words = async (...line: string[]) =>
      (await run(['--get-yargs-completions', ...line])).out.trim().split('\n');
    expect(await words('post', '')).toEqual(expect.arrayContaining(['send', 'boxes']));
    expect(await words('post', 'boxes', '')).toEqual(expect.arrayContaining(['list', 'watch']));
    expect(await words('post', 'send', 'a', '--c')).toEqual(expect.arrayContaining(['--class', '--copies']));
  });
});

describe('text of strangers', () => {
  const hostile = 'a\u001b[2J\u001b]0;title\u0007b\r\u009b31mc\u202ed\u2066\u200b\u0000\u007f\u{e0041}';

  it('has no character that a terminal obeys, and shows those that were there', () => {
    expect(cleanText(hostile)).toBe('a␛[2J␛]0;title␇b␍�31mcd␀␡');
    expect(cleanLine('a\r\nb\n\n\tc')).toBe('a b c');
    expect(cleanText('a\r\nb\tc')).toBe('a\nb    c');
    expect(cleanText('Grüße 👩‍👩‍👧 שלום 日本')).toBe('Grüße 👩‍👩‍👧 שלום 日本');
  });

  it('is the same value in JSON, without such a character', () => {
    const text = toJson({ [hostile]: [hostile] });
    expect(JSON.parse(text)).toEqual({ [hostile]: [hostile] });
    expect(text.replaceAll('\n', '')).toMatch(/^[\x20-\x7e]+$/);
  });

  it('cannot leave the program but for colours', () => {
    expect(onlyStyled(`\u001b[31mred\u001b[0m\n${hostile}`)).toBe(
      '\u001b[31mred\u001b[0m\na�[2J�]0;title�b�\ufffd31mc\u202ed\u2066\u200b\ufffd\ufffd\u{e0041}',
    );
  });
});

describe('tables', () => {
  const wide = recordedTerminal();

  it('have a column for each field, and no borders', () => {
    const rows = [
      ['1', 'Anna\u001b[2J'],
      ['22', styled('日本')],
    ];
    expect(table([{ title: 'ID' }, { title: 'NAME' }], rows, wide)).toBe('ID  NAME\n1   Anna␛[2J\n22  日本');
  });

  it('cut or wrap what is flexible where the terminal is narrow', () => {
    const narrow = { ...wide, columns: 30 };
    const columns = [{ title: 'ID' }, { title: 'SUBJECT', flexible: true }];
    const rows = [['1', 'one two three four five six seven eight']];
    expect(table(columns, rows, narrow)).toBe('ID  SUBJECT\n1   one two three four five s…');
    expect(table(columns, rows, narrow, { wrap: true })).toBe(
      'ID  SUBJECT\n1   one two three four five\n    six seven eight',
    );
    expect(table(columns, rows, wide)).toContain('seven eight');
  });

  it('show records as lines, nested fields by their path', () => {
    const record = { id: 'x', limits: { per_hour: 1 }, tags: ['a', 'b'], none: null, on: true };
    expect(resultText(record, wide)).toBe(
      'id               x\nlimits.per_hour  1\ntags             a, b\nnone             -\non               yes',
    );
    expect(resultText([record, { id: 'y' }], wide).split('\n')[2]).toMatch(/^y +-/);
    expect(resultText([], wide)).toBe('none');
    expect(fields([['a', 'b\nc']], wide)).toBe('a  b c');
  });
});

it.each([
  [{ isTTY: true }, {}, true],
  [{ isTTY: true }, { NO_COLOR: '1' }, false],
  [{ isTTY: true }, { TERM: 'dumb' }, false],
  [{ isTTY: false }, {}, false],
  [{}, { FORCE_COLOR: '1' }, true],
  [{}, { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
  [{ isTTY: true }, { FORCE_COLOR: '0' }, false],
])('a stream %j with %j has colours: %s', (stream, environment, expected) => {
  expect(hasColors(stream, environment)).toBe(expected);
});
