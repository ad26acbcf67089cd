import { describe, expect, it } from 'vitest';
import { stripText } from '../../../lib/mail/quoting/strip.ts';

const answer = 'Tuesday at ten is fine, I will bring the drawings.';

/** Language and form, signature. */
const signatures: readonly (readonly [string, string])[] = [
  ['the delimiter of RFC 3676', '-- \nAnn Lee\nPlanning Office'],
  ['the delimiter without its blank', '--\nAnn'],
  ['a delimiter and a slogan', '-- \nHey there, this is my signature'],
  ['a delimiter twice', '--\n--\nRegards,\nAnn'],
  ['a closing above the delimiter', 'Best regards,\nAnn\n\n-- \nAnn Lee\nTel. +49 30 1234567'],
  [
    'a rule above contact data',
    '----------------\n\nAnn Lee\n\nPlanning Office\n\nt. 555-931-0702\n\nhttp://a.example/',
  ],
  ['ornaments around contact data', '☆━━━━━━━━━━━━☆\n佐藤花子\nE-mail: s@a.example'],
  ['alternating ornaments', '◆◇◆◇◆◇◆◇◆◇\n佐藤花子\nTEL 090-1234-5678'],
  ['underscores above contact data', '_______________________\nAnn Lee | Planning Office\nann@a.example'],
  ['a dash and a name', '-Ann Lee'],
  ['a dash and a lower-case name', '-ann'],
  ['an em dash and a name', '— Ann'],
  ['a slash and a name', '/Ann'],
  ['a slash and an initial', '/A'],
  ['closing, rule, name', 'Best regards - Ann\n____________\n\nAnn Lee\nPlanning Office'],
  [
    'closing above a linked image',
    'Kind regards\n\n![](https://a.example/files/0123456789/0123456789/0123456789/0123456789/0123456789/0123456789/0123456789/?name=logo.jpg)',
  ],
  ['a name, then contact data', 'Ann\n\nDr. Ann Lee\nTel: +44 20 7946 0000\nann@a.example'],
  ['farewell in English', 'Goodbye,\nAnn'],
  ['farewell in French', 'Au revoir,\n\nAnn'],
  ['farewell in Polish', 'Do widzenia,\n\nAnn'],
  ['farewell in Portuguese', 'Adeus,\n\nAnn'],
  ['farewell in Spanish', 'Hasta luego,\nAnn'],
  ['German without umlauts', 'Mit freundlichen Grussen\nAnn Lee'],
  ['Swedish without umlauts', 'Med vanliga halsningar\nAnn Lee'],
  ['Polish without diacritics', 'Z powazaniem\nAnn Lee'],
  ['a dash, a name, an address', '- Ann Lee\n\nann@a.example'],
  ['name and contact data', 'Ann Lee\nann@a.example\n(555) 346-9947\nwww.a.example'],
  ['name, company, telephone', 'Ann Lee\nLee & Sons\n555-531-7967'],
  ['name with a degree', 'Ann E. Lee, Ph.D.\nPresident\nLee Research\nann@a.example\nwww.a.example'],
  ['English', 'Best regards,\nAnn Lee'],
  ['English, thanks', 'Thanks!\nAnn'],
  ['English, thanks in advance', 'Thanks in advance for your help,\n\nAnn'],
  ['English, title and telephone', 'Kind regards,\n\nAnn Lee\nHead of Planning\nM: +44 20 7946 0000'],
  ['English, one line', 'Regards, Ann'],
  [
    'English, with a slogan',
    'Best regards,\nAnn Lee\nM: +44 20 7946 0000\nWe are moving to a new office in May.',
  ],
  ['English, no name', 'Kind regards'],
  ['English, cheers', 'Cheers,\nAnn'],
  ['German', 'Mit freundlichen Grüßen\n\nAnn Lee'],
  ['German, short', 'Viele Grüße\nAnn'],
  ['German, shorter', 'LG Ann'.replace(' ', '\n')],
  ['German and English', 'Mit freundlichen Grüßen / Best regards\n\nAnn Lee'],
  ['English and German', 'Kind regards | Mit freundlichen Grüßen\nAnn Lee'],
  ['German, from a place', 'Viele Grüße aus Berlin\nAnn'],
  ['German, with a name', 'LG Ann'],
  ['German, thanks and greeting', 'Vielen Dank und viele Grüße\nAnn Lee'],
  ['English, from a place', 'Best wishes from sunny London,\nAnn'],
  ['Spanish, from a place', 'Saludos desde Sevilla,\nAnn Lee'],
  ['Dutch, from a place', 'Groeten uit Utrecht,\nAnn'],
  ['Polish and English', 'Pozdrawiam / Best regards\nAnn Lee'],
  ['French', 'Cordialement,\n\nAnn Lee'],
  ['French, merci', 'Merci d’avance,\nAnn'],
  ['Spanish', 'Un saludo,\nAnn Lee'],
  ['Portuguese', 'Atenciosamente,\nAnn Lee'],
  ['Italian', 'Cordiali saluti\nAnn Lee'],
  ['Dutch', 'Met vriendelijke groet,\n\nAnn Lee'],
  ['Polish', 'Pozdrawiam serdecznie,\nAnn Lee'],
  ['Swedish', 'Med vänliga hälsningar\nAnn Lee'],
  ['Danish', 'Med venlig hilsen\n\nAnn Lee'],
  ['Norwegian', 'Med vennlig hilsen\nAnn Lee'],
  ['Czech', 'S pozdravem\nAnn Lee'],
  ['Russian', 'С уважением,\nАнна Ли'],
  ['Chinese', '此致\n敬礼\n李安'],
  ['Chinese, thanks', '谢谢！\n李安'],
  ['Japanese', 'よろしくお願いいたします。\n\n山田太郎'],
  ['Hebrew', 'בברכה,\nדנה כהן'],
  ['Arabic', 'مع خالص التحية،\nليلى حسن'],
  ['Finnish', 'Ystävällisin terveisin\nAnna Virtanen'],
  ['Hungarian', 'Üdvözlettel:\n\nKovács Anna'],
  ['Korean', '감사합니다.\n김민수 드림'],
];

