import type { ReplyPhrases } from '../phrases.ts';

export const spanish: ReplyPhrases = {
  language: 'es',
  title: 'Spanish',
  authors: ['Lucía Gómez', 'Javier Ruiz'],
  senders: ['Marta López', 'Pedro de la Cruz'],
  greetings: ['Hola Marta:', 'Buenos días,', 'Estimados señores:', 'Hola'],
  bodies: [
    'Gracias por la información, por favor cancelen mi pedido 4711.',
    'Muchas gracias por su rápida respuesta. El paquete ha llegado hoy.\n\n¿Me pueden enviar la factura?',
    'Por favor cambien la dirección de entrega a\n\nLucía Gómez\nCalle Mayor 12\n28013 Madrid\n\nporque me he mudado.',
    'Gracias de antemano por revisarlo, lo necesitamos para el viernes',
    'Sí, de acuerdo.',
    'Saludos también a Carmen, que nos ayudó mucho.\n\nLa cita del lunes se mantiene.',
  ],
  closings: [
    'Un saludo,',
    'Saludos cordiales',
    'Muchas gracias y un saludo,',
    'Atentamente,',
    'Saludos desde Sevilla,',
    'Gracias y saludos',
    'Un cordial saludo / Kind regards',
    'Gracias,',
  ],
  contacts: [
    'Directora comercial\nAcme S.L.\nTel. +34 91 123 45 67',
    'Acme S.L.\nCalle Mayor 12, 28013 Madrid\nwww.acme.example',
    'Atención al cliente\nlucia@acme.example',
    'Móvil: 612 345 678',
  ],
  footers: [
    'Enviado desde mi iPhone',
    'Enviado desde mi Samsung Galaxy',
    'Obtener Outlook para iOS<https://aka.ms/o0ukef>',
    'Enviado desde Correo para Windows',
    'Enviado desde Yahoo Mail para iPhone',
    'Enviado desde mi dispositivo Android con K-9 Mail. Por favor, disculpa mi brevedad.',
  ],
  quotes: [
    'Hola:\n\nsu pedido 4711 ha sido enviado hoy.\n\nEl equipo de Acme',
    'Buenos días,\n\n¿en qué podemos ayudarle?\n\nUn saludo,\nPedro',
  ],
  attributions: [
    ['Gmail', 'El mar, 12 mar 2024 a las 10:04, {name} (<{address}>) escribió:'],
    ['Yahoo web', 'El martes, 12 de marzo de 2024, 10:04:05 CET, {name} <{address}> escribió:'],
    ['Apple Mail', 'El 12 mar 2024, a las 10:04, {name} <{address}> escribió:'],
    ['Thunderbird', 'El 12/3/24 a las 10:04, {name} escribió:'],
    ['ProtonMail', 'El martes, 12 de marzo de 2024 a las 10:04, {name} <{address}> escribió:'],
    ['K-9', 'El 12 de marzo de 2024 10:04:05 CET, {name} <{address}> escribió:'],
  ],
  headers: [
    [
      'Outlook',
      'De: {name} <{address}>\nEnviado el: martes, 12 de marzo de 2024 10:04\nPara: Lucía Gómez <lucia@b.example>\nAsunto: RE: Pedido 4711',
    ],
    [
      'Outlook web',
      '________________________________\nDe: {name} <{address}>\nEnviado: martes, 12 de marzo de 2024 10:04\nPara: Lucía Gómez <lucia@b.example>\nAsunto: Re: Pedido 4711',
    ],
    [
      'Samsung',
      '-------- Mensaje original --------De: {name} <{address}> Fecha: 12/3/24  10:04  (GMT+01:00) A: lucia@b.example Asunto: Re: Pedido 4711 ',
    ],
    [
      'Outlook 2003',
      '-----Mensaje original-----\nDe: {name} [mailto:{address}]\nEnviado el: martes, 12 de marzo de 2024 10:04\nPara: Lucía Gómez\nAsunto: Pedido 4711',
    ],
  ],
  forwards: [
    [
      'Gmail',
      '---------- Forwarded message ---------\nDe: {name} <{address}>\nDate: mar, 12 mar 2024 a las 10:04\nSubject: Pedido 4711\nTo: <lucia@b.example>',
    ],
    [
      'Apple Mail',
      'Inicio del mensaje reenviado:\n\nDe: {name} <{address}>\nAsunto: Pedido 4711\nFecha: 12 de marzo de 2024, 10:04:05 CET\nPara: lucia@b.example',
    ],
    [
      'Yahoo web',
      '----- Mensaje reenviado ----- De: {name} <{address}>Para: lucia@b.example <lucia@b.example>Enviado: martes, 12 de marzo de 2024, 10:04:05 CETAsunto: Pedido 4711',
    ],
    [
      'Thunderbird',
      '-------- Mensaje reenviado --------\nAsunto: \tPedido 4711\nFecha: \tTue, 12 Mar 2024 10:04:05 +0100\nDe: \t{name} <{address}>\nPara: \tlucia@b.example',
    ],
  ],
};
