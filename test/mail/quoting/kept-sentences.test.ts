import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeHtml } from '../../../lib/mail/html/escape-html.ts';
import { stripHtml, stripText } from '../../../lib/mail/quoting/strip.ts';

interface Letter {
  readonly language: string;
  readonly greeting: string;
  readonly paragraphs: readonly string[];
  readonly closings: readonly string[];
  readonly name: string;
  readonly contact: string;
  readonly footer: string;
  /** What authors may add anywhere. */
  readonly sentences: readonly string[];
}

const letters: readonly Letter[] = [
  {
    language: 'English',
    greeting: 'Hi Joe,',
    paragraphs: ['The parcel arrived today.', 'The invoice is still missing.'],
    closings: ['Best regards,', 'Thanks,', 'Kind regards', 'Cheers,'],
    name: 'Anna Smith',
    contact: 'Sales Manager\nAcme Ltd\nT: +44 20 7946 0000',
    footer: 'Sent from my iPhone',
    sentences: [
      'Thanks for the info, please cancel my order 4711.',
      'Thank you so much for checking, I still need the blue one',
      'Many thanks in advance for sending it back to me.',
      'Please call me tomorrow',
      'Can you send it by Friday?',
      'I would like to return the jacket.',
      'The total on page two is wrong.',
    ],
  },
  {
    language: 'German',
    greeting: 'Hallo Frau Vogt,',
    paragraphs: ['Das Paket ist heute angekommen.', 'Die Rechnung fehlt noch.'],
    closings: ['Mit freundlichen Grüßen', 'Viele Grüße aus Berlin', 'Danke,', 'LG'],
    name: 'Anna Berger',
    contact: 'Vertrieb\nAcme GmbH\nTel.: +49 30 1234567',
    footer: 'Von meinem iPhone gesendet',
    sentences: [
      'Danke für die Info, bitte stornieren Sie die Bestellung 4711.',
      'Vielen Dank im Voraus für die Prüfung, wir brauchen das Teil.',
      'Bitte rufen Sie mich morgen an',
      'Können Sie das bis Freitag schicken?',
      'Ich möchte die Jacke zurückgeben.',
      'Die Summe auf Seite zwei ist falsch.',
    ],
  },
  {
    language: 'French',
    greeting: 'Bonjour Luc,',
    paragraphs: ['Le colis est arrivé aujourd’hui.', 'La facture manque encore.'],
    closings: ['Cordialement,', 'Bien à vous,', 'Merci,', 'Salutations'],
    name: 'Claire Dubois',
    contact: 'Responsable commerciale\nAcme SARL\nTél. : +33 1 23 45 67 89',
    footer: 'Envoyé de mon iPhone',
    sentences: [
      'Merci pour l’information, veuillez annuler ma commande 4711.',
      'Merci d’avance de me rappeler demain.',
      'Pouvez-vous l’envoyer avant vendredi ?',
      'Je voudrais retourner la veste.',
      'Le total de la page deux est faux.',
    ],
  },
  {
    language: 'Spanish',
    greeting: 'Hola Marta:',
    paragraphs: ['El paquete ha llegado hoy.', 'Todavía falta la factura.'],
    closings: ['Un saludo,', 'Atentamente,', 'Gracias,', 'Saludos cordiales'],
    name: 'Lucía Gómez',
    contact: 'Directora comercial\nAcme S.L.\nTel. +34 91 123 45 67',
    footer: 'Enviado desde mi iPhone',
    sentences: [
      'Gracias por la información, por favor cancelen mi pedido 4711.',
      'Muchas gracias de antemano por revisarlo mañana.',
      '¿Lo pueden enviar antes del viernes?',
      'Quisiera devolver la chaqueta.',
      'El total de la segunda página está mal.',
    ],
  },
  {
    language: 'Portuguese',
    greeting: 'Olá Rita,',
    paragraphs: ['A encomenda chegou hoje.', 'Ainda falta a fatura.'],
    closings: ['Atenciosamente,', 'Cumprimentos', 'Obrigada,', 'Abraços,'],
    name: 'Inês Ferreira',
    contact: 'Diretora comercial\nAcme Lda.\nTel. +351 21 123 4567',
    footer: 'Enviado do meu iPhone',
    sentences: [
      'Obrigada pela informação, por favor cancelem o pedido 4711.',
      'Desde já agradeço a verificação até sexta.',
      'Podem enviar até sexta-feira?',
      'Gostaria de devolver o casaco.',
      'O total da segunda página está errado.',
    ],
  },
  {
    language: 'Italian',
    greeting: 'Ciao Paolo,',
    paragraphs: ['Il pacco è arrivato oggi.', 'Manca ancora la fattura.'],
    closings: ['Cordiali saluti,', 'Distinti saluti', 'Grazie,', 'Un caro saluto'],
    name: 'Giulia Rossi',
    contact: 'Responsabile vendite\nAcme S.r.l.\nTel. +39 02 1234567',
    footer: 'Inviato da iPhone',
    sentences: [
      'Grazie per le informazioni, per favore annullate il mio ordine 4711.',
      'Grazie mille in anticipo per la verifica di domani.',
      'Potete spedirlo entro venerdì?',
      'Vorrei restituire la giacca.',
      'Il totale della seconda pagina è sbagliato.',
    ],
  },
  {
    language: 'Dutch',
    greeting: 'Hallo Kees,',
    paragraphs: ['Het pakket is vandaag aangekomen.', 'De factuur ontbreekt nog.'],
    closings: ['Met vriendelijke groet,', 'Groeten,', 'Alvast bedankt,', 'Mvg'],
    name: 'Sanne de Vries',
    contact: 'Hoofd verkoop\nAcme B.V.\nTel. +31 20 123 4567',
    footer: 'Verstuurd vanaf mijn iPhone',
    sentences: [
      'Bedankt voor de informatie, annuleer alstublieft bestelling 4711.',
      'Alvast hartelijk dank voor het nakijken morgen.',
      'Kunt u het voor vrijdag sturen?',
      'Ik wil de jas graag retourneren.',
      'Het totaal op pagina twee klopt niet.',
    ],
  },
  {
    language: 'Polish',
    greeting: 'Dzień dobry,',
    paragraphs: ['Paczka dotarła dzisiaj.', 'Nadal brakuje faktury.'],
    closings: ['Pozdrawiam,', 'Z poważaniem', 'Dziękuję,', 'Serdecznie pozdrawiam'],
    name: 'Zofia Nowak',
    contact: 'Dyrektor sprzedaży\nAcme Sp. z o.o.\ntel. +48 22 123 45 67',
    footer: 'Wysłane z iPhone’a',
    sentences: [
      'Dziękuję za informację, proszę anulować zamówienie 4711.',
      'Z góry dziękuję za sprawdzenie tego do jutra.',
      'Czy mogą Państwo wysłać to do piątku?',
      'Chciałabym zwrócić kurtkę.',
      'Suma na drugiej stronie jest błędna.',
    ],
  },
  {
    language: 'Swedish',
    greeting: 'Hej Lars,',
    paragraphs: ['Paketet kom idag.', 'Fakturan saknas fortfarande.'],
    closings: ['Med vänliga hälsningar', 'Mvh', 'Tack,', 'Hälsningar,'],
    name: 'Karin Lund',
    contact: 'Försäljningschef\nAcme AB\nTel: +46 8 123 456',
    footer: 'Skickat från min iPhone',
    sentences: [
      'Tack för informationen, vänligen avbeställ order 4711.',
      'Tack på förhand för att ni kollar detta imorgon.',
      'Kan ni skicka den före fredag?',
      'Jag vill lämna tillbaka jackan.',
      'Summan på sidan två är fel.',
    ],
  },
  {
    language: 'Danish',
    greeting: 'Hej Lone,',
    paragraphs: ['Pakken kom i dag.', 'Fakturaen mangler stadig.'],
    closings: ['Med venlig hilsen', 'Venlig hilsen,', 'Tak,', 'Mvh'],
    name: 'Freja Holm',
    contact: 'Salgschef\nAcme A/S\nTlf. +45 12 34 56 78',
    footer: 'Sendt fra min iPhone',
    sentences: [
      'Tak for informationen, annuller venligst ordre 4711.',
      'På forhånd tak for at tjekke det i morgen.',
      'Kan I sende den før fredag?',
      'Jeg vil gerne returnere jakken.',
      'Summen på side to er forkert.',
    ],
  },
  {
    language: 'Norwegian',
    greeting: 'Hei Kari,',
    paragraphs: ['Pakken kom i dag.', 'Fakturaen mangler fortsatt.'],
    closings: ['Med vennlig hilsen', 'Vennlig hilsen,', 'Takk,', 'Hilsen'],
    name: 'Ingrid Dahl',
    contact: 'Salgssjef\nAcme AS\nTlf. +47 22 12 34 56',
    footer: 'Sendt fra min iPhone',
    sentences: [
      'Takk for informasjonen, vennligst kanseller bestilling 4711.',
      'På forhånd takk for at dere sjekker dette i morgen.',
      'Kan dere sende den før fredag?',
      'Jeg ønsker å returnere jakken.',
      'Summen på side to er feil.',
    ],
  },
  {
    language: 'Czech',
    greeting: 'Dobrý den,',
    paragraphs: ['Balík dnes dorazil.', 'Faktura stále chybí.'],
    closings: ['S pozdravem', 'Děkuji,', 'S přátelským pozdravem,', 'Hezký den,'],
    name: 'Jana Nováková',
    contact: 'Vedoucí prodeje\nAcme s.r.o.\nTel.: +420 221 123 456',
    footer: 'Odesláno z iPhonu',
    sentences: [
      'Děkuji za informace, prosím zrušte objednávku 4711.',
      'Předem děkuji za kontrolu do zítřka.',
      'Můžete to poslat do pátku?',
      'Chtěla bych vrátit bundu.',
      'Součet na druhé straně je špatně.',
    ],
  },
  {
    language: 'Russian',
    greeting: 'Здравствуйте, Ольга!',
    paragraphs: ['Посылка пришла сегодня.', 'Счёта всё ещё нет.'],
    closings: ['С уважением,', 'Спасибо,', 'С наилучшими пожеланиями', 'Всего доброго,'],
    name: 'Анна Иванова',
    contact: 'Менеджер по продажам\nООО «Акме»\nтел. +7 495 123-45-67',
    footer: 'Отправлено с iPhone',
    sentences: [
      'Спасибо за информацию, пожалуйста, отмените заказ 4711.',
      'Заранее спасибо за проверку до завтра.',
      'Можете прислать это до пятницы?',
      'Я хочу вернуть куртку.',
      'Сумма на второй странице неверная.',
    ],
  },
  {
    language: 'Chinese',
    greeting: '您好，',
    paragraphs: ['包裹今天到了。', '发票还没有收到。'],
    closings: ['此致', '谢谢，', '祝好，', '顺祝商祺！'],
    name: '王芳',
    contact: '销售经理\n北京某某有限公司\n电话：010-12345678',
    footer: '发自我的 iPhone',
    sentences: [
      '谢谢您的信息，请取消我的订单4711。',
      '先谢谢您明天检查这个。',
      '可以在周五之前寄出吗？',
      '我想退回这件外套。',
      '第二页的总数是错的。',
    ],
  },
  {
    language: 'Japanese',
    greeting: '鈴木様',
    paragraphs: ['荷物は今日届きました。', '請求書がまだありません。'],
    closings: ['よろしくお願いいたします。', '敬具', '以上、よろしくお願いいたします。'],
    name: '山田太郎',
    contact: '営業部\n株式会社アクメ\nTEL: 03-1234-5678',
    footer: 'iPhoneから送信',
    sentences: [
      'ご連絡ありがとうございます、注文4711をキャンセルしてください。',
      '明日までにご確認をお願いできますか。',
      '金曜日までに送っていただけますか？',
      'ジャケットを返品したいです。',
      '二ページ目の合計が間違っています。',
    ],
  },
  {
    language: 'Hebrew',
    greeting: 'שלום יעל,',
    paragraphs: ['החבילה הגיעה היום.', 'החשבונית עדיין חסרה.'],
    closings: ['בברכה,', 'בתודה,', 'תודה רבה,', 'בכבוד רב,'],
    name: 'דנה כהן',
    contact: 'מנהלת מכירות\nאקמי בע"מ\nטל: 03-1234567',
    footer: 'נשלח מה-iPhone שלי',
    sentences: [
      'תודה על המידע, אנא בטלו את הזמנה 4711.',
      'אפשר לשלוח את זה עד יום שישי?',
      'אני רוצה להחזיר את המעיל',
      'הסכום בעמוד השני שגוי.',
      'אגיע מחר.',
    ],
  },
  {
    language: 'Arabic',
    greeting: 'مرحبا سارة،',
    paragraphs: ['وصل الطرد اليوم.', 'الفاتورة ما زالت ناقصة.'],
    closings: ['مع التحية،', 'تحياتي،', 'شكرا،', 'مع خالص التحية'],
    name: 'ليلى حسن',
    contact: 'مديرة المبيعات\nشركة أكمي\nهاتف: +966 11 123 4567',
    footer: 'مُرسل من الـ iPhone',
    sentences: [
      'شكرا على المعلومات، يرجى إلغاء الطلب 4711.',
      'هل يمكنكم إرساله قبل يوم الجمعة؟',
      'أريد إرجاع السترة',
      'المجموع في الصفحة الثانية خاطئ.',
      'سأصل غدا.',
    ],
  },
  {
    language: 'Finnish',
    greeting: 'Hei Liisa,',
    paragraphs: ['Paketti saapui tänään.', 'Lasku puuttuu vielä.'],
    closings: ['Ystävällisin terveisin', 'Terveisin,', 'Kiitos,', 'Parhain terveisin,'],
    name: 'Anna Virtanen',
    contact: 'Myyntipäällikkö\nAcme Oy\nPuh. +358 9 123 4567',
    footer: 'Lähetetty iPhonesta',
    sentences: [
      'Kiitos tiedosta, peruuttakaa tilaus 4711.',
      'Voitteko lähettää sen ennen perjantaita?',
      'Haluan palauttaa takin',
      'Toisen sivun summa on väärin.',
    ],
  },
  {
    language: 'Hungarian',
    greeting: 'Kedves Éva!',
    paragraphs: ['A csomag ma megérkezett.', 'A számla még hiányzik.'],
    closings: ['Üdvözlettel,', 'Tisztelettel:', 'Köszönöm,', 'Üdv'],
    name: 'Kovács Anna',
    contact: 'értékesítési vezető\nAcme Kft.\nTel.: +36 1 234 5678',
    footer: 'Elküldve az iPhone-omról',
    sentences: [
      'Köszönöm a tájékoztatást, kérem, töröljék a 4711-es rendelést.',
      'El tudnák küldeni péntekig?',
      'Szeretném visszaküldeni a kabátot',
      'A második oldalon az összeg hibás.',
    ],
  },
  {
    language: 'Korean',
    greeting: '안녕하세요,',
    paragraphs: ['소포가 오늘 도착했습니다.', '영수증이 아직 없습니다.'],
    closings: ['감사합니다.', '고맙습니다.', '좋은 하루 되세요.', '잘 부탁드립니다.'],
    name: '김민수',
    contact: '영업부 과장\n주식회사 아크메\n전화: 02-1234-5678',
    footer: '나의 iPhone에서 보냄',
    sentences: [
      '안내 감사합니다. 주문 4711을 취소해 주세요.',
      '금요일까지 보내 주실 수 있나요?',
      '재킷을 반품하고 싶어요',
      '두 번째 페이지의 합계가 틀렸습니다.',
    ],
  },
];

