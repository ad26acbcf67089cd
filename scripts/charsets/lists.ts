/** Lists of people, places and goods in many languages, as programs export them. */
import { pickFrom, seeded } from '../random.ts';

interface Writing {
  /** Of the names of the locale data (CLDR) that Node.js has. */
  readonly locale: string;
  readonly charsets: readonly string[];
  readonly people: string;
}

const western = ['windows-1252', 'iso-8859-15', 'cp850', 'cp437', 'macintosh'];
const central = ['windows-1250', 'iso-8859-2', 'cp852'];
const cyrillic = ['windows-1251', 'iso-8859-5'];

/** The charsets that programs of a language write, and common names in it. */
export const writings: readonly Writing[] = [
  {
    locale: 'de',
    charsets: western,
    people:
      'Jürgen Müller,Käthe Schäfer,Günther Weiß,Björn Größ,Sören Köhler,Anna Schmidt,Jörg Krämer,Thomas Becker',
  },
  {
    locale: 'fr',
    charsets: western,
    people:
      'François Lefèvre,Hélène Bénard,André Gérard,Zoé Mérieux,Noël Dupré,Jérôme Prévost,Anaïs Besançon,Paul Martin',
  },
  {
    locale: 'es',
    charsets: western,
    people:
      'José Núñez,María Gutiérrez,Ángel Muñoz,Sofía Ibáñez,Andrés Peña,Lucía Fernández,Iñaki Rodríguez,Carlos Ruiz',
  },
  {
    locale: 'pt',
    charsets: western.slice(0, 3),
    people:
      'João Gonçalves,Conceição Araújo,Antônio Simões,Inês Magalhães,Luís Guimarães,Mônica Leitão,Cláudia Assunção',
  },
  {
    locale: 'it',
    charsets: western,
    people: 'Niccolò Donà,Nicolò Salò,Mosè Cefalù,Noè Forlì,Giosuè Pagnò,Marco Rossi,Libertà Cantù',
  },
  {
    locale: 'sv',
    charsets: western,
    people: 'Åsa Sjöberg,Göran Åkesson,Björn Lindström,Märta Öberg,Jörgen Nyström,Karin Andersson,Håkan Hägg',
  },
  {
    locale: 'da',
    charsets: western.slice(0, 3),
    people:
      'Søren Jørgensen,Åse Nørgaard,Bjørn Sørensen,Lærke Kjær,Jørn Brøndby,Kåre Østergaard,Mette Hansen',
  },
  {
    locale: 'fi',
    charsets: western,
    people: 'Päivi Hämäläinen,Jyrki Mäkelä,Väinö Räsänen,Sirpa Lehtimäki,Hänninen Töölö,Matti Virtanen',
  },
  {
    locale: 'is',
    charsets: ['windows-1252', 'cp850'],
    people:
      'Guðrún Þórðardóttir,Sigurður Jónsson,Þorsteinn Ægisson,Björk Guðmundsdóttir,Hafþór Björnsson,Ásdís Ýrr',
  },
  {
    locale: 'nl',
    charsets: western.slice(0, 3),
    people:
      'Daniël van Dijk,Zoë de Groot,Loïs Geërfd,Chloë Bakker,Noël Coöperatie,Jan Jansen,Renée Beëindigd',
  },
  {
    locale: 'pl',
    charsets: central,
    people:
      'Łukasz Wiśniewski,Małgorzata Wójcik,Stanisław Dąbrowski,Żaneta Gołąb,Grażyna Zieliński,Józef Świątek,Paweł Kaźmierczak',
  },
  {
    locale: 'cs',
    charsets: central,
    people: 'Jiří Dvořák,Růžena Černá,Zdeněk Kříž,Tomáš Šťastný,Lukáš Růžička,Věra Příhodová,Ondřej Říha',
  },
  {
    locale: 'sk',
    charsets: central,
    people: 'Ľudovít Štúr,Ján Kováč,Žofia Hričovská,Štefan Dobšinský,Ľubica Ďurišová,Tomáš Kôň',
  },
  {
    locale: 'hu',
    charsets: central,
    people: 'László Kovács,Gyöngyi Szűcs,József Győri,Zsófia Erdős,Tünde Nemeskürty,Jenő Bögöz,Ágnes Tóth',
  },
  {
    locale: 'ro',
    charsets: central,
    people: 'Ştefan Ionescu,Mădălina Ţurcanu,Cătălin Brâncuşi,Ionuţ Călinescu,Ana Popa',
  },
  {
    locale: 'hr',
    charsets: central,
    people: 'Željko Šimić,Đurđica Kovačević,Krešimir Ćosić,Zvonimir Božić,Snježana Čačić',
  },
  {
    locale: 'sl',
    charsets: central,
    people: 'Žiga Zupančič,Alenka Šuštar,Matjaž Kovačič,Špela Hočevar,Blaž Črnič',
  },
  {
    locale: 'tr',
    charsets: ['windows-1254', 'cp857'],
    people: 'Ayşe Yılmaz,Gökçe Çağlar,İbrahim Şahin,Ümit Öztürk,Doğan Kılıç,Mustafa Güneş',
  },
  {
    locale: 'lt',
    charsets: ['windows-1257', 'iso-8859-13'],
    people: 'Živilė Šimkutė,Rūta Jurgaitytė,Eglė Žukauskienė,Žydrūnas Ąžuolas,Šarūnas Kęstas',
  },
  {
    locale: 'lv',
    charsets: ['windows-1257', 'iso-8859-13'],
    people: 'Jānis Bērziņš,Līga Kļaviņa,Pēteris Kalniņš,Ģirts Šķēle,Zoļa Čakste',
  },
  {
    locale: 'et',
    charsets: ['windows-1257', 'windows-1252'],
    people: 'Jüri Kõiv,Mõtus Pärn,Ülle Mäe,Õnne Rüütel,Tõnis Mägi',
  },
  {
    locale: 'ru',
    charsets: [...cyrillic, 'koi8-r', 'ibm866'],
    people:
      'Иванов Сергей Петрович,Ольга Смирнова,Дмитрий Кузнецов,Елена Соколова,Алексей Щербаков,Юлия Жукова,Фёдор Цой',
  },
  {
    locale: 'uk',
    charsets: ['windows-1251', 'koi8-u'],
    people: 'Олександр Шевченко,Ірина Коваленко,Микола Їжакевич,Євген Гнатюк,Тетяна Мельник',
  },
  {
    locale: 'bg',
    charsets: ['windows-1251', 'ibm866'],
    people: 'Георги Димитров,Мария Иванова,Стоян Колев,Цветелина Ангелова,Петър Христов',
  },
  {
    locale: 'sr',
    charsets: cyrillic,
    people: 'Милош Јовановић,Љубица Ђорђевић,Никола Петровић,Њежана Живковић',
  },
  {
    locale: 'mk',
    charsets: cyrillic,
    people: 'Ѓорѓи Николовски,Љупчо Стојановски,Јована Ќосева,Билјана Трајковска',
  },
  {
    locale: 'be',
    charsets: ['windows-1251'],
    people: 'Аляксандр Каваль,Ўладзімір Багдановіч,Наталля Іваноўна,Янка Купала',
  },
  {
    locale: 'el',
    charsets: ['windows-1253', 'iso-8859-7', 'cp737'],
    people: 'Γιώργος Παπαδόπουλος,Ελένη Νικολάου,Δημήτρης Οικονόμου,Κατερίνα Βασιλείου,Χρήστος Αγγελόπουλος',
  },
  {
    locale: 'he',
    charsets: ['windows-1255', 'iso-8859-8'],
    people: 'דוד כהן,שרה לוי,משה מזרחי,רחל פרץ,יוסף ביטון,מרים אברהם',
  },
  {
    locale: 'ar',
    charsets: ['windows-1256', 'iso-8859-6'],
    people: 'محمد أحمد,فاطمة علي,عبد الرحمن حسن,خالد إبراهيم,نورة السعيد,يوسف المصري',
  },
  {
    locale: 'th',
    charsets: ['windows-874'],
    people: 'สมชาย ใจดี,สุดารัตน์ ศรีสุข,ประเสริฐ วงศ์ไทย,กมลวรรณ พงษ์พานิช,อนุชา แก้วมณี',
  },
  {
    locale: 'ja',
    charsets: ['shift_jis', 'euc-jp'],
    people: '佐藤健一,鈴木花子,高橋美咲,田中太郎,渡辺さくら,伊藤翔太,山本直樹,中村ユウコ,松村和也,三浦彩',
  },
  {
    locale: 'zh-Hans',
    charsets: ['gb18030'],
    people: '王伟,李娜,张秀英,刘洋,陈静,杨磊,欧阳雪,周杰,吴敏,诸葛浩',
  },
  {
    locale: 'zh-Hant',
    charsets: ['big5'],
    people: '陳怡君,林志明,黃淑芬,張家豪,劉雅婷,王建宏,歐陽靜,吳俊傑,蔡佩珊',
  },
  {
    locale: 'ko',
    charsets: ['euc-kr'],
    people: '김민준,이서연,박지훈,최수빈,정우진,강하은,조현우,윤채원,임도윤,한소희',
  },
];

