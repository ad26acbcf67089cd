import type { ReplyPhrases } from '../phrases.ts';

export const french: ReplyPhrases = {
  language: 'fr',
  title: 'French',
  authors: ['Claire Dubois', 'Jean-Pierre Martin'],
  senders: ['Luc Bernard', 'Élodie de la Tour'],
  greetings: ['Bonjour Luc,', 'Bonjour,', 'Madame, Monsieur,', 'Salut Élodie'],
  bodies: [
    'Merci pour l’information, veuillez annuler ma commande 4711.',
    'Merci beaucoup pour votre réponse rapide. Le colis est arrivé ce matin.\n\nPouvez-vous m’envoyer la facture ?',
    'Veuillez modifier l’adresse de livraison :\n\nClaire Dubois\n12 rue de la Paix\n75002 Paris\n\nJ’ai déménagé.',
    'Merci d’avance de vérifier, nous en avons besoin vendredi',
    'Oui, cela me convient.',
    'Merci et bonne journée à toute l’équipe qui nous a aidés.\n\nLe rendez-vous de lundi est maintenu.',
  ],
  closings: [
    'Cordialement,',
    'Bien cordialement',
    'Merci,',
    'Cordialement / Best regards',
    'Meilleures salutations',
    'Salutations de Lyon,',
    'Bien à vous,',
    'Bonne journée,',
  ],
  contacts: [
    'Responsable commerciale\nAcme SARL\nTél. : +33 1 23 45 67 89',
    'Acme SARL\n12 rue de la Paix, 75002 Paris\nwww.acme.example',
    'Service clients\nclaire@acme.example',
    'Directeur des ventes\n06 12 34 56 78',
  ],
  footers: [
    'Envoyé de mon iPhone',
    'Envoyé depuis mon appareil Galaxy',
    'Télécharger Outlook pour Android<https://aka.ms/AAb9ysg>',
    'Envoyé à partir de Courrier pour Windows',
    'Envoyé depuis l’application Mail Orange',
    'Envoyé de mon appareil Android avec K-9 Mail. Veuillez excuser ma brièveté.',
  ],
  quotes: [
    'Bonjour,\n\nvotre commande 4711 a été expédiée.\n\nL’équipe Acme',
    'Bonjour,\n\ncomment pouvons-nous vous aider ?\n\nCordialement,\nÉlodie',
  ],
  attributions: [
    ['Gmail', 'Le mar. 12 mars 2024 à 10:04, {name} <{address}> a écrit :'],
    ['Yahoo web', 'Le mardi 12 mars 2024 à 10:04:05 UTC+1, {name} <{address}> a écrit :'],
    ['Apple Mail', 'Le 12 mars 2024 à 10:04, {name} <{address}> a écrit :'],
    ['Thunderbird', 'Le 12/03/2024 à 10:04, {name} a écrit :'],
    ['ProtonMail', 'Le mardi 12 mars 2024 à 10:04, {name} <{address}> a écrit :'],
    ['K-9', 'Le 12 mars 2024 10:04:05 GMT+01:00, {name} <{address}> a écrit :'],
    ['Outlook', 'Le 12 mars 2024 10:04, « {name} » <{address}> a écrit :'],
    ['Orange', 'Le 12/03/2024 10h04, {name} <{address}> a écrit :'],
  ],
  headers: [
    [
      'Outlook',
      'De : {name} <{address}>\nEnvoyé : mardi 12 mars 2024 10:04\nÀ : Claire Dubois <claire@b.example>\nObjet : RE: Commande 4711',
    ],
    [
      'Outlook for Mac',
      'De : {name} <{address}>\nDate : mardi, 12 mars 2024 à 10:04\nÀ : Claire Dubois <claire@b.example>\nObjet : Re: Commande 4711',
    ],
    [
      'Outlook 2003',
      "-----Message d'origine-----\nDe : {name} [mailto:{address}]\nEnvoyé : mardi 12 mars 2024 10:04\nÀ : Claire Dubois\nObjet : Commande 4711",
    ],
    [
      'Samsung',
      '-------- Message d’origine --------De : {name} <{address}> Date : 12/03/2024  10:04  (GMT+01:00) À : claire@b.example Objet : Re: Commande 4711 ',
    ],
    [
      'Orange',
      '> Message du 12/03/24 10:04\n> De : "{name}" <{address}>\n> A : claire@b.example\n> Objet : Commande 4711',
    ],
  ],
  forwards: [
    [
      'Gmail',
      '---------- Forwarded message ---------\nDe : {name} <{address}>\nDate: mar. 12 mars 2024 à 10:04\nSubject: Commande 4711\nTo: <claire@b.example>',
    ],
    [
      'Apple Mail',
      'Début du message réexpédié :\n\nDe: {name} <{address}>\nObjet: Commande 4711\nDate: 12 mars 2024 à 10:04:05 UTC+1\nÀ: claire@b.example',
    ],
    [
      'Thunderbird',
      '-------- Message transféré --------\nSujet : \tCommande 4711\nDate : \tTue, 12 Mar 2024 10:04:05 +0100\nDe : \t{name} <{address}>\nPour : \tclaire@b.example',
    ],
    [
      'Yahoo web',
      '----- Message transmis ----- De : {name} <{address}>À : claire@b.example <claire@b.example>Envoyé : mardi 12 mars 2024 à 10:04:05 UTC+1Objet : Commande 4711',
    ],
  ],
};
