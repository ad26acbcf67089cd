/** The phrases of every language that quoting recognises. */

import { arabic } from './languages/ar.ts';
import { czech } from './languages/cs.ts';
import { danish } from './languages/da.ts';
import { german } from './languages/de.ts';
import { english } from './languages/en.ts';
import { spanish } from './languages/es.ts';
import { finnish } from './languages/fi.ts';
import { french } from './languages/fr.ts';
import { hebrew } from './languages/he.ts';
import { hungarian } from './languages/hu.ts';
import { italian } from './languages/it.ts';
import { japanese } from './languages/ja.ts';
import { korean } from './languages/ko.ts';
import { dutch } from './languages/nl.ts';
import { norwegian } from './languages/no.ts';
import { polish } from './languages/pl.ts';
import { portuguese } from './languages/pt.ts';
import { russian } from './languages/ru.ts';
import { swedish } from './languages/sv.ts';
import { chinese } from './languages/zh.ts';
import type { ReplyPhrases } from './phrases.ts';

export const allLanguages: readonly ReplyPhrases[] = [
  english,
  german,
  french,
  spanish,
  portuguese,
  italian,
  dutch,
  polish,
  swedish,
  danish,
  norwegian,
  czech,
  russian,
  chinese,
  japanese,
  hebrew,
  arabic,
  finnish,
  hungarian,
  korean,
];
