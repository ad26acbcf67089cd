/**
 * The characters that languages write outside of ASCII, for judging which charset makes sense of a file. Letters are in
 * the order of their frequency; the lists hold common words of names and trade.
 */

export interface Language {
  readonly name: string;
  /** Natural logarithm of the probability of a non-ASCII character in lower case; null where the language lacks it. */
  readonly weigh: (character: string) => number | null;
  /** How much rarer than others files of the language are: a logarithm. */
  readonly prior: number;
}

/** Languages of alphabets, letters that are more frequent first. */
const alphabets: Readonly<Record<string, string>> = {
  french: 'éèàêçôîûùâïëœü',
  german: 'üäöß',
  spanish: 'óíáéñúü',
  portuguese: 'ãçáéóêíõúâàô',
  italian: 'àèéùòìóêç',
  dutch: 'ëéïöèüóá',
  catalan: 'àóèéíçòúïü',
  swedish: 'åäöé',
  danish: 'øåæé',
  finnish: 'äöåšžé',
  icelandic: 'áíðéóöúþýæ',
  polish: 'łóążęśćńź',
  czech: 'áíéřžýěšůčúňťďó',
  slovak: 'áíýčéžšľťúňôďäóŕĺ',
  hungarian: 'áéóöíüőúű',
  romanian: 'ăîâțșţş',
  croatian: 'čšžćđ',
  turkish: 'ıüşçöğiâ',
  azerbaijani: 'əıüşçöğ',
  lithuanian: 'ėūšžąčįęų',
  latvian: 'āīēšūņļģžčķ',
  estonian: 'äõüöšž',
  vietnamese: 'đưôâơêăáàéè\u0301\u0300\u0323\u0309\u0303íóúù',
  russian: 'оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё',
  ukrainian: 'оаинвтірселкдумпзябьгйчхцжїєшющфґ',
  bulgarian: 'аеоитнсрвлдкпмзугябъчцжйшхщюьф',
  serbian: 'аоиенрсјтукдвмлпгзбшчћцжхђљњфџ',
  macedonian: 'аоиетнрсвкдлпмујгзбшчцжќљњѓхџѕф',
  belarusian: 'аніоеыкстрялвудмпзьбгцўчйшжхюёфэ',
  greek: 'αοιτεσνηρυκπμςλωάίόέδγήώχύθφβξζψϊϋΐΰ',
  hebrew: 'יוהלארמבתנשדםקחעפטגסןזצכךףץ׳״',
  arabic: 'اليمنترهبوسدعفكحقشجصةخطذثىأزضغءئإآظؤ',
  persian: 'اینردمتهوسبشکزلگخفپعقيكجحچصطژغذضثظآ',
  thai: 'านรอกเงมยลิวด่ท้สะต็ปบคั์หแีจพชุขใไูผโซืภธำศษฐึฉฟณญฮฎฏฑฒ๊๋ฆ',
};

/** Letters of Western Europe that lists of several countries mix. */
const western = new Set('éáíóüöäñèçãêúàôøåßëæîïûõìòùâœ');

const weightOfOther = Math.log(1 / 700);
const weightOfForeign = Math.log(1 / 6000);
const isLatin = /\p{Script=Latin}|\p{M}/u;

function alphabet(name: string, letters: string): Language {
  const ranked = [...letters];
  const decay = ranked.length / 3;
  const total = ranked.reduce((sum, _, rank) => sum + Math.exp(-rank / decay), 0);
  const weights = new Map(ranked.map((letter, rank) => [letter, Math.log(Math.exp(-rank / decay) / total)]));
  const isLatinAlphabet = isLatin.test(ranked[0] ?? '');
  return {
    name,
    prior: /thai|vietnamese|persian|azerbaijani/.test(name) ? -3 : 0,
    weigh: (character) => {
      const known = weights.get(character);
      if (known !== undefined || !isLatinAlphabet) return known ?? null;
      if (western.has(character)) return weightOfOther;
      return isLatin.test(character) ? weightOfForeign : null;
    },
  };
}