/** Paragraphs of a letter; every gap between their lines is a position for a sentence. */
function paragraphsOf(letter: Letter, closing: string, ending: number): string[] {
  const { greeting, paragraphs, name, contact, footer } = letter;
  const endings: readonly (readonly string[])[] = [
    [`${closing}\n${name}`],
    [closing, name],
    [`${closing}\n${name}`, footer],
    [closing, `${name}\n${contact}`],
    [`${closing}\n${name}\n${contact}`],
    [`${name}\n${contact}`],
    [`-- \n${name}\n${contact}`],
    [`${closing}\n${name}`, `-- \n${name}\n${contact}`, footer],
    [footer],
  ];
  return [greeting, ...paragraphs, ...(endings[ending % endings.length] ?? [])];
}

const anyCase = fc.record({
  letter: fc.constantFrom(...letters),
  closing: fc.nat(3),
  ending: fc.nat(8),
  sentence: fc.nat(6),
  position: fc.nat(20),
});

/** The letter with the sentence as a paragraph of its own, and the sentence. */
function withSentence({
  letter,
  closing,
  ending,
  sentence,
  position,
}: {
  letter: Letter;
  closing: number;
  ending: number;
  sentence: number;
  position: number;
}): { paragraphs: string[]; inserted: string } {
  const phrase = letter.closings[closing % letter.closings.length] ?? '';
  const paragraphs = paragraphsOf(letter, phrase, ending);
  const inserted = letter.sentences[sentence % letter.sentences.length] ?? '';
  paragraphs.splice(1 + (position % paragraphs.length), 0, inserted);
  return { paragraphs, inserted };
}