/** Footers of mail apps. */
const appFooters: readonly (readonly [string, string])[] = [
  ['English, iPhone', 'Sent from my iPhone'],
  ['English, iPhone, excited', 'Sent from my iPhone!'],
  ['English, Android', 'Sent from my Samsung Galaxy smartphone.'],
  ['English, BlackBerry', 'Sent wirelessly from my BlackBerry device on the Bell network.'],
  ['English, Mail for Windows', 'Sent from Mail for Windows'],
  ['English, Outlook', 'Get Outlook for iOS<https://aka.ms/o0ukef>'],
  ['English, Yahoo', 'Sent from Yahoo Mail on Android'],
  ['English, Proton', 'Sent with Proton Mail secure email.'],
  ['English, name above', 'Ann Lee\nSent from my iPhone'],
  ['English, TypeApp', 'Get TypeApp for Android'],
  ['English, Wiko', 'Sent from my Wiko VIEW2'],
  ['English, K-9', 'Sent from my Android device with K-9 Mail. Please excuse my brevity.'],
  ['English, Samsung with a network', 'Sent via the Samsung Galaxy S9, an AT&T 5G smartphone'],
  ['German, Telekom', 'Gesendet mit der Telekom Mail App'],
  ['German, Samsung tablet', 'Von Samsung-Tablet gesendet'],
  ['Chinese, iPhone without a space', '发自我的iPhone'],
  ['Chinese, Huawei', '发自我的华为手机'],
  ['Russian, Outlook', 'Получить Outlook для iOS'],
  ['Czech, Outlook, imperative', 'Získejte Outlook pro iOS'],
  ['Japanese, Yahoo', 'Yahoo!メール アプリから送信'],
  ['German, iPhone', 'Von meinem iPhone gesendet'],
  ['German, Android', 'Gesendet von meinem Samsung Galaxy Smartphone'],
  ['German, Outlook', 'Gesendet von Outlook für iOS<https://aka.ms/o0ukef>'],
  ['German, WEB.DE', 'Diese Nachricht wurde von meinem Android Mobiltelefon mit WEB.DE Mail gesendet.'],
  ['French, iPhone', 'Envoyé de mon iPhone'],
  ['French, Outlook', 'Télécharger Outlook pour iOS'],
  ['French, BlackBerry', 'Envoyé sans fil par mon terminal mobile BlackBerry sur le réseau de Bell.'],
  ['Spanish, iPhone', 'Enviado desde mi iPhone'],
  ['Spanish, Outlook', 'Obtener Outlook para Android'],
  ['Portuguese, iPhone', 'Enviado do meu iPhone'],
  ['Portuguese, Outlook', 'Obter o Outlook para iOS'],
  ['Italian, iPhone', 'Inviato da iPhone'],
  ['Italian, Outlook', 'Ottieni Outlook per iOS'],
  ['Dutch, iPhone', 'Verstuurd vanaf mijn iPhone'],
  ['Dutch, Outlook', 'Outlook voor iOS downloaden'],
  ['Polish, iPhone', 'Wysłane z iPhone’a'],
  ['Polish, Outlook', 'Pobierz program Outlook dla systemu iOS'],
  ['Swedish, iPhone', 'Skickat från min iPhone'],
  ['Swedish, Outlook', 'Hämta Outlook för iOS'],
  ['Danish, iPhone', 'Sendt fra min iPhone'],
  ['Danish, Outlook', 'Hent Outlook til iOS'],
  ['Norwegian, iPhone', 'Sendt fra min iPhone'],
  ['Norwegian, Outlook', 'Skaff deg Outlook for iOS'],
  ['Czech, iPhone', 'Odesláno z iPhonu'],
  ['Czech, Outlook', 'Získat Outlook pro iOS'],
  ['Russian, iPhone', 'Отправлено с iPhone'],
  ['Russian, Mail.ru', 'Отправлено из мобильной Почты Mail.ru'],
  ['Russian, Yandex', 'Отправлено из мобильного приложения Яндекс Почты'],
  ['Chinese, iPhone', '发自我的 iPhone'],
  ['Chinese, traditional, iPhone', '從我的 iPhone 傳送'],
  ['Chinese, Outlook', '获取 Outlook for iOS'],
  ['Japanese, iPhone', 'iPhoneから送信'],
  ['Japanese, Outlook', 'Outlook for iOS を入手'],
  ['Hebrew, iPhone', 'נשלח מה-iPhone שלי'],
  ['Arabic, iPhone', 'مُرسل من الـ iPhone'],
  ['Finnish, iPhone', 'Lähetetty iPhonesta'],
  ['Hungarian, iPhone', 'Elküldve az iPhone-omról'],
  ['Korean, iPhone', '나의 iPhone에서 보냄'],
  ['Korean, Outlook', 'iOS용 Outlook 다운로드'],
];