/** Characters of everyday use, in names, places and trade. */
const frequent = {
  chinese:
    '的一是不了在人有我他这中大来上个国和地到们时出就分对成会可主发年动同工也能下过民前面所方后多行学法以电话名称姓地址号码价格数量单位公司产品订单日期金额备注合计总联系手机邮件客户部门经理编型规格元件张王李赵刘陈杨黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文伟芳娜秀英敏静丽强磊军洋勇艳杰娟涛明超兰霞平刚桂辉鹏飞玲红梅建华国志玉春生永晓海燕北京上海广州深圳天津重庆杭州南京武汉成都西安苏州青岛大连沈阳长沙厦门济南哈尔滨福州市省区县路街道东西南北湖河山新家小水火红绿蓝黑白茶米油盐酒手表衣鞋书笔灯',
  taiwanese:
    '的一是不了在人有我他這中大來上個國和地到們時出就分對成會可主發年動同工也能下過民前面所方後多行學法以電話名稱姓地址號碼價格數量單位公司產品訂單日期金額備註合計總聯繫絡手機郵件客戶部門經理編型規格元件張王李趙劉陳楊黃周吳徐孫胡朱高林何郭馬羅梁宋鄭謝韓唐馮于董蕭程曹袁鄧許傅沈曾彭呂蘇盧蔣蔡賈丁魏薛葉余潘杜戴夏鍾汪田任姜范方石姚譚廖鄒熊金陸郝孔白崔康毛邱秦江史顧侯邵孟龍萬段雷錢湯尹黎易常武喬賀賴龔文志偉建宏俊傑家豪怡君淑芬雅婷惠美玲秀英麗華明台臺北高雄中南新竹基隆嘉義桃園彰化屏東宜蘭花蓮市縣區路街段巷弄樓香港九龍東西湖山茶米油酒錶衣鞋書筆燈',
  japanese:
    '日本人大一年中会国出上生子分東三行同今高金時手見市力米自前円合立内二事社者地京間田体学下目五後新明方部女八心四民対主正代言九小思七山実入回場野開万全定家北六問話文動度県水安氏和政保表道相意発不党佐藤鈴木高橋田中伊渡辺山本中村小林加吉山松井木斎清崎森池阿石川原前岡長谷近坂遠青西福太三藤口島野上原竹内金子和後岡安藤宮内古今平丸桜千葉大阪京都名古屋横浜神戸札幌仙台広島福岡北海道埼玉区町村府郡丁目番号電話住所氏名郵便価格数量単位会社株式商品注文日付金額備考合計担当課様一郎太健浩恵美子由紀香奈智裕誠隆久幸介真雄樹翔希愛咲優花',
  korean:
    '이다의가는을에한고지하를사기은로도자인서리대어시그나아해수전일있정제것부보들장상구과조주스선만성여들화공국원중관우연경생비무신소동계세모물회년발결실당학문통내박최김강윤임오신권황안송류홍전손배백허남심노하곽차주유나민진석준영현미희숙옥순철호재훈혁형규태식길승은혜윤연빈서울부산대구인천광주대전울산세종경기강원충북청남전라상제도시군읍면동리로번지길전화번호주소성명이름가격수량단위회사제품주문날짜금액비고합계담당부장님라트드크프터버카타파사마바니더저',
};

/** All characters of rows of a double-byte charset (EUC forms). */
function rows(label: string, from: number, to: number, trails: readonly number[]): Set<string> {
  const decoder = new TextDecoder(label);
  const found = new Set<string>();
  for (let lead = from; lead <= to; lead++) {
    const pairs = Buffer.from(trails.flatMap((trail) => [lead, trail]));
    for (const character of decoder.decode(pairs)) found.add(character);
  }
  return found;
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
const eucTrails = range(0xa1, 0xfe);
const bigTrails = [...range(0x40, 0x7e), ...eucTrails];

/** Sets of characters with the share of a text that each set has. */
function ideographs(name: string, tiers: readonly [Iterable<string>, number][], prior = 0): Language {
  const weights = new Map<string, number>();
  for (const [characters, share] of tiers) {
    const unique = [...new Set(characters)];
    for (const one of unique) {
      const weight = Math.log(share / unique.length);
      if ((weights.get(one) ?? Number.NEGATIVE_INFINITY) < weight) weights.set(one, weight);
    }
  }
  return { name, prior, weigh: (character) => weights.get(character) ?? null };
}

const kana = (from: number, to: number) => String.fromCharCode(...range(from, to));

/** The levels of the national standards order ideographs by use (GB 2312, CNS 11643, JIS X 0208, KS X 1001). */
function ideographic(): Language[] {
  return [
    ideographs('chinese', [
      [frequent.chinese, 0.65],
      [rows('gbk', 0xb0, 0xd7, eucTrails), 0.32],
      [rows('gbk', 0xd8, 0xf7, eucTrails), 0.025],
      [rows('gbk', 0x81, 0xa0, bigTrails), 0.005],
    ]),
    ideographs('taiwanese', [
      [frequent.taiwanese, 0.65],
      [rows('big5', 0xa4, 0xc6, bigTrails), 0.32],
      [rows('big5', 0xc9, 0xf9, bigTrails), 0.01],
    ]),
    ideographs('japanese', [
      [kana(0x3041, 0x3093), 0.25],
      [`${kana(0x30a1, 0x30f6)}ー`, 0.3],
      [frequent.japanese, 0.3],
      [rows('euc-jp', 0xb0, 0xcf, eucTrails), 0.14],
      [rows('euc-jp', 0xd0, 0xf4, eucTrails), 0.01],
    ]),
    ideographs('half-width japanese', [[kana(0xff66, 0xff9f), 1]], -8),
    ideographs('korean', [
      [frequent.korean, 0.75],
      [rows('euc-kr', 0xb0, 0xc8, eucTrails), 0.24],
      [rows('euc-kr', 0xca, 0xfd, eucTrails), 0.002],
    ]),
  ];
}

let known: readonly Language[] | null = null;

/** Built when first asked for: few files need it. */
export function languages(): readonly Language[] {
  known ??= [
    ...Object.entries(alphabets).map(([name, letters]) => alphabet(name, letters)),
    ...ideographic(),
  ];
  return known;
}
