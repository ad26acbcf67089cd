/**
 * Letters that look like others, by what they look like: those of `confusables.txt` of Unicode (UTS 39; https://www.unicode.org/license.txt)
 * that host names can have, from the npm package unhomoglyph 1.0.6 (MIT), which is generated from it; and Cyrillic and Greek
 * letters that differ from Latin ones in small caps only.
 */
const lookalikes: Readonly<Record<string, string>> = {
  '2': 'ᒿꛯ',
  '3': '𖼻𑣊',
  '6': 'б𑣕',
  '7': '𑣆',
  '8': '৪੪𞣋ȣ𐌚',
  '9': '੧୨৭൭𑣌𑣖',
  a: 'ɑαаᗅꓮ𖽀𐊠ά',
  aa: 'ꜳ',
  ae: 'æӕ',
  ao: 'ꜵ',
  au: 'ꜷ',
  av: 'ꜹꜻ',
  ay: 'ꜽ',
  b: 'ᑲᖯᗷꓐ𐊂𐊡𐌁вьʙ',
  c: 'ᴄⲥсꮯ𐐽𑣲𑣩ꓚ𐊢𐌂𐔜',
  d: 'ԁᑯꓒᗞᗪꓓ',
  dz: 'ʣ',
  e: 'ꬲеҽⴹꓰ𐊆ё',
  f: 'ꬵꞙẝքᖴꓝ𑣂𐊇𐊥𐔥',
  g: 'ɡᶃƍցꓖģ',
  h: 'һհᕼꓧ𐋏нʜ',
  i: 'ıɪɩιіꙇӏꭵ𑣃',
  j: 'ϳјᒍꓙ',
  k: 'ᛕꓗ𐔘кκ',
  l: '١۱𐌠𞣇ǀוןاߊⵏᛁꓲ𖼨𐊊𐌉ᒪꓡ𖼖𐔦',
  ll: 'ǁװ',
  ls: 'ʪ',
  lz: 'ʫ',
  m: 'ᗰᛖꓟ𐊰𐌑м',
  n: 'ոռꓠ𐔓пη',
  o: '०੦૦௦౦೦൦๐໐၀٥۵ᴏᴑꬽοσⲟоჿօסهھہەഠဝ𐓪𑣈𑣗𐐬߀০୦〇𑓐𑣠ⵔዐଠꓳ𐊒𐊫𐔖',
  oe: 'œ',
  oo: 'ꝏꚙ',
  p: 'ρⲣрᑭꓑ𐊕',
  q: 'ԛգզⵕ',
  r: 'ꭇꭈᴦⲅгꮁᖇꓣ𖼵',
  rn: '𑣣𑜀',
  s: 'ꜱƽѕꮪ𑣁𐑈ꓢ𖼺𐊖',
  t: 'ꓔ𖼊𐊗𐊱𐌕тτ',
  tf: 'ꝷ',
  ts: 'ʦ',
  u: 'ꞟᴜꭎꭒʋυս𐓶𑣘ሀᑌꓴ𖽂',
  ue: 'ᵫ',
  uo: 'ꭣ',
  v: 'ᴠνѵט𑜆ꮩ𑣀٧۷ⴸᐯꛟꓦ𖼈𐔝',
  w: 'ɯᴡѡԝա𑜊𑜎𑜏ꮃ𑣯𑣦ꓪω',
  x: 'хᕁᕽ𐌢𑣬ⵝᚷꓫ𐊐𐊴𐌗𐔧',
  y: 'ɣᶌʏỿꭚγуүყ𑣜ꓬ𖽃𐊲',
  z: 'ᴢꮓ𑣄𐋵𑣥ꓜ',
};

const byLetter: ReadonlyMap<string, string> = new Map(
  Object.entries(lookalikes).flatMap(([latin, letters]) =>
    [...letters].map((letter) => [letter, latin] as const),
  ),
);

/** What a host name looks like (skeleton, UTS 39, 4): names with the same skeleton are taken for each other. In lower case. */
export function skeletonOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
  const latin = [...plain].map((letter) => byLetter.get(letter) ?? letter).join('');
  return latin.replaceAll('0', 'o').replaceAll('1', 'l').replaceAll('rn', 'm').replaceAll('vv', 'w');
}
