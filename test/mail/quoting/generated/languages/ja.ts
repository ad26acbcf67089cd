import type { ReplyPhrases } from '../phrases.ts';

export const japanese: ReplyPhrases = {
  language: 'ja',
  title: 'Japanese',
  authors: ['山田太郎', '佐藤 花子'],
  senders: ['鈴木一郎', '高橋 美咲'],
  greetings: ['鈴木様', 'お世話になっております。', '高橋様、', 'こんにちは。'],
  bodies: [
    'ご連絡ありがとうございます、注文4711をキャンセルしてください。',
    '早速のご返信ありがとうございます。荷物は今日届きました。\n\n請求書を送っていただけますか？',
    '配送先を次の住所に変更してください。\n\n山田太郎\n東京都千代田区丸の内1-2-3\n100-0005\n\n引っ越したためです。',
    'ご確認よろしくお願いいたします、金曜日までに必要です',
    'はい、大丈夫です。',
    'ありがとうございますとチームの皆様にもお伝えください。\n\n月曜日の会議は予定どおりです。',
  ],
  closings: [
    'よろしくお願いいたします。',
    '何卒よろしくお願い申し上げます。',
    '以上、よろしくお願いいたします。',
    '敬具',
    'どうぞよろしくお願いいたします。',
    '引き続きよろしくお願いいたします。',
  ],
  contacts: [
    '営業部\n株式会社アクメ\nTEL: 03-1234-5678',
    '株式会社アクメ\n東京都千代田区丸の内1-2-3\nwww.acme.example',
    'カスタマーサポート\nyamada@acme.example',
    '携帯 090-1234-5678',
  ],
  footers: [
    'iPhoneから送信',
    'Galaxyから送信',
    'Outlook for iOS を入手<https://aka.ms/o0ukef>',
    'Windows 版のメールから送信',
    '私のiPhoneから送信',
    'Yahoo!メール アプリから送信',
  ],
  quotes: [
    'お客様\n\nご注文4711は本日発送されました。\n\nアクメ',
    'お客様\n\nどのようなご用件でしょうか。\n\n高橋',
  ],
  attributions: [
    ['Gmail', '2024年3月12日(火) 10:04 {name} <{address}>:'],
    ['Yahoo web', '2024年3月12日火曜日 10:04:05 JST、{name} <{address}>のメール:'],
    ['Apple Mail', '2024/03/12 10:04、{name} <{address}>のメール:'],
    ['Thunderbird', 'On 2024/03/12 10:04, {name} wrote:'],
    ['ProtonMail', '2024年3月12日 火曜日 10:04、{name} <{address}> さんは書きました:'],
    ['Becky', '2024年3月12日 10:04 {name} <{address}> さんのメッセージ:'],
  ],
  headers: [
    [
      'Outlook',
      '差出人: {name} <{address}>\n送信日時: 2024年3月12日 10:04\n宛先: 山田太郎 <yamada@b.example>\n件名: RE: 注文4711',
    ],
    [
      'Outlook',
      'From: {name} <{address}>\nSent: Tuesday, March 12, 2024 10:04 AM\nTo: 山田太郎 <yamada@b.example>\nSubject: RE: 注文4711',
    ],
    [
      'Outlook for Mac',
      '差出人: {name} <{address}>\n日付: 火曜日, 2024年3月12日 10:04\n宛先: 山田太郎 <yamada@b.example>\n件名: Re: 注文4711',
    ],
    [
      'Outlook 2003',
      '-----Original Message-----\nFrom: {name} [mailto:{address}]\nSent: Tuesday, March 12, 2024 10:04 AM\nTo: 山田太郎\nSubject: 注文4711',
    ],
  ],
  forwards: [
    [
      'Gmail',
      '---------- Forwarded message ---------\nFrom: {name} <{address}>\nDate: 2024年3月12日(火) 10:04\nSubject: 注文4711\nTo: <yamada@b.example>',
    ],
    [
      'Apple Mail',
      '転送されたメッセージ：\n\n差出人: {name} <{address}>\n件名: 注文4711\n日付: 2024年3月12日 10:04:05 JST\n宛先: yamada@b.example',
    ],
    [
      'Yahoo web',
      '----- 転送メッセージ ----- 差出人： {name} <{address}>宛先： yamada@b.example <yamada@b.example>送信日時： 2024年3月12日火曜日 10:04:05 JST件名： 注文4711',
    ],
    [
      'Thunderbird',
      '-------- 転送メッセージ --------\n件名: \t注文4711\n日付: \tTue, 12 Mar 2024 10:04:05 +0900\n差出人: \t{name} <{address}>\n宛先: \tyamada@b.example',
    ],
  ],
};