const disclaimers: readonly (readonly [string, string])[] = [
  [
    'English',
    'This e-mail and any attachments are confidential and intended solely for the addressee. If you have received it by mistake, please delete it.',
  ],
  [
    'English, notice',
    'CONFIDENTIALITY NOTICE: The information contained in this message may be privileged.\nAny disclosure is prohibited.',
  ],
  [
    'English, with a heading',
    'Disclaimer\n\nThe information contained in this communication from the sender is confidential. It is intended solely for use by the recipient.',
  ],
  [
    'German',
    'Diese E-Mail enthält vertrauliche und/oder rechtlich geschützte Informationen. Bitte löschen Sie sie, wenn sie nicht für Sie ist.',
  ],
  [
    'French',
    'Ce message et ses pièces jointes sont confidentiels et destinés exclusivement à leur destinataire.',
  ],
  [
    'Spanish',
    'Este mensaje es confidencial y va dirigido exclusivamente a su destinatario. Si lo ha recibido por error, bórrelo.',
  ],
  [
    'Portuguese',
    'Esta mensagem é confidencial e destina-se exclusivamente ao seu destinatário. Se a recebeu por engano, apague-a.',
  ],
  [
    'Italian',
    'Questo messaggio è riservato ed è destinato esclusivamente al destinatario. Se lo avete ricevuto per errore, cancellatelo.',
  ],
  [
    'Dutch',
    'Dit bericht is vertrouwelijk en uitsluitend bestemd voor de geadresseerde. Verwijder het als het niet voor u is.',
  ],
  [
    'Polish',
    'Niniejsza wiadomość jest poufna i przeznaczona wyłącznie dla adresata. Jeśli nie jest dla Państwa, proszę ją usunąć.',
  ],
  [
    'Swedish',
    'Detta meddelande är konfidentiellt och avsett endast för mottagaren. Radera det om det inte är till dig. Sekretess gäller.',
  ],
  [
    'Danish',
    'Denne e-mail er fortrolig og udelukkende tiltænkt modtageren. Slet den, hvis den ikke er til dig.',
  ],
  [
    'Norwegian',
    'Denne e-posten er konfidensiell og kun beregnet på mottakeren. Slett den dersom den ikke er til deg.',
  ],
  [
    'Czech',
    'Tato zpráva je důvěrná a je určena výhradně adresátovi. Pokud vám nepatří, smažte ji prosím ihned.',
  ],
  [
    'Russian',
    'Данное сообщение является конфиденциальным и предназначено исключительно для адресата. Если оно не для вас, удалите его.',
  ],
  [
    'Chinese',
    '本邮件及其附件含有保密信息，仅供发送给上述收件人使用。禁止任何其他人以任何形式使用本邮件中的信息。如果您错收了本邮件，请您立即通知发件人并删除本邮件，谢谢。',
  ],
  [
    'Japanese',
    '本メールには機密情報が含まれている場合があります。宛先に心当たりのない方は、お手数ですが送信者にご連絡のうえ、本メールを削除してくださいますようお願いいたします。',
  ],
  ['Hebrew', 'הודעה זו והקבצים המצורפים לה הם סודיים ומיועדים לנמען בלבד. אם קיבלתם אותה בטעות, מחקו אותה.'],
  ['Arabic', 'هذه الرسالة ومرفقاتها سرية ومخصصة للمستلم المقصود فقط. إذا وصلتك بطريق الخطأ فاحذفها.'],
  [
    'Finnish',
    'Tämä viesti on luottamuksellinen ja tarkoitettu ainoastaan vastaanottajalle. Poistakaa se, jos se ei ole teille.',
  ],
  ['Hungarian', 'Ez az üzenet bizalmas, és kizárólag a címzettnek szól. Ha nem Önnek szól, törölje.'],
  [
    'Korean',
    '본 메일은 기밀 정보를 포함하고 있으며 지정된 수신인만을 위한 것입니다. 잘못 받으신 경우 삭제해 주시기 바랍니다.',
  ],
];

