/** Owns the words by which authors announce answers inside the quote, by language. */
import type { Words } from './languages.ts';

/** "My answers in red", "inline": certain where a color contrasts. */
export const announcements: Words = {
  en: 'inline | in line | in red | in blue | in green | in colour | in color | in purple | in the text',
  de: 'im text | inline | in rot | rot | in blau | blau | in grün | grün | farbig',
  fr: 'dans le texte | en rouge | en bleu | en vert | en couleur',
  es: 'en rojo | en azul | en verde | en el texto',
  pt: 'a vermelho | em vermelho | em azul | a azul | a verde | em verde | no texto | no corpo',
  it: 'in rosso | in blu | in verde | nel testo',
  nl: 'in rood | in blauw | in groen | in het rood | in het blauw | in de tekst',
  pl: 'w treści | na czerwono | na niebiesko | na zielono | w tekście',
  sv: 'i rött | i blått | i grönt | i texten',
  da: 'med rødt | med blåt | med grønt | i teksten',
  no: 'i rødt | i blått | i grønt | i teksten',
  cs: 'v textu | červeně | modře | zeleně',
  ru: 'в тексте | красным | синим | зелёным | зеленым',
  zh: '红色 | 紅色 | 蓝色 | 藍色 | 绿色 | 綠色 | 文中',
  ja: '赤字 | 青字 | 赤で | 青で | 本文中',
  he: 'בגוף | באדום | בכחול | בירוק',
  ar: 'باللون | بالأحمر | بالأزرق | في النص',
  fi: 'punaisella | sinisellä | vihreällä | tekstissä | tekstin sekaan',
  hu: 'pirossal | kékkel | zölddel | a szövegben',
  ko: '본문에 | 빨간 | 파란 | 붉은',
  other: '',
};

/** "See below", which may also point to the quoted message itself. */
export const pointers: Words = {
  en: 'below',
  de: 'unten | weiter unten',
  fr: 'ci-dessous | plus bas',
  es: 'abajo | más abajo | a continuación',
  pt: 'abaixo | em baixo',
  it: 'sotto | qui sotto | di seguito',
  nl: 'hieronder | onder',
  pl: 'poniżej',
  sv: 'nedan',
  da: 'nedenfor | nedenunder',
  no: 'nedenfor | under',
  cs: 'níže | dole',
  ru: 'ниже',
  zh: '见下 | 見下 | 如下 | 下面 | 下方',
  ja: '以下 | 下記',
  he: 'למטה | בהמשך | להלן',
  ar: 'أدناه',
  fi: 'alla | alempana',
  hu: 'lent | alább | lentebb',
  ko: '아래 | 하단',
  other: '',
};
