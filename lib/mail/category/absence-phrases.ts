/** Phrases of out-of-office replies by language, as sources of expressions, for replies whose headers do not reveal them. */
import type { Language } from '../quoting/languages.ts';
import { anyOf } from './phrases.ts';

interface AbsencePhrases {
  /** That the writer is absent, in the first person: "I am on leave". */
  readonly absent: string;
  /** That the writer comes back, or does not read mail until then. */
  readonly returning: string;
  /** How long, and whom to ask until then. Says little alone. */
  readonly meanwhile: string;
}

/** Words between a verb and what it says: "bin bis einschließlich 24.05. im Urlaub". */
const gap = '[^!?\\n]{0,60}?';

const byLanguage: Readonly<Record<Language, AbsencePhrases>> = {
  en: {
    absent: `(?:i.?m|i am|i.ll be|i will be|am|we are|we.re) (?:\\p{L}+ )?(?:out of (?:the |my )?office|ooo|out until|on (?:\\p{L}+ )?(?:leave|vacation|holidays?|sabbatical)|away|travell?ing|unavailable|offline|in the field|taking (?:\\p{L}+ )?time off|at(?:tending)? an? \\p{L}+|out of (?:town|the country)|not (?:available|in the office|at work))|(?:out of (?:the )?office|ooo) (?:until|till|from|through)|office (?:is|will be) closed`,
    returning: `back (?:on|in the office|at (?:work|my desk)|after)|(?:return|returning) (?:on|to the office|to work)|(?:my|upon|on) return|(?:limited|no|intermittent)(?: or no)? access|when i(?:.m| am| get)? (?:back|return)|not (?:be )?(?:checking|reading|monitoring)|travell?ing`,
    meanwhile: `until|till|through|urgent(?:ly)?|emergency|immediate (?:assistance|attention|help)|in my absence|while i.m away|contact`,
  },
  de: {
    absent: `(?:ich bin|bin ich|bin|wir sind|ich befinde mich|befinde ich mich|ich habe|ich mache|ich werde)${gap} (?:nicht (?:im (?:büro|haus|hause|dienst)|erreichbar|am arbeitsplatz)|abwesend|verreist|im \\p{L}{0,20}urlaub|urlaub|in (?:elternzeit|mutterschutz)|au(?:ß|ss)er haus|auf (?:einer )?(?:\\p{L}{0,20}reise|fortbildung|messe|tagung|konferenz)|krank\\p{L}*)|betriebsferien|betriebsurlaub|(?:büro|praxis|kanzlei|geschäft)${gap} geschlossen`,
    returning: `wieder${gap} (?:erreichbar|da|im (?:büro|hause?|dienst)|zurück)|(?:bin|kehre|komme)${gap} zurück|(?:nach|bei|bis zu) meiner rückkehr|nicht (?:weitergeleitet|gelesen|bearbeitet)|(?:keinen|eingeschränkten?|nur begrenzt) zugriff|nicht erreichbar|krankheit|erkrankt`,
    meanwhile: `bis|dringend\\p{L}*|eilig\\p{L}*|vertret\\p{L}*|notf[aä]ll\\p{L}*|wenden sie sich|kontaktieren`,
  },
  fr: {
    absent: `(?:je suis|je serai|nous sommes)${gap} (?:absente?s?|en (?:congés?|vacances|déplacement|arrêt\\p{L}*)|hors du bureau|à l.extérieur|indisponible|en (?:formation|mission))|je ne suis pas au bureau|(?:bureau|cabinet)${gap} fermée?s?`,
    returning: `(?:de|mon) retour|ne sera pas (?:transférée?|lue?)|accès (?:limité|restreint)|joignable à partir`,
    meanwhile: `jusqu|urgen(?:te?s?|ces?)|pendant mon absence|contacter|contactez|adresser à|adressez`,
  },
  es: {
    absent: `(?:estoy|estaré|me encuentro|estamos)${gap} (?:de (?:vacaciones|baja|viaje|permiso)|fuera de (?:la |mi )?oficina|ausente|en (?:un congreso|formación))|no (?:estoy|estaré) en la oficina|(?:oficina|despacho)${gap} cerrad[oa]s?`,
    returning: `(?:mi|la) (?:vuelta|regreso)|vuelvo|volveré|regreso el|regresaré|me reincorpor\\p{L}+|acceso limitado`,
    meanwhile: `hasta|urgen(?:tes?|cias?)|contact\\p{L}+`,
  },
  pt: {
    absent: `(?:estou|estarei|encontro-me|encontro me|estamos)${gap} (?:(?:de|em) (?:férias|licença|baixa|viagem|formação)|fora do escritório|ausente)|não (?:estou|estarei) no escritório|escritório${gap} (?:fechado|encerrado)`,
    returning: `meu (?:regresso|retorno)|retorno (?:em|no|dia|às?)|retornarei|regresso (?:a|em|no)|regressarei|voltarei|de volta|acesso limitado`,
    meanwhile: `até|urgen(?:tes?|cias?)|urgências?|contac?t\\p{L}+`,
  },
  it: {
    absent: `(?:sono|sarò|siamo)${gap} (?:in (?:ferie|vacanza|maternità|malattia|trasferta)|assente|fuori (?:sede|ufficio))|non (?:sono|sarò) in ufficio|(?:ufficio|studio)${gap} chiuso`,
    returning: `mio (?:rientro|ritorno)|rientro (?:il|lunedì|martedì|mercoledì|giovedì|venerdì)|rientrerò|tornerò|accesso limitato`,
    meanwhile: `fino a\\p{L}*|sino a\\p{L}*|urgen\\p{L}+|contattare|rivolgersi`,
  },
  nl: {
    absent: `(?:ik ben|ben ik|wij zijn)${gap} (?:afwezig|niet (?:op kantoor|aanwezig|bereikbaar)|(?:met|op) (?:vakantie|reis|\\p{L}{0,20}verlof))|kantoor${gap} gesloten`,
    returning: `(?:weer|ben)${gap} (?:terug|bereikbaar|aanwezig)|mijn terugkeer|bij terugkomst|niet (?:doorgestuurd|gelezen)|lees${gap} niet|beperkt toegang`,
    meanwhile: `tot|dringend\\p{L}*|spoed\\p{L}*|vervang\\p{L}*|contact`,
  },
  pl: {
    absent: `(?:jestem|przebywam|będę|czerpię|korzystam)${gap} (?:na (?:urlopie|zwolnieniu|konferencji|szkoleniu|delegacji|macierzyńskim)|z urlopu|nieobecn[ayi]|poza biurem|w delegacji|urlop)|nie ma mnie w (?:biurze|pracy)|(?:nie jestem|nie będę) w (?:biurze|pracy)|biuro${gap} (?:nieczynne|zamknięte)`,
    returning: `po (?:moim )?powrocie|wracam|wrócę|będę (?:ponownie )?dostępn[ay]|ograniczon\\p{L}+ dostęp\\p{L}*|nie (?:będzie|jest|zostanie) (?:przekazywan|przekazan|przekierowan)\\p{L}+`,
    meanwhile: `do (?:dnia )?\\d+|do końca|piln\\p{L}+|nagłych|niecierpiąc\\p{L}+|zastęp\\p{L}+|kontakt\\p{L}*`,
  },
  sv: {
    absent: `(?:jag är|är jag|jag har|har jag|vi har)${gap} (?:frånvarande|inte (?:på (?:kontoret|plats|jobbet)|i tjänst|tillgänglig)|på (?:semester|resande fot|tjänsteresa)|semester|ledig|\\p{L}{1,20}ledig|stängt)`,
    returning: `tillbaka|åter (?:på|den|i)|läser inte|begränsad (?:tillgång|möjlighet)`,
    meanwhile: `till och med|t\\.o\\.m|till den|till \\d+|brådska\\p{L}+|akut\\p{L}*|kontakta|ersättare`,
  },
  da: {
    absent: `(?:jeg er|er jeg|jeg holder|jeg har|vi holder)${gap} (?:fraværende|ikke (?:på kontoret|til stede|at træffe)|på (?:ferie|barsel|orlov|kursus|rejse)|ferie|ferielukket|lukket|fri)`,
    returning: `tilbage|læser ikke|begrænset adgang`,
    meanwhile: `til og med|til den|til \\d+|hast\\p{L}*|akut\\p{L}*|presserende|kontakt`,
  },
  no: {
    absent: `(?:jeg er|er jeg|jeg har|vi har)${gap} (?:fraværende|ikke (?:på kontoret|til stede|tilgjengelig)|på (?:ferie|reise|kurs)|ferie|\\p{L}{0,20}permisjon|bortreist|fri|stengt)`,
    returning: `tilbake|(?:leser|lest) ikke|ikke lest|begrenset tilgang`,
    meanwhile: `til og med|til den|til \\d+|hast\\p{L}*|akutt?\\p{L}*|kontakt|vikar`,
  },
  cs: {
    absent: `(?:jsem|budu|čerpám|nacházím se|mám)${gap} (?:mimo kancelář|na (?:dovolené|služební cestě|nemocenské|konferenci|školení)|v pracovní neschopnosti|dovolenou|nepřítomn[ayý]|nepřítomen)|(?:nejsem|nebudu) v (?:kanceláři|práci)`,
    returning: `návratu|budu zpět|vrátím se|vracím se|omezený přístup`,
    meanwhile: `do \\d+|do konce|naléhav\\p{L}+|urgentn\\p{L}+|zastup\\p{L}+|kontakt\\p{L}*|obra[ťt]\\p{L}*`,
  },
  ru: {
    absent: `(?:я|нахожусь|буду)${gap} (?:в (?:ежегодном )?(?:отпуске|командировке)|отсутств\\p{L}+|на больничном|в декрете|вне офиса)|меня (?:нет|не будет) (?:в офисе|на месте|на работе)`,
    returning: `после (?:моего )?(?:возвращения|отпуска)|вернусь|выйду|буду (?:снова )?(?:доступ\\p{L}+|на связи|в офисе)|ограничен\\p{L}* доступ\\p{L}*`,
    meanwhile: `до \\d+|до конца|по \\d+|срочн\\p{L}+|неотложн\\p{L}+|обраща\\p{L}+|пишите`,
  },
  zh: {
    absent: `(?:我|本人|目前|现在|現在|正在)[^?？。\\n]{0,15}(?:休假|度假|出差|年假|产假|產假|不在(?:办公室|辦公室|公司)|外出)|放假`,
    returning: `返回|回到(?:办公室|辦公室)|恢复上班|恢復上班|届时|屆時|回来后|回來後|返工`,
    meanwhile: `急事|紧急|緊急|至\\d|直到|期间|期間|联系|聯絡|致电`,
  },
  ja: {
    absent: `(?:不在に(?:して|いたし)|不在と(?:なり|させ)|不在です|休業(?:と|いた|し|期間)|外出し|出張(?:中|し)|休暇(?:を(?:いただ|頂|取得し|とって)|中)|お休みを(?:いただ|頂))`,
    returning: `出社|以降に?(?:順次)?ご?(?:返信|対応|連絡)|戻り次第|復帰|休暇明け|(?:確認|返信|返答|回答)が(?:遅|でき)`,
    meanwhile: `急ぎ|緊急|まで|ご連絡`,
  },
  fi: {
    absent: `(?:olen|olemme)${gap} (?:lomalla|poissa|vapaalla|\\p{L}{0,20}vapaalla|matkoilla|matkalla|sairauslomalla)|en ole (?:toimistolla|töissä|paikalla)|toimisto(?:mme)?${gap} (?:suljettu|kiinni)`,
    returning: `pala(?:an|ttuani|tessani)|takaisin (?:töissä|toimistolla)|takaisin|en lue (?:sähköposti\\p{L}*|viestejä)|tavoitettavissa`,
    meanwhile: `asti|saakka|kiireelli\\p{L}+|sijais\\p{L}+`,
  },
  hu: {
    absent: `szabadságon (?:vagyok|leszek)|(?:házon|irodán|irodában) kívül|távol (?:vagyok|leszek)|(?:vagyok|leszek)${gap} (?:szabadságon|távol|táppénzen)|nem (?:vagyok|leszek) az irodá(?:ba|mba)n|irodánk${gap} zárva`,
    returning: `visszaté\\p{L}+|visszajövök|(?:nem|korlátozottan) (?:érek el|elérhető\\p{L}*|olvasom)|érkezem vissza`,
    meanwhile: `-ig|sürgős\\p{L}*|helyettes\\p{L}*`,
  },
  ko: {
    absent: `(?:휴가|부재|출장|연차|병가) ?중|자리를 비(?:웁|우|울)\\p{L}*|(?:사무실|자리)에 없습니다|휴무`,
    returning: `복귀|돌아(?:오|올|와)\\p{L}*|확인이 (?:어렵|늦)\\p{L}*|회신이 (?:어렵|늦)\\p{L}*`,
    meanwhile: `까지|급한|긴급`,
  },
  he: {
    absent: `(?:אני|הנני|אהיה)${gap} (?:בחופשה|בחופשת|מחוץ למשרד|לא זמינ?ה?)|(?:בחופשה|מחוץ למשרד|בחופשת)|(?:אינני|איני|לא נמצאת?) במשרד|המשרד${gap} סגור`,
    returning: `אחזור|אשוב|גישה מוגבלת|לא (?:קורא|בודק)ת?`,
    meanwhile: `עד|דחו\\p{L}+|בהיעדרי`,
  },
  ar: {
    absent: `(?:أنا|سأكون)${gap} (?:خارج المكتب|في إجازة|غير متواجد\\p{L}?)|(?:خارج المكتب|في إجازة)|(?:لست|غير موجود) في المكتب|المكتب${gap} مغلق`,
    returning: `العودة|سأعود|أعود|عودتي`,
    meanwhile: `حتى|عاجل\\p{L}*|طارئ\\p{L}*`,
  },
  other: {
    absent: `(?:\\p{L}{0,20}izin(?:deyim|liyim)|ofis dışında|ofiste (?:değilim|olmayacağım))|(?:у|в) відпустці|мене немає в офісі|sunt${gap} (?:în concediu|plecat\\p{L}?)|nu sunt la birou|(?:σε άδεια|εκτός γραφείου)`,
    returning: `dönüş\\p{L}*|döneceğim|повернусь|повернення|revin|întorc|επιστρ\\p{L}+`,
    meanwhile: `kadar|acil|до \\d+|термінов\\p{L}+|până|urgen\\p{L}+|μέχρι|έως|επείγ\\p{L}+`,
  },
};

