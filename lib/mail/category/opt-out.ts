/** Detection of replies that only ask to be unsubscribed. */

/** Opt-out phrases in lower case, without punctuation. */
const phrases: ReadonlySet<string> = new Set([
  // English
  'unsubscribe',
  'unsubscribe me',
  'please unsubscribe',
  'please unsubscribe me',
  'unsubscribe please',
  'stop',
  'stop please',
  'please stop',
  'stop emailing me',
  'please stop emailing me',
  'stop sending me emails',
  'remove',
  'remove me',
  'please remove me',
  'remove me from your list',
  'please remove me from your list',
  'remove me from this list',
  'please remove me from your mailing list',
  'take me off your list',
  'please take me off your list',
  'opt out',
  'optout',
  'opt me out',
  // German
  'abmelden',
  'bitte abmelden',
  'abbestellen',
  'bitte abbestellen',
  'newsletter abbestellen',
  'austragen',
  'bitte austragen',
  'stopp',
  // French
  'désabonner',
  'se désabonner',
  'désabonnez moi',
  'désinscrire',
  'désinscription',
  'me désinscrire',
  'arrêter',
  'arrêt',
  'arret',
  // Spanish
  'baja',
  'dar de baja',
  'darme de baja',
  'cancelar suscripción',
  'cancelar suscripcion',
  'desuscribir',
  'desuscribirme',
  // Portuguese
  'cancelar inscrição',
  'cancelar assinatura',
  'descadastrar',
  'remover',
  'parar',
  // Italian
  'cancellami',
  'cancellazione',
  'disiscrivi',
  'disiscrivimi',
  'annulla iscrizione',
  // Dutch
  'afmelden',
  'uitschrijven',
  'graag afmelden',
  // Polish
  'wypisz',
  'wypisz mnie',
  'rezygnuję',
  'zrezygnuj',
  // Swedish, Danish, Norwegian
  'avregistrera',
  'avsluta prenumeration',
  'avprenumerera',
  'afmeld',
  'afmeld mig',
  'avmeld',
  'meld meg av',
  'avslutt abonnement',
  'stoppa',
  // Czech
  'odhlásit',
  'odhlásit se',
  // Russian
  'отписаться',
  'отпишите меня',
  'отписка',
  'стоп',
  // Chinese, Japanese
  '退订',
  '退訂',
  '取消订阅',
  '取消訂閱',
  'td',
  '配信停止',
  '配信停止希望',
  '購読解除',
  '解除',
  '停止',
]);

/** A longer text says something else, too. */
const charactersMax = 80;

/** Whether `text`, without quotes and signature, is only an opt-out request. */
export function isOptOut(text: string): boolean {
  if (text.length > charactersMax) return false;
  const words = text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\p{P}\p{S}]/gu, ' ')
    .trim()
    .replace(/\s+/g, ' ');
  return phrases.has(words);
}
