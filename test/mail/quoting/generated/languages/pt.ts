import type { ReplyPhrases } from '../phrases.ts';

export const portuguese: ReplyPhrases = {
  language: 'pt',
  title: 'Portuguese',
  authors: ['Inês Ferreira', 'João Costa'],
  senders: ['Rita Alves', 'Tiago dos Santos'],
  greetings: ['Olá Rita,', 'Bom dia,', 'Prezados senhores,', 'Oi'],
  bodies: [
    'Obrigada pela informação, por favor cancelem o meu pedido 4711.',
    'Muito obrigado pela resposta rápida. A encomenda chegou hoje.\n\nPodem enviar-me a fatura?',
    'Por favor alterem a morada de entrega para\n\nInês Ferreira\nRua Augusta 12\n1100-053 Lisboa\n\nporque mudei de casa.',
    'Obrigado desde já pela verificação, precisamos disto na sexta',
    'Sim, pode ser.',
    'Um abraço também para a Joana, que nos ajudou muito.\n\nA reunião de segunda mantém-se.',
  ],
  closings: [
    'Com os melhores cumprimentos,',
    'Atenciosamente,',
    'Obrigada e cumprimentos,',
    'Cumprimentos',
    'Abraços de Lisboa,',
    'Melhores cumprimentos / Best regards',
    'Obrigada,',
    'Abraço,',
  ],
  contacts: [
    'Diretora comercial\nAcme Lda.\nTel. +351 21 123 4567',
    'Acme Ltda.\nRua Augusta 12, Lisboa\nwww.acme.example',
    'Apoio ao cliente\nines@acme.example',
    'Cel. (11) 91234-5678',
  ],
  footers: [
    'Enviado do meu iPhone',
    'Enviado do meu Galaxy',
    'Obter o Outlook para Android<https://aka.ms/AAb9ysg>',
    'Enviado do Correio para Windows',
    'Enviado do Yahoo Mail no Android',
    'Enviado do meu smartphone Samsung Galaxy.',
  ],
  quotes: [
    'Olá,\n\no seu pedido 4711 foi enviado hoje.\n\nA equipa Acme',
    'Bom dia,\n\ncomo podemos ajudar?\n\nCumprimentos,\nTiago',
  ],
  attributions: [
    ['Gmail', 'Em ter., 12 de mar. de 2024 às 10:04, {name} <{address}> escreveu:'],
    ['Gmail', '{name} <{address}> escreveu (terça, 12/03/2024 à(s) 10:04):'],
    ['Apple Mail', 'No dia 12/03/2024, às 10:04, {name} <{address}> escreveu:'],
    ['Yahoo web', 'Em terça-feira, 12 de março de 2024 10:04:05 BRT, {name} <{address}> escreveu:'],
    ['Thunderbird', 'Em 12/03/2024 10:04, {name} escreveu:'],
    ['Apple Mail', 'Em 12 de mar. de 2024, à(s) 10:04, {name} <{address}> escreveu:'],
    ['ProtonMail', 'A terça-feira, 12 de março de 2024 às 10:04, {name} <{address}> escreveu:'],
  ],
  headers: [
    [
      'Outlook',
      'De: {name} <{address}>\nEnviado: 12 de março de 2024 10:04\nPara: Inês Ferreira <ines@b.example>\nAssunto: RE: Pedido 4711',
    ],
    [
      'Outlook',
      'De: {name} <{address}>\nEnviada em: terça-feira, 12 de março de 2024 10:04\nPara: Inês Ferreira <ines@b.example>\nAssunto: RES: Pedido 4711',
    ],
    [
      'Samsung',
      '-------- Mensagem original --------De: {name} <{address}> Data: 12/03/2024  10:04  (GMT-03:00) Para: ines@b.example Assunto: Re: Pedido 4711 ',
    ],
    [
      'Outlook 2003',
      '-----Mensagem original-----\nDe: {name} [mailto:{address}]\nEnviada em: terça-feira, 12 de março de 2024 10:04\nPara: Inês Ferreira\nAssunto: Pedido 4711',
    ],
  ],
  forwards: [
    [
      'Gmail',
      '---------- Forwarded message ---------\nDe: {name} <{address}>\nDate: ter., 12 de mar. de 2024 às 10:04\nSubject: Pedido 4711\nTo: <ines@b.example>',
    ],
    [
      'Apple Mail',
      'Início da mensagem reencaminhada:\n\nDe: {name} <{address}>\nAssunto: Pedido 4711\nData: 12 de março de 2024, 10:04:05 WET\nPara: ines@b.example',
    ],
    [
      'Apple Mail',
      'Início da mensagem encaminhada:\n\nDe: {name} <{address}>\nAssunto: Pedido 4711\nData: 12 de março de 2024 10:04:05 BRT\nPara: ines@b.example',
    ],
    [
      'Yahoo web',
      '----- Mensagem encaminhada ----- De: {name} <{address}>Para: ines@b.example <ines@b.example>Enviado: terça-feira, 12 de março de 2024 10:04:05 BRTAssunto: Pedido 4711',
    ],
  ],
};
