/** Finds instructions that are addressed to a model instead of a person, in the languages of `instruction-words.ts`. Linear. */
import { addressWords, instructionWords, promptMarks } from './instruction-words.ts';

const charactersMax = 200_000;
const sentenceCharactersMax = 400;
const foundMax = 5;
/** The name of a model that is addressed stands at the beginning, or soon after the words that address it. */
const beginningCharacters = 12;

const unspaced = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;
/** Letters before a word: `unignored` has no `ignore` in it. Hebrew and Arabic prefix articles and prepositions. */
const letterBefore = '(?<![\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}])';
const letterAfter = '(?![\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}])';

function pattern(words: string, isWhole: boolean): RegExp {
  const list = words.split('|').map((word) => word.replace(/[.*+?^${}()[\]\\]/g, '\\$&'));
  const parts = [...new Set(list)].sort((one, other) => other.length - one.length);
  const free = parts.filter((word) => unspaced.test(word));
  const bound = parts.filter((word) => !unspaced.test(word));
  const after = isWhole ? letterAfter : '';
  return new RegExp(
    [...(bound.length > 0 ? [`${letterBefore}(?:${bound.join('|')})${after}`] : []), ...free].join('|'),
    'iu',
  );
}

const languages = Object.values(instructionWords).map(({ ignore, prior, rules, model, demand }) => ({
  ignore: pattern(ignore, false),
  prior: pattern(prior, false),
  rules: pattern(rules, false),
  model: pattern(model, true),
  demand: pattern(demand, false),
}));
const all = (part: 'rules' | 'model') =>
  Object.values(instructionWords)
    .map((words) => words[part])
    .join('|');
const anyRules = pattern(all('rules'), false);
const anyModel = pattern(all('model'), true);
const address = pattern(addressWords, false);
const sign = /^.{0,60}?[:,;：，、—–]|^.{0,40}? [-] /su;

/** Sentences of a text that instruct a model; at most five. */
export function instructionsIn(text: string): string[] {
  const found: string[] = [];
  const read = text.slice(0, charactersMax);
  for (const mark of promptMarks) {
    const at = mark.exec(read);
    if (at && found.length < foundMax) found.push(sentenceAround(read, at.index));
  }
  for (const sentence of sentencesOf(read)) {
    if (found.length >= foundMax) break;
    if (isInstruction(sentence) && !found.includes(sentence)) found.push(sentence);
  }
  return found;
}

function sentenceAround(text: string, at: number): string {
  const from = text.lastIndexOf('\n', at) + 1;
  const to = text.indexOf('\n', at);
  return text
    .slice(
      Math.max(from, at - sentenceCharactersMax),
      to < 0 ? at + sentenceCharactersMax : Math.min(to, at + sentenceCharactersMax),
    )
    .trim();
}

function* sentencesOf(text: string): Generator<string> {
  // Lines of one paragraph belong together; a sentence ends with its mark or the paragraph.
  for (const paragraph of text.split(/\n\s*\n/)) {
    const line = paragraph.replace(/\s+/g, ' ');
    for (const sentence of line.match(/[^.!?。！？؟]{1,400}[.!?。！？؟]?/gu) ?? []) yield sentence.trim();
  }
}

function isInstruction(sentence: string): boolean {
  if (anyRules.test(sentence) && languages.some((words) => isToIgnore(sentence, words))) return true;
  return anyModel.test(sentence) && languages.some((words) => isToModel(sentence, words));
}

type Patterns = (typeof languages)[number];

function isToIgnore(sentence: string, { ignore, prior, rules }: Patterns): boolean {
  const ruleAt = sentence.search(rules);
  const ignoreAt = sentence.search(ignore);
  if (ruleAt < 0 || ignoreAt < 0 || Math.abs(ruleAt - ignoreAt) > 80) return false;
  const between = sentence.slice(
    Math.max(0, Math.min(ruleAt, ignoreAt) - 30),
    Math.max(ruleAt, ignoreAt) + 50,
  );
  return prior.test(between);
}

/** The name of a model is addressed, and something is demanded after it. */
function isToModel(sentence: string, { model, demand }: Patterns): boolean {
  const found = model.exec(sentence);
  if (!found) return false;
  const before = sentence.slice(Math.max(0, found.index - 40), found.index);
  const after = sentence.slice(found.index + found[0].length);
  const isAddressed = found.index <= beginningCharacters || address.test(before);
  return isAddressed && sign.test(after) && demand.test(after);
}
