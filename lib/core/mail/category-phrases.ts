/** Phrases of automatic mail by language, for messages whose headers do not reveal the category. */

/** What automatic replies write before the subject that they answer, as sources of expressions. */
export const autoReplyPhrases = [
  'auto[- ]?(?:reply|response|matic reply|matic response)',
  'out of (?:the )?office',
  'abwesenheits(?:notiz|meldung)',
  'absence du bureau',
  'fuera de la oficina',
  'fuori sede',
  'afwezigheidsbericht',
  'automatische antwort',
  'automatisch antwoord',
  'automatiskt? svar',
  'autosvar',
  'réponse automatique',
  'respuesta automática',
  'resposta automática',
  'risposta automatica',
  'odpowied[zź] automatyczna',
  'automatická odpověď',
  'автоответ',
  'автоматический ответ',
  '自動(?:返信|応答|回覆)',
  '自动(?:回复|答复)',
] as const;

/** Subject prefixes of automatic replies. */
export const autoReplySubject = startsWith(autoReplyPhrases);

/** Subject prefixes of delivery failures. */
export const bounceSubject = startsWith([
  'undeliver(?:able|ed)',
  'e-?mail (?:delivery|could not be delivered|not delivered|undeliverable|failure|error)',
  '(?:delivery|transmission) (?:problem|error|incomplete|delayed|was not|could not)',
  '(?:error|failure|problem) (?:sending|delivering)',
  'mail (?:error|system error)',
  'could not (?:send|deliver)',
  '(?:warning: )?could not send message',
  'delivery (?:status|notification|failure|failed|has failed|report)',
  '(?:mail|message) (?:delivery|system error|failure|undeliverable|could not be delivered|not delivered)',
  'message delivery has failed',
  'returned mail',
  'return(?:ed|ing) to sender',
  'fail(?:ure|ed) (?:notice|delivery)',
  'unzustellbar',
  'nicht zustellbar',
  'non remis',
  'échec de (?:la )?(?:remise|livraison)',
  'no se puede entregar',
  'não é possível entregar',
  'impossibile recapitare',
  'onbestelbaar',
  'nedoručitelné',
  'niedostarczon\\p{L}*',
  'не удается доставить',
  '(?:配信不能|配送不能|メールエラー|退信)',
]);

/** Phrases by which mail servers report a failure without a known subject. */
export const failureText = anyOf([
  'did not reach the following recipients?',
  '(?:could not|cannot|can.t|was not|were not|not|unable to) be(?:en)? delivered',
  '(?:was|were) not delivered',
  '(?:delivery|sending)[^.\\n]{0,60} (?:has )?failed(?: permanently)?',
  'unable to deliver',
  'undeliverable',
  'returned (?:mail|to sender)',
  '(?:no such|unknown) user',
  'user unknown',
  'invalid user address',
  'permanent (?:fatal )?errors?',
  'konnte nicht zugestellt werden',
  'n.a pas pu être (?:remis|distribué)',
  'no se ha podido entregar',
  'non è stato possibile (?:recapitare|consegnare)',
]);

/** Phrases of out-of-office replies, in the subject or the first lines. */
export const absence = anyOf([
  'out of (?:the |my )?office',
  'ooo',
  'on (?:annual |parental |maternity |paternity |sick |medical )?leave',
  'on (?:vacation|holidays?)',
  'away (?:until|from (?:my|the) (?:office|desk|email))',
  'abwesen(?:d|heit\\p{L}*)',
  'nicht im (?:büro|hause?)',
  'im urlaub',
  'absente? du bureau',
  'absence du bureau',
  'en congés?',
  'en vacances',
  'fuera de (?:la )?oficina',
  'ausente de la oficina',
  'de vacaciones',
  'fora do escritório',
  'ausência temporária',
  'de férias',
  'fuori (?:sede|ufficio)',
  'assente dall.ufficio',
  'in ferie',
  'afwezig(?:heid)?',
  'niet op kantoor',
  'met vakantie',
  'poza biurem',
  'nieobecno[sś][cć]',
  'na urlopie',
  'frånvarande',
  'inte på kontoret',
  'på semester',
  'fraværende',
  'ikke på kontoret',
  'på ferie',
  'mimo kancelář',
  'na dovolené',
  'в отпуске',
  'отсутству(?:ю|ет)',
  '(?:外出|休假|不在)',
  '(?:休暇|不在にして|お休み)',
]);

/** Phrases of messages that carry a verification code or link. */
export const verification = anyOf([
  '(?:verification|confirmation|security|access|login|log-in|sign-in|one-time|authentication) ?(?:pass)?code',
  'one[- ]time (?:password|pin|link)',
  '(?:verify|confirm|validate) your (?:e-?mail|account|address|identity|sign-?up)',
  '(?:reset|change) your password',
  'password reset',
  'magic link',
  'your (?:login|sign-in) link',
  '(?:bestätigungs|verifizierungs|sicherheits|anmelde)code',
  'e-mail-adresse bestätigen',
  'code de (?:vérification|confirmation|sécurité)',
  'confirmez votre (?:adresse|e-?mail|compte)',
  'código de (?:verificación|confirmación|seguridad|verificação|confirmação|segurança)',
  'codice di (?:verifica|conferma|sicurezza)',
  'verificatiecode',
  'kod (?:weryfikacyjny|potwierdzający)',
  'verifieringskod',
  'bekræftelseskode',
  'bekreftelseskode',
  'ověřovací kód',
  'код (?:подтверждения|проверки)',
  '(?:認証|確認)コード',
  '(?:验证码|校验码)',
]);

/** Subjects about a purchase, booking or payment of the recipient. */
export const transaction = anyOf([
  'receipt',
  'invoice',
  'order (?:confirm\\p{L}*|no|number|#|update|status)',
  'your (?:order|purchase|payment|booking|reservation|refund|delivery|shipment|ticket|subscription)',
  'payment (?:received|confirm\\p{L}*|failed|due)',
  '(?:has|have) (?:been )?(?:shipped|dispatched)',
  'rechnung',
  'bestell(?:ung|bestätigung)',
  'zahlung',
  'buchung\\p{L}*',
  'versand\\p{L}*',
  'facture',
  'reçu',
  'commande',
  'réservation',
  'factura',
  'pedido',
  'reserva',
  'recibo',
  'fatura',
  'fattura',
  'ordine',
  'prenotazione',
  'factuur',
  'bestelling',
  'faktura',
  'zamówieni\\p{L}*',
  'kvitto',
  'kvittering',
  'objednávk\\p{L}*',
  '(?:счёт|счет|заказ\\p{L}*)',
  '(?:领収書|領収書|請求書|ご注文)',
  '(?:订单|发票|收据)',
]);

function startsWith(phrases: readonly string[]): RegExp {
  return new RegExp(
    `^\\s*(?:\\[[^\\]\\n]{1,40}\\]\\s{0,5}|\\*{1,10}\\s{0,5}){0,3}\\[?(?:${phrases.join('|')})`,
    'iu',
  );
}

/** Any of the phrases as whole words. Only Latin and Cyrillic have word boundaries here. */
function anyOf(phrases: readonly string[]): RegExp {
  return new RegExp(
    `(?<![\\p{Script=Latin}\\p{Script=Cyrillic}])(?:${phrases.join('|')})(?![\\p{Script=Latin}\\p{Script=Cyrillic}])`,
    'iu',
  );
}