describe('stripText', () => {
  it.each([...signatures, ...appFooters, ...disclaimers])(
    'removes a signature at the end: %s',
    (_what, signature) => {
      expect(stripText(`${answer}\n\n${signature}\n`)).toEqual({
        segments: [
          { kind: 'written', text: answer },
          { kind: 'signature', text: signature },
        ],
        stripped: answer,
      });
    },
  );

  it.each([...signatures, ...appFooters, ...disclaimers])(
    'finds a signature above a quote: %s',
    (_what, signature) => {
      const quote = 'On 12 Mar 2024, at 10:04, Bob <bob@b.example> wrote:\n\n> When shall we meet?';
      expect(stripText(`${answer}\n\n${signature}\n\n${quote}`).segments).toEqual([
        { kind: 'written', text: answer },
        { kind: 'signature', text: signature },
        { kind: 'quoted', text: quote },
      ]);
    },
  );

  it('joins closing, signature, app footer and disclaimer into one signature', () => {
    const signature = [
      'Best regards,\nAnn',
      '-- \nAnn Lee\nPlanning',
      'Sent from my iPhone',
      disclaimers[0]?.[1],
    ].join('\n\n');
    expect(stripText(`${answer}\n\n${signature}`).stripped).toBe(answer);
  });

  it.each([
    [
      'Google Groups',
      '-- \nYou received this message because you are subscribed to the Google Groups "Plans" group.\nTo unsubscribe from this group, send an email to plans+unsubscribe@g.example.',
    ],
    [
      'Mailman',
      '_______________________________________________\nplans mailing list\nplans@lists.a.example\nhttp://lists.a.example/mailman/listinfo/plans',
    ],
    ['GitHub', '—\nReply to this email directly or view it on GitHub:\nhttps://git.example/plans/issues/29'],
  ])('removes the footer of a mailing list: %s', (_list, footer) => {
    expect(stripText(`${answer}\n\n${footer}\n`).stripped).toBe(answer);
  });

  it.each([
    ['German', 'Sitz der Gesellschaft: Berlin, HRB 1234, Geschäftsführer: Max Lee'],
    ['German, in lines', 'Geschäftsführerin: Eva Lee\nAmtsgericht Berlin, HRB 1234 B'],
    ['French', 'SARL au capital de 10 000 € - RCS Paris 123 456 789 - Siège social : 1 rue Haute, Paris'],
    ['Polish', 'NIP: 123-456-78-90, KRS: 0000123456, Sąd Rejonowy dla m.st. Warszawy'],
    ['Italian', 'Sede legale: Via Roma 1, Milano - P. IVA 01234567890'],
  ])('removes the registration of a company below contact data: %s', (_language, registration) => {
    const signature = 'Best regards,\nAnn Lee\nTel. +49 30 1234567';
    expect(stripText(`${answer}\n\n${signature}\n\n${registration}`).stripped).toBe(answer);
    expect(stripText(`${answer}\n\n${signature}\n\n${registration}\n\nThanks, yes!`).stripped).toContain(
      'yes',
    );
  });

  it.each([
    'Our new data: HRB 1234, Geschäftsführer: Max Lee',
    'Bitte ändern Sie in der Rechnung: HRB 1234, Geschäftsführer: Max Lee',
    'The VAT number is DE123456789.',
  ])('keeps what an author says of a registration: %s', (words) => {
    expect(
      stripText(`${answer}\n\nBest regards,\nAnn Lee\nTel. +49 30 1234567\n\n${words}`).stripped,
    ).toContain(words);
    expect(stripText(`${answer}\n\nHRB 1234, Geschäftsführer: Max Lee`).stripped).toContain('HRB');
  });

  it('removes a box of ornaments around contact data', () => {
    const rule = '◆◇◆◇◆◇◆◇◆◇';
    expect(stripText(`${answer}\n\n${rule}\n佐藤花子\nTEL 090-1234-5678\n${rule}`).stripped).toBe(answer);
  });

  it('keeps a rating in stars', () => {
    for (const stars of ['★★★★☆', '☆☆☆☆☆']) {
      expect(stripText(`${answer}\n\n${stars}`).stripped).toBe(`${answer}\n\n${stars}`);
    }
  });

  it('keeps a postscript below the signature', () => {
    expect(stripText(`${answer}\n\nBest,\nAnn\n\nPS: Bring the key, please.`).stripped).toBe(
      `${answer}\n\nPS: Bring the key, please.`,
    );
  });

  it.each([
    'PS: key',
    'P.S. key',
    'PPS key',
    'Nachtrag: Schlüssel',
    'Post-scriptum : la clé',
    'P.D.: la llave',
    'Posdata: la llave',
    'Obs.: a chave',
    'N.B.: la chiave',
    'NB: sleutel',
    'Dopisek: klucz',
    'Tillägg: nyckel',
    'Efterskrift: nøgle',
    'Etterskrift: nøkkel',
    'Dodatek: klíč',
    'З.Ы. ключ',
    'П.С. ключ',
    'зы ключ',
    '附：合同',
    '又及：合同',
    '追伸 鍵',
    'נ.ב. המפתח',
    'ملاحظة: المفتاح',
    'J.K. avain',
    'U.i.: kulcs',
    '추신: 열쇠',
  ])(
    'keeps a postscript and removes the signature above it, in the same paragraph or not: %s',
    (postscript) => {
      for (const gap of ['\n', '\n\n']) {
        expect(stripText(`${answer}\n\nBest regards,\nAnn${gap}${postscript}`).stripped).toBe(
          `${answer}\n\n${postscript}`,
        );
      }
      expect(stripText(`${answer}\n\n-- \nAnn Lee\nTel. +49 30 1234567\n\n${postscript}`).stripped).toBe(
        `${answer}\n\n${postscript}`,
      );
    },
  );

  it.each([
    ['numbered answers', '1. yes\n2. no'],
    ['numbered answers on one line', '1. yes 2. no'],
    ['answers to numbered questions', 'zu 1: ja\nzu 2: nein'],
    ['bullets', '- blue\n- size 42'],
    ['one word that answers', 'Yes'],
    ['one word', 'tomorrow'],
    ['a fragment', 'Also send the manual'],
    ['a question', 'and the key?'],
    ['English address', 'New address: 5 Main Street, Springfield'],
    ['German address', 'Neue Adresse: Hauptstr. 5, 12345 Berlin'],
    ['French address', 'Nouvelle adresse : 5 rue Haute, 75001 Paris'],
    ['Spanish address', 'Mi dirección: Calle Mayor 5, 28013 Madrid'],
    ['Portuguese address', 'Nova morada: Rua Direita 5, Lisboa'],
    ['Italian address', 'Nuovo indirizzo: Via Roma 5, Milano'],
    ['Dutch address', 'Nieuw adres: Hoofdstraat 5, Utrecht'],
    ['Polish address', 'Nowy adres: ul. Długa 5, Warszawa'],
    ['Swedish address', 'Ny adress: Storgatan 5, Lund'],
    ['Danish address', 'Ny adresse: Storgade 5, Aarhus'],
    ['Norwegian address', 'Leveringsadresse: Storgata 5, Oslo'],
    ['Czech address', 'Nová adresa: Dlouhá 5, Praha'],
    ['Russian address', 'Новый адрес: ул. Ленина 5, Москва'],
    ['Chinese address', '新地址：北京市朝阳区1号'],
    ['Japanese address', '新住所：東京都千代田区1-2'],
    ['Hebrew address', 'כתובת חדשה: הרצל 5, תל אביב'],
    ['Arabic address', 'العنوان الجديد: شارع الملك 5'],
    ['Finnish address', 'Uusi osoite: Katu 5, Helsinki'],
    ['Hungarian address', 'Új cím: Fő utca 5, Budapest'],
    ['Korean address', '새 주소: 서울시 강남구 5'],
  ])('keeps what answers below a closing and a name: %s', (_what, addition) => {
    for (const signature of ['Best regards,\nAnn Lee', 'Thanks,\nAnn Lee\nT: +44 20 7946 0000']) {
      expect(stripText(`${answer}\n\n${signature}\n\n${addition}`).stripped).toContain(addition);
    }
  });

  it.each([
    [
      'a floor',
      'Mit freundlichen Grüßen\nAnna Berger\nHauptstr. 5\n1. OG\n12345 Berlin\nTel. +49 30 1234567',
    ],
    ['a title', 'Mit freundlichen Grüßen\nPD Dr. med. Anna Berger\nTel. +49 30 1234567'],
    ['a province', 'Best regards,\nAnn Lee\n12 Main St\nMoncton, NB E1C 1A1\nT: 506-555-0100'],
  ])('removes a signature when a row resembles an answer: %s', (_what, signature) => {
    expect(stripText(`${answer}\n\n${signature}`).stripped).toBe(answer);
  });

  it.each([
    ['a closing phrase alone', 'Thanks!'],
    ['a closing and a name', 'Thanks,\nAnn'],
    ['best regards and nothing else', 'Best regards,\nAnn'],
    ['a name', 'Ann'],
    ['thanks at the end', 'I have got it.\n\nThanks!'],
    ['thanks to someone', 'I have got it. Thanks, Bob!'],
    [
      'a sentence that begins like a footer',
      'Here is another email\n\nSent from my desk, is much easier then my mobile phone.',
    ],
    ['a fancy footer that may be a sentence', 'I get it as well.\n\nSent from a magnificent torch of pixels'],
    [
      'a delimiter inside a line',
      'Stuff happened.\n\nAnd here is a fix -- this is not a signature.\n\nkthxbai',
    ],
    ['arrows of dashes', 'Look at this:\n\n--> one\n--> two'],
    ['a list with dashes', 'We need:\n\n- pizza\n- Bread\n- Wine'],
    ['a list of one', 'We need:\n\n- Bread'],
    ['asked-for contact data', 'Here you are:\n\nAnn Lee\nann@a.example\n555-346-9947'],
    [
      'a rule between paragraphs',
      'The first part is about the house and its roof.\n\n----\n\nThe second part is about the garden, which is large.',
    ],
    ['a name that answers', 'The capital?\n\nNew York'],
    ['a remark on confidence', 'Please treat this as confidential.'],
    ['an order to unsubscribe', 'Hi,\nUnsubscribe me from this list.'],
    ['a suggestion that begins like an app’s footer', 'That is old.\n\nGet Windows 11 first.'],
    ['a German sentence about a telephone', 'Ich rufe an.\n\nVon meinem Handy aus geht es.'],
    ['an item with a dash', 'Please bring\n- Eggs'],
    ['a path', 'The file is in this folder.\n\n/etc'],
    ['a path and a command', 'The file is in this folder.\n\n/Users/ann'],
    ['an item of a list', 'Please bring\n\n-Bread\n-Butter'],
    ['contact data of others', 'It should go to these people\n\nAnn Lee\nann@a.example\nwww.a.example'],
    ['a farewell and a sentence', 'Goodbye,\n\nthat is what she said to all of us.'],
    ['a link and a question', 'Is this the page?\n\nhttps://a.example/a-page-with-a-rather-long-name'],
    ['a heading with a line below it', 'Agenda\n------\nBudget Review'],
    ['thanks and two words', 'I got it.\n\nThanks!\nWill do'],
    ['thanks and a Chinese sentence', '收到。\n\n谢谢！\n我知道了'],
    [
      'a sentence on a message',
      'Hello Bob,\n\nthis message is for the whole team, so that nobody misses the meeting on Tuesday.',
    ],
    [
      'a paragraph after the closing',
      'I got it.\n\nRegards,\nAnn\n\nCan you send me the other file as well?',
    ],
  ])('keeps text that resembles a signature: %s', (_what, text) => {
    expect(stripText(text)).toEqual({ segments: [{ kind: 'written', text }], stripped: text });
  });

  it('recognises contact data when it is below a list without a full stop', () => {
    const data =
      'Ann Lee\nPlanning Office\nTel: +44 20 7946 0000\nFax: +44 20 7946 0001\nann@a.example\nwww.a.example';
    expect(stripText(`I need\n\n- the drawings\n- the key\n\n${data}`).stripped).toBe(
      'I need\n\n- the drawings\n- the key',
    );
    expect(stripText(`I need\n\n- the drawings\n- the key\n\n-Ann`).stripped).toBe(
      'I need\n\n- the drawings\n- the key',
    );
  });

  it.each([
    'CAUTION: This email originated from outside of the organization. Do not click links or open attachments unless you recognize the sender.',
    '[EXTERNAL]: This message is from an external sender.\nBe careful before you open attachments or links.',
    'ACHTUNG: Diese E-Mail stammt von einem externen Absender. Bitte keine Links anklicken und keine Anhänge öffnen.',
    'Attention : ce message provient d’un expéditeur externe. Ne cliquez pas sur les liens et n’ouvrez pas les pièces jointes.',
    'Este correo se envió desde fuera de la organización. No abra enlaces ni adjuntos.',
    'Esta mensagem foi enviada de fora da organização. Não abra ligações nem anexos.',
    'Questa e-mail proviene da un mittente esterno. Non aprire allegati.',
    'Deze e-mail komt van buiten de organisatie. Klik niet op links.',
    'Ta wiadomość pochodzi spoza organizacji. Nie otwieraj załączników.',
    'Detta meddelande kommer utifrån. Öppna inte länkar eller bifogade filer.',
    'Denne mail er sendt udefra. Åbn ikke vedhæftede filer.',
    'Denne meldingen kommer utenfra. Ikke åpne lenker eller vedlegg.',
    'Tato zpráva přišla zvenčí. Neotvírejte přílohy ani odkazy.',
    'Это письмо от внешнего отправителя. Не открывайте вложения.',
    '此邮件来自组织外部。请勿点击链接或打开附件，除非您认识发件人。',
    'このメールは外部から送信されました。リンクや添付ファイルにご注意ください。',
    'הודעה זו הגיעה מחוץ לארגון. אין לפתוח קבצים או קישורים.',
    'هذه الرسالة من خارج المؤسسة. لا تفتح الروابط أو المرفقات.',
    'Tämä viesti tuli organisaation ulkopuolelta. Älä avaa linkkejä tai liitteitä.',
    'Ez az e-mail külső feladótól érkezett. Ne nyisson meg mellékletet.',
    '이 메일은 외부에서 발송되었습니다. 링크나 첨부 파일을 열지 마십시오.',
    '[EXTERNAL]',
    'You don’t often get email from ann@a.example. Learn why this is important<https://aka.ms/LearnAboutSenderIdentification>',
    'Sie erhalten nicht häufig E-Mails von ann@a.example. Erfahren Sie, warum dies wichtig ist',
    'Xyzzy ann@a.example. Plugh<https://aka.ms/LearnAboutSenderIdentification>',
  ])('counts the warning of a mail gateway as signature when it is above the letter: %s', (banner) => {
    expect(stripText(`${banner}\n\n${answer}\n\nRegards,\nAnn`)).toEqual({
      segments: [
        { kind: 'signature', text: banner },
        { kind: 'written', text: answer },
        { kind: 'signature', text: 'Regards,\nAnn' },
      ],
      stripped: answer,
    });
  });

  it.each([
    'The external link in your email does not work: I cannot click it.',
    'This email is for the external auditors. Please do not forget the attachment.',
    'Please tell me if your message was sent to people outside.',
    'You don’t often get email from me. bob@x.example is my other address.',
    'この添付ファイルを開けません。',
    'The file from the external sender will not open, it says.',
  ])('keeps a first paragraph when it only resembles such a warning: %s', (opening) => {
    const text = `${opening}\n\n${answer}`;
    expect(stripText(text).stripped).toBe(text);
  });

  it('keeps the letter when it follows the warning of a mail gateway without a blank line', () => {
    const banner =
      'CAUTION: This email originated from outside of the organization. Do not\nclick links or open attachments.';
    expect(stripText(`${banner}\n${answer}\nThank you for the drawings.`).stripped).toBe(
      `${answer}\nThank you for the drawings.`,
    );
  });

  it('removes the warning of a mail gateway when the letter is long', () => {
    const letter = Array.from({ length: 120 }, (_, line) => `The house has ${line} doors.`).join('\n');
    const banner = '[EXTERNAL] This message is from outside the company. Do not click links.';
    expect(stripText(`${banner}\n\n${letter}`).stripped).toBe(letter);
  });

  it('keeps the warning of a mail gateway when nothing is below it', () => {
    const text = 'CAUTION: This email is from an external sender. Do not click links.';
    expect(stripText(text).stripped).toBe(text);
  });

  it('keeps a closing phrase inside the letter', () => {
    const text = 'Thanks,\n\nthat is all I wanted to know about the house.\n\nregards\n\nAnn Lee';
    expect(stripText(text).stripped).toBe('Thanks,\n\nthat is all I wanted to know about the house.');
  });

  it('returns the whole text when it is only a signature', () => {
    expect(stripText('-- \nAnn').stripped).toBe('-- \nAnn');
    expect(stripText('Sent from my iPhone').stripped).toBe('Sent from my iPhone');
  });
});
