/**
 * Replies and forwards written by hand, colloquial and from phones, unlike the phrases of `languages`: they measure the
 * rules, which were not changed for them.
 */

export interface WrittenReply {
  readonly language: string;
  readonly kind: 'reply' | 'forward';
  readonly text: string;
  /** What its author wrote. */
  readonly written: string;
}

const quote = '\n> first line\n> second line\n';
const reply = (language: string, written: string, ending: string, attribution: string): WrittenReply => ({
  language,
  kind: 'reply',
  written,
  text: `${written}${ending === '' ? '' : `\n\n${ending}`}\n\n${attribution}\n${quote}`,
});
const forward = (language: string, written: string, header: string): WrittenReply => ({
  language,
  kind: 'forward',
  written,
  text: `${written}\n\n${header}\n\nfirst line\nsecond line\n`,
});

export const writtenReplies: readonly WrittenReply[] = [
  reply(
    'English',
    'yep works now, cheers for the quick fix - will ring if it dies again',
    'ta\nDave',
    'On Tue, 12 Mar 2024, 10:04 Acme Help, <help@acme.example> wrote:',
  ),
  reply(
    'German',
    'passt, dann nehm ich doch die blaue. geht das noch?',
    'LG Uli',
    'Am Di., 12. März 2024 um 10:04 Uhr schrieb Acme Hilfe <help@acme.example>:',
  ),
  reply(
    'French',
    'ok pour jeudi 14h, mais pas avant svp',
    'Bien à vous\nLéa',
    'Le mar. 12 mars 2024 à 10:04, Acme <help@acme.example> a écrit :',
  ),
  reply(
    'Spanish',
    'vale, me lo quedo. ¿cuándo llega?',
    'Un saludo\nPaco',
    'El mar, 12 mar 2024 a las 10:04, Acme (<help@acme.example>) escribió:',
  ),
  reply(
    'Portuguese',
    'então fica assim, podem mandar amanhã',
    'Abraço\nRui',
    'Acme <help@acme.example> escreveu (terça, 12/03/2024 à(s) 10:04):',
  ),
  reply(
    'Italian',
    'va benissimo, allora aspetto il corriere',
    'Ciao\nGigi',
    'Il giorno mar 12 mar 2024 alle ore 10:04 Acme <help@acme.example> ha scritto:',
  ),
  reply(
    'Dutch',
    'prima, doe maar die van 40 euro dan',
    'Groetjes\nJoost',
    'Op di 12 mrt 2024 om 10:04 schreef Acme <help@acme.example>:',
  ),
  reply(
    'Polish',
    'ok, biorę. kiedy wysyłka?',
    'Pozdr.\nKasia',
    'wt., 12 mar 2024 o 10:04 Acme <help@acme.example> napisał(a):',
  ),
  reply(
    'Swedish',
    'funkar fint, tack för hjälpen igår',
    'Mvh\nLasse',
    'Den tis 12 mars 2024 kl 10:04 skrev Acme <help@acme.example>:',
  ),
  reply(
    'Danish',
    'det er helt fint, send den bare',
    'Hilsen\nMette',
    'Den tirs. 12. mar. 2024 kl. 10.04 skrev Acme <help@acme.example>:',
  ),
  reply(
    'Norwegian',
    'supert, da venter jeg til fredag',
    'Hilsen\nOdd',
    'tir. 12. mar. 2024 kl. 10:04 skrev Acme <help@acme.example>:',
  ),
  reply(
    'Czech',
    'jasně, beru to. kdy to dorazí?',
    'Zdraví\nJirka',
    'út 12. 3. 2024 v 10:04 odesílatel Acme <help@acme.example> napsal:',
  ),
  reply(
    'Russian',
    'ок, тогда жду курьера завтра',
    'С уважением,\nЛена',
    'вт, 12 мар. 2024 г. в 10:04, Acme <help@acme.example>:',
  ),
  reply(
    'Chinese',
    '好的，明天再联系',
    '此致\n敬礼',
    'Acme <help@acme.example> 于2024年3月12日周二 10:04写道：',
  ),
  reply(
    'Japanese',
    '了解です。では金曜に伺います。',
    'よろしくお願いします。\n佐藤',
    '2024年3月12日(火) 10:04 Acme <help@acme.example>:',
  ),
  reply(
    'Hebrew',
    'סבבה, אז ניקח את הכחולה. מתי זה מגיע?',
    'תודה,\nדנה',
    '\u200fב-12 במרץ 2024, בשעה 10:04, \u200fAcme <help@acme.example> כתב:',
  ),
  reply(
    'Arabic',
    'تمام، نأخذ الزرقاء. متى يصل؟',
    'شكرا\nليلى',
    'في الثلاثاء، ١٢ مارس ٢٠٢٤ في ١٠:٠٤ ص Acme <help@acme.example> كتب:',
  ),
  reply(
    'Finnish',
    'joo otetaan se sininen. koska se tulee?',
    'Terkuin\nAnna',
    'ti 12. maalisk. 2024 klo 10.04 Acme (help@acme.example) kirjoitti:',
  ),
  reply(
    'Hungarian',
    'ok, akkor a kéket kérem. mikor jön?',
    'Köszi\nAnna',
    'Acme <help@acme.example> ezt írta (időpont: 2024. márc. 12., K, 10:04):',
  ),
  reply(
    'Korean',
    '네 파란색으로 할게요. 언제 오나요?',
    '감사합니다\n민수 드림',
    '2024년 3월 12일 (화) 오전 10:04, Acme <help@acme.example>님이 작성:',
  ),
  forward(
    'English',
    'any idea what this is?',
    '---------- Forwarded message ---------\nFrom: Acme <help@acme.example>\nDate: Tue, 12 Mar 2024, 10:04\nSubject: Invoice\nTo: <dave@b.example>',
  ),
  forward(
    'German',
    'kannst du da mal draufschauen?',
    '---------- Forwarded message ---------\nVon: Acme <help@acme.example>\nDate: Di., 12. März 2024, 10:04\nSubject: Rechnung\nTo: <uli@b.example>',
  ),
  forward(
    'French',
    'tu peux regarder ça stp ?',
    'De : Acme <help@acme.example>\nEnvoyé : mardi 12 mars 2024 10:04\nÀ : Léa <lea@b.example>\nObjet : Facture',
  ),
  forward(
    'Spanish',
    'échale un ojo cuando puedas',
    'De: Acme <help@acme.example>\nEnviado: martes, 12 de marzo de 2024 10:04\nPara: Paco <paco@b.example>\nAsunto: Factura',
  ),
  forward(
    'Portuguese',
    'vê isto por favor',
    '---------- Mensagem encaminhada ---------\nDe: Acme <help@acme.example>\nData: terça, 12/03/2024 à(s) 10:04\nAssunto: Fatura\nPara: <rui@b.example>',
  ),
  forward(
    'Italian',
    'guarda un po’ questa',
    'Inizio messaggio inoltrato:\n\nDa: Acme <help@acme.example>\nOggetto: Fattura\nData: 12 marzo 2024 alle ore 10:04:05 CET\nA: Gigi <gigi@b.example>',
  ),
  forward(
    'Dutch',
    'wat vind jij hiervan?',
    'Begin doorgestuurd bericht:\n\nVan: Acme <help@acme.example>\nOnderwerp: Factuur\nDatum: 12 maart 2024 om 10:04:05 CET\nAan: Joost <joost@b.example>',
  ),
  forward(
    'Polish',
    'zerkniesz na to?',
    'Od: Acme <help@acme.example>\nWysłano: wtorek, 12 marca 2024 10:04\nDo: Kasia <kasia@b.example>\nTemat: Faktura',
  ),
  forward(
    'Swedish',
    'kan du kolla på detta',
    'Från: Acme <help@acme.example>\nSkickat: den 12 mars 2024 10:04\nTill: Lasse <lasse@b.example>\nÄmne: Faktura',
  ),
  forward(
    'Danish',
    'vil du se på den her?',
    'Fra: Acme <help@acme.example>\nSendt: 12. marts 2024 10:04\nTil: Mette <mette@b.example>\nEmne: Faktura',
  ),
  forward(
    'Norwegian',
    'kan du ta en titt?',
    'Fra: Acme <help@acme.example>\nSendt: tirsdag 12. mars 2024 10:04\nTil: Odd <odd@b.example>\nEmne: Faktura',
  ),
  forward(
    'Czech',
    'koukni na to prosím',
    'Od: Acme <help@acme.example>\nOdesláno: úterý 12. března 2024 10:04\nKomu: Jirka <jirka@b.example>\nPředmět: Faktura',
  ),
  forward(
    'Russian',
    'глянь, пожалуйста',
    '-------- Пересылаемое сообщение --------\nОт: Acme <help@acme.example>\nДата: 12 марта 2024 г., 10:04\nКому: Лена <lena@b.example>\nТема: Счёт',
  ),
  forward(
    'Chinese',
    '帮我看一下这个',
    '---------- 转发的邮件 ----------\n发件人：Acme <help@acme.example>\n发送日期：2024年3月12日 10:04\n收件人：李 <li@b.example>\n主题：发票',
  ),
  forward(
    'Japanese',
    'これ、見てもらえますか',
    '---------- 転送されたメッセージ ----------\n差出人: Acme <help@acme.example>\n日付: 2024年3月12日(火) 10:04\n件名: 請求書\n宛先: 佐藤 <sato@b.example>',
  ),
  forward(
    'Hebrew',
    'תסתכלי על זה כשיש לך זמן',
    '\u200fמאת: Acme <help@acme.example>\n\u200fנשלח: יום שלישי 12 מרץ 2024 10:04\n\u200fאל: דנה <dana@b.example>\n\u200fנושא: חשבונית',
  ),
  forward(
    'Arabic',
    'ممكن تشوف هذا؟',
    'من: Acme <help@acme.example>\nتاريخ الإرسال: الثلاثاء، 12 مارس 2024 10:04 ص\nإلى: ليلى <layla@b.example>\nالموضوع: فاتورة',
  ),
  forward(
    'Finnish',
    'katotko tätä?',
    'Lähettäjä: Acme <help@acme.example>\nLähetetty: tiistai 12. maaliskuuta 2024 10.04\nVastaanottaja: Anna <anna@b.example>\nAihe: Lasku',
  ),
  forward(
    'Hungarian',
    'ránéznél erre?',
    'Feladó: Acme <help@acme.example>\nElküldve: 2024. március 12., kedd 10:04\nCímzett: Anna <anna@b.example>\nTárgy: Számla',
  ),
  forward(
    'Korean',
    '이것 좀 봐 줄래요?',
    '보낸 사람: Acme <help@acme.example>\n보낸 날짜: 2024년 3월 12일 화요일 오전 10:04\n받는 사람: 민수 <minsu@b.example>\n제목: 영수증',
  ),
];
