/** The headers that mail programs and senders of bulk mail write, for the labelled messages (`@gmail`). */

const uuid = '5D1F0C3A-7B24-4E19-9A6C-0D8E2F4B6A71';

export const mailPrograms: Readonly<Record<string, readonly string[]>> = {
  outlook: [
    'Thread-Topic: Message',
    'Thread-Index: AdqgW1b2c3D4e5F6Q0aBcDeFgHiJkA==',
    'Message-ID: <AM0PR04MB4561F2B3C4D5E6F7A8B9C0D1E2@AM0PR04MB4561.eurprd04.prod.outlook.com>',
    'Accept-Language: en-US',
    'Content-Language: en-US',
    'X-MS-Has-Attach:',
    'X-MS-TNEF-Correlator:',
    'Content-Type: multipart/alternative; boundary="_000_AM0PR04MB4561F2B3C4D5E6F7A8B9C0AM0PR04MB4561eurp_"',
  ],
  'outlook-desktop': [
    'X-Mailer: Microsoft Outlook 16.0',
    'Thread-Index: AQHaoFtW9sd3+Pn6QGgXg3h4',
    'Message-ID: <00a101daa05b$3b2a1c40$b17e54c0$@sender.example>',
    'Content-Language: de',
    'Content-Type: multipart/alternative; boundary="----=_NextPart_000_00A2_01DAA06B.FEB3CD10"',
  ],
  gmail: [
    'Message-ID: <CAF3m2xK9_qWvT1bY+Zr8sN=0dLhE4gJ7uPaXcMoRiQwB5VkSyA@mail.gmail.com>',
    'Content-Type: multipart/alternative; boundary="000000000000c1b2a30617d8e9f0"',
  ],
  apple: [
    'X-Mailer: Apple Mail (2.3774.500.171.1.1)',
    'Mime-Version: 1.0 (Mac OS X Mail 16.0 \\(3774.500.171.1.1\\))',
    `Message-Id: <${uuid}@sender.example>`,
    `Content-Type: multipart/alternative; boundary="Apple-Mail=_${uuid}"`,
  ],
  iphone: [
    'X-Mailer: iPhone Mail (21E236)',
    'Mime-Version: 1.0 (1.0)',
    `Message-Id: <${uuid}@sender.example>`,
    'Content-Type: text/plain; charset=utf-8',
  ],
  thunderbird: [
    'User-Agent: Mozilla Thunderbird',
    `Message-ID: <${uuid.toLowerCase()}@sender.example>`,
    'Content-Language: de-DE',
    'Content-Type: text/plain; charset=UTF-8; format=flowed',
  ],
  ses: [
    'Message-ID: <0102018f52c1a2b3-4d5e6f70-8192-4a3b-b4c5-d6e7f8091a2b-000000@eu-west-1.amazonses.com>',
    'Feedback-ID: ::1.eu-west-1.a1B2c3D4e5F6=:AmazonSES',
    'X-SES-Outgoing: 2024.05.07-54.240.7.13',
  ],
  sendgrid: [
    'Message-ID: <aBcD1234eFgH5678iJkL9w@geopod-ismtpd-17>',
    'X-SG-EID: u001.a1B2c3D4e5F6g7H8',
    'X-Entity-ID: u001.qWeRtY',
    'Feedback-ID: 1234567:SG',
  ],
  mailgun: [
    'Message-Id: <20240507101112.a1b2c3d4e5f6a7b8@mg.sender.example>',
    'X-Mailgun-Sending-Ip: 159.135.228.11',
    'X-Mailgun-Sid: WyJhYmNkZSIsICJ4QHkuZXhhbXBsZSIsICIxMjM0Il0=',
  ],
  postmark: [
    'Message-ID: <1f2e3d4c-5b6a-4798-8a9b-0c1d2e3f4a5b@mtasv.net>',
    'X-PM-Message-Id: 1f2e3d4c-5b6a-4798-8a9b-0c1d2e3f4a5b',
    'X-PM-Message-Options: v1;1.a1b2',
    'Feedback-ID: s1234567-_:s1234567:a12345:postmark',
  ],
  mailchimp: [
    'X-Mailer: MailChimp Mailer - **CIDa1b2c3d4e5f6**',
    'X-Campaign: mailchimpa1b2c3d4.e5f6',
    'X-MC-User: a1b2c3d4e5f6',
    'Feedback-ID: 12345:12345.678:us1:mc',
    'List-ID: a1b2 <a1b2.12345.list-id.mcsv.net>',
    'List-Unsubscribe: <https://sender.us1.list-manage.com/unsubscribe?u=a1>, <mailto:unsubscribe@mailin.mcsv.net>',
    'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
  ],
  php: [
    'X-Mailer: PHPMailer 6.8.0 (https://github.com/PHPMailer/PHPMailer)',
    'Message-ID: <Zq1w2e3r4t5y6u7i8o9p0aSdFgHjKlZxCvBnM@sender.example>',
  ],
  java: ['Message-ID: <1203948576.231.1715082400123.JavaMail.app@host7>'],
};