describe('stripText', () => {
  it('keeps a sentence when it is a paragraph anywhere in a letter, in every language', () => {
    fc.assert(
      fc.property(anyCase, (chosen) => {
        const { paragraphs, inserted } = withSentence(chosen);
        expect(stripText(paragraphs.join('\n\n')).stripped).toContain(inserted);
      }),
      { numRuns: 3000 },
    );
  });

  it('keeps a sentence when it is a line below a closing, in every language', () => {
    fc.assert(
      fc.property(anyCase, fc.boolean(), ({ letter, closing, sentence }, isBelowName) => {
        const inserted = letter.sentences[sentence % letter.sentences.length] ?? '';
        const phrase = letter.closings[closing % letter.closings.length] ?? '';
        const lines = isBelowName ? [phrase, letter.name, inserted] : [phrase, inserted, letter.name];
        const text = `${letter.greeting}\n\n${letter.paragraphs[0]}\n\n${lines.join('\n')}`;
        expect(stripText(text).stripped).toContain(inserted);
      }),
      { numRuns: 2000 },
    );
  });

  it('keeps every paragraph of the letter when a quote follows, in every language', () => {
    fc.assert(
      fc.property(anyCase, (chosen) => {
        const { paragraphs, inserted } = withSentence(chosen);
        const quote = 'On Tue, 12 Mar 2024 at 10:04, Joe Hart <joe@a.example> wrote:\n\n> When?';
        const { stripped } = stripText(`${paragraphs.join('\n\n')}\n\n${quote}`);
        for (const kept of [...chosen.letter.paragraphs, inserted]) expect(stripped).toContain(kept);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    [
      'thanks and a request',
      'Hi Joe,\n\nThanks for the info, please cancel my order 4711.\n\nBest regards,\nAnna',
      'Hi Joe,\n\nThanks for the info, please cancel my order 4711.',
    ],
    [
      'an address at the end of a sentence',
      'Hi,\n\nplease change the delivery address to\n\nJohn Smith\n12 Main Street\nSpringfield\nTel. 555-346-9947',
      'Hi,\n\nplease change the delivery address to\n\nJohn Smith\n12 Main Street\nSpringfield\nTel. 555-346-9947',
    ],
    [
      'an address after a sentence about it',
      'Please send it to my new address.\n\nJohn Smith\n12 Main Street\nTel. 555-346-9947',
      'Please send it to my new address.\n\nJohn Smith\n12 Main Street\nTel. 555-346-9947',
    ],
    ['thanks above a closing', 'It arrived.\n\nThanks!\n\nBest regards,\nAnna', 'It arrived.\n\nThanks!'],
    [
      'a request below contact data',
      'It arrived.\n\nBest regards,\nAnna\nT: +44 20 7946 0000\n\nPlease also send the invoice.',
      'It arrived.\n\nPlease also send the invoice.',
    ],
    [
      'words around an app footer',
      'It arrived.\n\nSent from my iPhone\n\nAnd the invoice came as well.',
      'It arrived.\n\nAnd the invoice came as well.',
    ],
  ])('keeps %s', (_what, text, stripped) => {
    expect(stripText(text).stripped).toBe(stripped);
  });
});

describe('stripHtml', () => {
  it('keeps a sentence when it is a paragraph anywhere in a letter, in every language', () => {
    fc.assert(
      fc.property(anyCase, fc.constantFrom('p', 'div'), (chosen, tag) => {
        const { paragraphs, inserted } = withSentence(chosen);
        const html = paragraphs
          .map((paragraph) => escapeHtml(paragraph).replaceAll('\n', '<br>'))
          .map((content) => (tag === 'p' ? `<p>${content}</p>` : `<div>${content}</div><div><br></div>`))
          .join('');
        const { strippedHtml, strippedText } = stripHtml(html);
        expect(strippedText).toContain(inserted);
        expect(strippedHtml).toContain(escapeHtml(inserted));
      }),
      { numRuns: 2000 },
    );
  });
});
