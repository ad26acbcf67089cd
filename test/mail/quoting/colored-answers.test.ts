import { describe, expect, it } from 'vitest';
import { strip, stripHtml } from '../../../lib/mail/quoting/strip.ts';

const line = (text: string, color = '') =>
  `<p class=MsoNormal>${color === '' ? text : `<span style='color:${color}'>${text}</span>`}<o:p></o:p></p>`;
const header = `<div><div style='border:none;border-top:solid #E1E1E1 1.0pt'><p class=MsoNormal><b>From:</b> Ann Lee &lt;ann@a.example&gt; <br><b>Sent:</b> Tuesday, March 12, 2024 10:04 AM<br><b>To:</b> Bob Ray<br><b>Subject:</b> Meeting<o:p></o:p></p></div></div>`;
const outlook = (above: string, ...quoted: readonly string[]) =>
  `<div class=WordSection1>${line(above)}${header}${quoted.join('')}</div>`;
const question = line('When do you come?');
const greeting = line('Hi Bob,');

describe('stripHtml', () => {
  it.each([
    [
      'announced by its color',
      outlook('My answers in red.', greeting, line('please come.'), line('Tuesday', 'red')),
    ],
    [
      'announced in German',
      outlook('Antworten in blau.', greeting, question, line('Tuesday', 'rgb(0, 0, 255)')),
    ],
    [
      'announced as below, under a question',
      outlook('See below.', greeting, question, line('Tuesday', '#C00000')),
    ],
    [
      'in a quote that has a color of its own',
      outlook('inline', line('Hi Bob,', '#1F497D'), line('When?', '#1F497D'), line('Tuesday', 'red')),
    ],
    [
      'a font element in Apple Mail',
      '<div>in blue</div><blockquote type="cite"><div>On 12 Mar 2024, at 10:04, Ann &lt;a@a.example&gt; wrote:</div><div>When?</div><div><font color="#0433FF">Tuesday</font></div><div>Ann</div></blockquote>',
    ],
  ])('returns an answer inside the quote as written: %s', (_what, html) => {
    const { segments, strippedText, strippedHtml } = stripHtml(html);
    expect(segments.map(({ kind }) => kind).slice(0, 3)).toEqual(['written', 'quoted', 'written']);
    expect(strippedText.endsWith('\n\nTuesday')).toBe(true);
    expect(strippedHtml).toContain('Tuesday');
    expect(strippedHtml).not.toContain('Hi Bob');
  });

  it('returns answers below two questions as written when nothing is above the quote', () => {
    const html = `${header}${greeting}${question}${line('Tuesday', 'red')}${line('And where?')}${line('Here.', 'red')}`;
    expect(stripHtml(html).strippedText).toBe('Tuesday\n\nHere.');
  });

  it('returns bold answers as written when they begin with the name of the author', () => {
    const html =
      '<div class="gmail_quote"><div class="gmail_attr">On Tue, Mar 12, 2024 at 10:04 AM Ann Lee &lt;ann@a.example&gt; wrote:<br></div><blockquote class="gmail_quote"><div>when do you come</div><div><b>[Bob] on Tuesday</b></div><div>bring <b>the</b> key</div></blockquote></div>';
    expect(stripHtml(html).strippedText).toBe('[Bob] on Tuesday');
  });

  it.each([
    [
      'a warning of the quoted author',
      outlook('Thanks!', greeting, line('we move.'), line('Closed on Monday.', 'red')),
    ],
    [
      'the same, below a pointer',
      outlook('See below.', greeting, line('we move.'), line('Closed on Monday.', 'red')),
    ],
    [
      'a colored signature',
      outlook(
        'In red.',
        greeting,
        question,
        line('Best regards,'),
        line('Ann Lee', 'red'),
        line('ann@a.example', 'red'),
      ),
    ],
    ['a message in one color', outlook('In red.', line('Hi Bob,', 'red'), line('When do you come?', 'red'))],
    ['bold headings', outlook('In red.', greeting, line('the plan:'), '<p><b>Costs</b></p>', line('high'))],
    [
      'links',
      outlook(
        'In blue.',
        greeting,
        question,
        '<p><a href="https://a.example/" style="color:blue">page</a></p>',
      ),
    ],
    [
      'words inside a line',
      outlook('In red.', greeting, '<p>come on <span style="color:red">Tuesday</span> please</p>'),
    ],
    ['grey text', outlook('In red.', greeting, question, line('Tuesday', '#808080'))],
    [
      'a warning of a gateway',
      outlook('In red.', greeting, line('This email is from an external sender. Do not click links.', 'red')),
    ],
    ['the tag of the quoted author', outlook('Thanks!', greeting, question, line('[Ann Lee] soon', 'red'))],
    [
      'answers of others in an older message',
      outlook('In red.', greeting, header, question, line('Tuesday', 'red')),
    ],
  ])('keeps as quoted: %s', (_what, html) => {
    expect(stripHtml(html).segments.map(({ kind }) => kind)).toEqual(['written', 'quoted']);
  });
});

describe('strip', () => {
  it('divides the html when it shows answers that the plain text has without a sign', () => {
    const html = outlook('Answers in red.', greeting, question, line('Tuesday', 'red'));
    const text =
      'Answers in red.\n\nFrom: Ann Lee <ann@a.example>\nSent: Tuesday, March 12, 2024 10:04 AM\nTo: Bob Ray\nSubject: Meeting\n\nHi Bob,\nWhen do you come?\nTuesday';
    expect(strip({ text, html }).strippedText).toBe('Answers in red.\n\nTuesday');
  });
});