const phrasesOf = (kind: keyof AbsencePhrases) =>
  anyOf(Object.values(byLanguage).map((phrases) => phrases[kind]));

/** The writer says to be absent. */
export const absentWriter = phrasesOf('absent');
export const returning = phrasesOf('returning');
export const meanwhile = phrasesOf('meanwhile');

/** An absence that has not begun, of which only people write: automatic replies are sent during it. */
export const plannedAbsence = anyOf([
  '(?:from|starting|beginning|as of) tomorrow',
  'ab (?:über)?morgen',
  '(?:à partir de|dès) demain',
  '(?:a partir de|desde) (?:mañana|amanhã)',
  '(?:da|a partire da) domani',
  'vanaf morgen',
  'od jutra',
  '(?:från|fra) (?:och med |og med )?i ?morg[eo]n',
  'od zít(?:řka|ra)',
  'с завтрашнего дня',
  '明天起|明日から|从明天|從明天',
  'huomisesta',
  'holnaptól',
  '내일부터',
  'ממחר',
  'من (?:الغد|غد|يوم غد)',
]);

/** Thanks for the message, before an automatic answer comes to its point. */
export const thanks =
  /thank|dank|merci|gracias|obrigad|grazie|bedankt|dzięk|\btack|\btakk?\b|děkuj|спасибо|благодар|感谢|感謝|谢谢|謝謝|お世話|ありがとう|kiito|köszön|teşekkür|감사|дякую|mulțum|ευχαριστ|תודה|شكر/iu;