/** The words of a language: names of people; countries, languages and currencies as places and goods. */
export function wordsOf({ locale, people }: Writing): {
  people: string[];
  places: string[];
  goods: string[];
} {
  const regions = new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' });
  const tongues = new Intl.DisplayNames(locale, { type: 'language', fallback: 'none' });
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  const named = (name: (code: string) => string | undefined) =>
    codes.map(name).filter((one): one is string => one !== undefined && !/[;\n"]/.test(one));
  return {
    people: people.split(','),
    places: named((code) => regions.of(code)),
    goods: named((code) => tongues.of(code.toLowerCase())),
  };
}

/** A list of so many rows, with separators that programs use. */
export function listOf(
  { people, places, goods }: ReturnType<typeof wordsOf>,
  rows: number,
  seed: number,
): string {
  const random = seeded(seed);
  const separator = pickFrom(random, [',', ';', '\t', '|']);
  const lines = Array.from({ length: rows }, (_, at) => {
    const amount = (random.below(1_000_000) / 100).toFixed(2);
    const date = `2026-${1 + random.below(12)}-${1 + random.below(28)}`;
    const words = [people, places, goods].map((list) => pickFrom(random, list));
    return [at + 1, ...words, amount, date].join(separator);
  });
  return `${['ID', 'Name', 'City', 'Product', 'Total', 'Date'].join(separator)}\r\n${lines.join('\r\n')}\r\n`;
}
