/** Descriptions that rules and the queue share. */

export const ruleNameText = 'Shown with held emails; need not be unique.';
export const kindText =
  '`hours`: emails leave within hours of the week; `limit`: a number of emails leaves in a time; never changes.';
