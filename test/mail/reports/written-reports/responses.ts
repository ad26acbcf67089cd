/**
 * Responses of receiving servers with their meaning, written by hand from the habits of servers, providers and gateways
 * that the corpus has not. Addresses and hosts are examples.
 */

type Responses = Readonly<Record<string, readonly (readonly [status: string, response: string])[]>>;

/** The address does not exist, or never takes mail. */
export const permanentResponses: Responses = {
  Gmail: [
    [
      '5.1.1',
      "550-5.1.1 The email account that you tried to reach does not exist. Please try 550-5.1.1 double-checking the recipient's email address for typos or 550-5.1.1 unnecessary spaces. For more information, go to 550 5.1.1 https://support.google.com/mail/?p=NoSuchUser a1-20020a05600c348100b003a5si1234567wmq.0 - gsmtp",
    ],
    [
      '5.2.1',
      '550-5.2.1 The email account that you tried to reach is inactive. For more 550-5.2.1 information, go to 550 5.2.1 https://support.google.com/mail/?p=DisabledUser x12si998877 - gsmtp',
    ],
  ],
  'Exchange Online': [
    [
      '5.1.10',
      '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient anna@example.net not found by SMTP address lookup',
    ],
    ['5.1.1', '550 5.1.1 RESOLVER.ADR.ExRecipNotFound; not found'],
    [
      '5.4.1',
      '550 5.4.1 Recipient address rejected: Access denied. AS(201806281) [DB5EUR03FT004.eop-EUR03.prod.protection.outlook.com]',
    ],
    [
      '5.4.310',
      '550 5.4.310 DNS domain example.invalid does not exist [Message=InfoDomainNonexistent] [LastAttemptedServerName=example.invalid]',
    ],
    [
      '5.1.351',
      '550 5.1.351 Remote server returned unknown recipient or mailbox unavailable -> 550 No such user',
    ],
  ],
  'Outlook.com': [
    [
      '5.5.0',
      '550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302). [VI1EUR04FT012.eop-eur04.prod.protection.outlook.com]',
    ],
  ],
  Yahoo: [
    [
      '5.0.0',
      '554 delivery error: dd Requested mail action aborted: mailbox not found - mta4123.mail.bf1.yahoo.com',
    ],
    [
      '5.0.0',
      "554 delivery error: dd This user doesn't have a yahoo.com account (anna@example.net) [0] - mta1189.mail.ne1.yahoo.com",
    ],
    ['5.0.0', '552 1 Requested mail action aborted, mailbox not found [-5]'],
  ],
  iCloud: [['5.1.1', '550 5.1.1 <anna@example.net>: user does not exist']],
  'GMX, WEB.DE': [
    [
      '5.0.0',
      '550 Requested action not taken: mailbox unavailable For explanation visit https://postmaster.gmx.net/en/error-messages?ip=192.0.2.1&c=nbu',
    ],
  ],
  'T-Online': [
    [
      '5.0.0',
      '550-5.1.1 <anna@example.net> user unknown; Empfaenger existiert nicht 550 5.1.1 -- mailin21.mgt.mul.t-online.de',
    ],
  ],
  'Orange, Free, La Poste': [
    ['5.1.1', '550 5.1.1 Adresse d au moins un destinataire invalide. Invalid recipient. OFR_416 [416]'],
    ['5.0.0', '550 5.5.0 Service refuse. Veuillez essayer plus tard. Boite du destinataire inexistante'],
    ['5.1.1', '550 5.1.1 <anna@example.net>: Recipient address rejected: Boite inconnue'],
  ],
  'Libero, Aruba': [
    ['5.1.1', '550 5.1.1 <anna@example.net> Recipient unknown - Casella inesistente'],
    ['5.0.0', '550 Casella di posta disattivata / account disabled'],
  ],
  'Mail.ru, Yandex': [
    [
      '5.0.0',
      '550 Message was not accepted -- invalid mailbox.  Local mailbox anna@example.net is unavailable: user not found',
    ],
    ['5.7.1', '550 5.7.1 No such user! 1700000000-AbCdEf'],
    [
      '5.0.0',
      '550 Message was not accepted -- invalid mailbox.  Local mailbox anna@example.net is unavailable: account is disabled',
    ],
  ],
  'QQ, NetEase': [
    ['5.0.0', '550 Mailbox unavailable or access denied [MCbBkJ3fG0l]. 收件人邮箱不存在'],
    ['5.0.0', '550 RP:TRC No such user: anna@example.net'],
    ['5.0.0', '550 User not found: anna@example.net'],
  ],
  'Naver, Docomo, au': [
    ['5.1.1', '550 5.1.1 No such user A1b2C3 - nsmtp'],
    ['5.0.0', '550 Unknown user anna@example.net'],
    ['5.1.1', '550 <anna@example.net>: User unknown ※宛先のアドレスは存在しません'],
  ],
  'Zoho, Fastmail, Proton': [
    ['5.1.1', '550 5.1.1 User does not exist - <anna@example.net>'],
    [
      '5.1.1',
      '550 5.1.1 <anna@example.net>: Recipient address rejected: undeliverable address: host imap.messagingengine.example[192.0.2.4] said: 550 5.1.1 User unknown (in reply to RCPT TO command)',
    ],
    ['5.1.1', '550 5.1.1 <anna@example.net>: Recipient address rejected: Address does not exist'],
  ],
  'Mimecast, Proofpoint, Barracuda, Cisco': [
    ['5.0.0', '550 Invalid Recipient - https://community.mimecast.com/docs/DOC-1369#550 [AbCdEfGh.uk12]'],
    ['5.1.1', '550 5.1.1 User Unknown (in reply to RCPT TO command)'],
    ['5.1.1', '550 5.1.1 <anna@example.net>: No such recipient here (#5.1.1)'],
    ['5.1.0', '550 #5.1.0 Address rejected.'],
    ['5.0.0', '550 No such domain at this location'],
  ],
  'Postfix, Exim, Sendmail, qmail': [
    [
      '5.1.1',
      '550 5.1.1 <anna@example.net>: Recipient address rejected: User unknown in virtual mailbox table',
    ],
    [
      '5.1.1',
      '550 5.1.1 <anna@example.net>: Recipient address rejected: User unknown in relay recipient table',
    ],
    [
      '5.4.4',
      'X-Postfix; Host or domain name not found. Name service error for name=exmaple.net type=A: Host not found',
    ],
    ['5.0.0', '550 Unrouteable address'],
    [
      '5.0.0',
      '550-Verification failed for the recipient 550-The mail server could not deliver mail to anna@example.net.  The account or domain may not exist, they may be blacklisted, or missing the proper dns entries. 550 Unrouteable address',
    ],
    [
      '5.1.1',
      "553 sorry, that domain isn't in my list of allowed rcpthosts; no mailbox here by that name (#5.1.1)",
    ],
    ['5.1.2', "Sorry, I couldn't find any host named exmaple.net. (#5.1.2)"],
    ['5.1.10', '556 5.1.10 Domain example.net does not accept mail (nullMX)'],
    ['5.1.1', '550 5.1.1 anna... User unknown'],
    ['5.1.6', '551 5.1.6 User has moved to anna@elsewhere.example'],
    ['5.2.1', '550 5.2.1 <anna@example.net>... Mailbox disabled for this recipient'],
    ['5.0.0', '550 Account suspended for this user: anna@example.net'],
  ],
  'Domino, GroupWise, Zimbra, hMailServer, MDaemon': [
    ['5.1.1', '550 5.1.1 Anna Example/Acme (anna@example.net) not listed in Domino Directory'],
    ['5.0.0', '550 User anna not in domino directory; no such user here'],
    ['5.0.0', '550 Unknown recipient - this account does not exist'],
    ['5.1.1', '550 5.1.1 <anna@example.net>: Recipient address rejected: example.net; account closed'],
    ['5.0.0', '550 <anna@example.net>, Recipient unknown'],
    ['5.0.0', '550 Delivery is not allowed to this address. The mailbox was deleted.'],
  ],
  'schools and companies': [
    ['5.0.0', '550 The person you are writing to has left the company; this address is no longer in use'],
    ['5.0.0', '550 5.1.1 Student account expired and was removed. No such mailbox.'],
    ['5.1.1', '550 5.1.1 Benutzer unbekannt / no such user'],
    ['5.1.1', '550 5.1.1 Deze gebruiker bestaat niet (unknown recipient)'],
    ['5.1.1', '550 5.1.1 El usuario no existe en este dominio'],
    ['5.1.1', '550 5.1.1 O utilizador não existe'],
    ['5.1.1', '550 5.1.1 Nie ma takiego użytkownika'],
  ],
};

/** The failure is temporary, or about the message, the sender or a policy: the address may take mail tomorrow. */
export const otherResponses: Responses = {
  Gmail: [
    [
      '5.2.2',
      "552-5.2.2 The recipient's inbox is out of storage space. Please direct the 552-5.2.2 recipient to 552 5.2.2 https://support.google.com/mail/?p=OverQuotaPerm a1si - gsmtp",
    ],
    [
      '5.7.26',
      '550-5.7.26 Your email has been blocked because the sender is unauthenticated. 550-5.7.26 Gmail requires all senders to authenticate with either SPF or DKIM. 550 5.7.26 - gsmtp',
    ],
    [
      '5.7.1',
      '550-5.7.1 [192.0.2.1] Our system has detected that this message is likely unsolicited mail. To reduce the amount of spam sent to Gmail, this message has been blocked. - gsmtp',
    ],
    [
      '4.2.1',
      '450-4.2.1 The user you are trying to contact is receiving mail at a rate that 450 4.2.1 prevents additional messages from being delivered. - gsmtp',
    ],
    [
      '5.7.0',
      '552-5.7.0 This message was blocked because its content presents a potential 552 5.7.0 security issue. - gsmtp',
    ],
    ['5.3.4', "552-5.3.4 Your message exceeded Google's message size limits. - gsmtp"],
  ],
  'Exchange Online': [
    [
      '5.7.606',
      '550 5.7.606 Access denied, banned sending IP [192.0.2.1]. To request removal from this list please visit https://sender.office.com/',
    ],
    ['5.7.1', '550 5.7.1 RESOLVER.RST.AuthRequired; authentication required [Stage: CreateMessage]'],
    [
      '5.7.133',
      '550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required; Delivery restriction check failed because the sender was not authenticated when sending to this group',
    ],
    ['5.2.3', '550 5.2.3 RESOLVER.RST.RecipSizeLimit; message too large for this recipient'],
    [
      '5.2.2',
      '554 5.2.2 mailbox full; STOREDRV.Deliver.Exception:QuotaExceededException.MapiExceptionShutoffQuotaExceeded',
    ],
    ['4.4.316', '450 4.4.316 Connection refused [Message=Socket error code 10061]'],
    ['5.4.14', '554 5.4.14 Hop count exceeded - possible mail loop ATTR34'],
    ['5.7.705', '550 5.7.705 Access denied, tenant has exceeded threshold'],
    [
      '5.7.129',
      "550 5.7.129 RESOLVER.RST.RestrictedToRecipientsPermission; the sender isn't allowed to send to this recipient",
    ],
  ],
  'Outlook.com': [
    [
      '5.7.1',
      "550 5.7.1 Unfortunately, messages from [192.0.2.1] weren't sent. Please contact your Internet service provider since part of their network is on our block list (S3150).",
    ],
    [
      '4.3.2',
      '451 4.7.650 The mail server [192.0.2.1] has been temporarily rate limited due to IP reputation.',
    ],
  ],
  Yahoo: [
    [
      '4.0.0',
      '421 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred due to unexpected volume or user complaints - 4.16.55.1',
    ],
    [
      '5.7.9',
      '554 5.7.9 Message not accepted for policy reasons. See https://postmaster.yahooinc.com/error-codes',
    ],
    ['5.0.0', '552 5.2.2 Mailbox size limit exceeded (anna@example.net) - mta.yahoo.example'],
  ],
  iCloud: [
    ['5.2.2', '552 5.2.2 <anna@example.net>: user is over quota'],
    [
      '5.7.1',
      '554 5.7.1 [CS01] Message rejected due to local policy. Please visit https://support.apple.com/en-us/HT204137',
    ],
  ],
  'GMX, WEB.DE': [
    [
      '5.0.0',
      '554 Transaction failed Reject due to policy restrictions. For explanation visit https://postmaster.gmx.net/en/error-messages?ip=192.0.2.1&c=hi',
    ],
    [
      '5.0.0',
      '552 Requested mail action aborted: exceeded storage allocation For explanation visit https://postmaster.web.de/',
    ],
    ['4.0.0', '450 Requested mail action not taken: mailbox unavailable Mail send limit exceeded.'],
  ],
  'T-Online': [
    [
      '5.0.0',
      '554 IP=192.0.2.1 - A problem occurred. Ask your postmaster for help or to contact tobr@rx.t-online.de to clarify. (NOWL)',
    ],
    ['5.2.2', '552 5.2.2 Postfach ist voll / mailbox full'],
  ],
  'Orange, Free, La Poste': [
    ['5.0.0', '550 5.2.2 La boite de votre correspondant est pleine. Mailbox full. OFR_417'],
    [
      '4.0.0',
      '421 mwinf5c10 ME Trop de connexions, veuillez verifier votre configuration. Too many connections, slow down. OFR004_104 [104]',
    ],
    ['5.7.1', '550 5.7.1 Service refuse. Veuillez essayer plus tard. Spam detecte. OFR_506 [506]'],
  ],
  'Libero, Aruba': [
    ['5.0.0', '552 5.2.2 Casella piena / over quota'],
    ['5.0.0', '550 smtp-in.example.it 192.0.2.1 Connection refused - Dnsbl LIBERO'],
  ],
  'Mail.ru, Yandex': [
    [
      '5.0.0',
      '550 spam message rejected. Please visit http://help.mail.ru/notspam-support/id?c=abc or report details to abuse@corp.mail.ru',
    ],
    ['5.7.1', '554 5.7.1 Message rejected under suspicion of SPAM; https://ya.cc/1IrBc 1700000000-xyz'],
    ['5.2.2', '552 5.2.2 Mailbox size limit exceeded 1700000-xyz'],
    [
      '4.5.1',
      '451 4.5.1 The recipient anna@example.net has exceeded their message rate limit. Try again later.',
    ],
  ],
  'QQ, NetEase': [
    [
      '5.0.0',
      '550 Mail content denied. http://service.mail.qq.com/cgi-bin/help?subtype=1&&id=20022&&no=1000726',
    ],
    ['5.0.0', '552 Quota exceed: 收件人邮箱已满'],
    ['5.0.0', '554 DT:SPM 163 mx22,abc Reject: 发信IP被列入黑名单'],
    ['4.0.0', '450 RP:RCL 163 mx9 Too much recipients, please try later'],
  ],
  'Naver, Docomo, au': [
    ['5.7.1', '550 5.7.1 Your IP is in a block list - nsmtp'],
    ['4.0.0', '452 Requested action not taken: insufficient system storage'],
  ],
  'Zoho, Fastmail, Proton': [
    ['5.2.2', '552 5.2.2 Mailbox full. User anna@example.net is over quota'],
    ['5.7.1', '541 5.4.1 Mail rejected by destination domain: recipient policy'],
    ['4.7.1', '451 4.7.1 Greylisted, please try again in 300 seconds: user unknown callout pending'],
  ],
  'Mimecast, Proofpoint, Barracuda, Cisco': [
    [
      '5.0.0',
      '550 Rejected by header based manually Blocked Senders: news@acme.dev (in reply to end of DATA command)',
    ],
    [
      '5.0.0',
      '550 csi.mimecast.org Poor Reputation Sender. - https://community.mimecast.com/docs/DOC-1369#550',
    ],
    [
      '5.7.1',
      '554 5.7.1 <anna@example.net>: Recipient address rejected: Rejected by Proofpoint dynamic reputation',
    ],
    ['5.7.0', '554 5.7.0 Message blocked by Barracuda Email Security Gateway for recipient anna@example.net'],
    [
      '4.7.1',
      '450 4.7.1 <anna@example.net>: Recipient address rejected: unverified address: Address verification in progress',
    ],
    ['5.0.0', '554 5.7.1 Sender address rejected: domain not found; unknown user policy'],
    ['5.0.0', '451 Internal resources are temporarily unavailable - user lookup'],
    ['5.0.0', '550 Administrative prohibition - envelope blocked for this recipient'],
  ],
  'Postfix, Exim, Sendmail, qmail': [
    ['4.4.1', 'connect to mx.example.net[192.0.2.9]:25: Connection timed out'],
    [
      '4.4.3',
      'Host or domain name not found. Name service error for name=example.net type=MX: Host not found, try again',
    ],
    ['5.0.0', '550 retry timeout exceeded'],
    ['5.4.6', '554 5.4.6 Too many hops'],
    ['5.1.8', '553 5.1.8 <news@acme.dev>: Sender address rejected: Domain not found'],
    [
      '5.7.1',
      '554 5.7.1 <mx.acme.dev[192.0.2.1]>: Client host rejected: cannot find your hostname, [192.0.2.1]; unknown user or host',
    ],
    ['5.7.1', '550 5.7.1 <anna@example.net>: Recipient address rejected: Relay access denied'],
    ['5.0.0', '552 5.2.3 Message exceeds maximum fixed size (10485760); mailbox anna'],
    ['5.2.2', '552 5.2.2 <anna@example.net> mailbox is full (#5.2.2)'],
    [
      '4.2.0',
      '450 4.2.0 <anna@example.net>: Recipient address rejected: Greylisted, see http://postgrey.schweikert.ch/help/example.net.html',
    ],
    [
      '5.0.0',
      "Sorry, I wasn't able to establish an SMTP connection. (#4.4.1) I'm not going to try again; this message has been in the queue too long.",
    ],
    ['5.0.0', '550 5.1.1 mailbox unavailable: system undergoing maintenance, temporarily offline'],
    ['5.1.1', '550 5.1.1 User account temporarily disabled, over storage quota'],
    ['5.0.0', 'lost connection with mx.example.net[192.0.2.9] while receiving the initial server greeting'],
    [
      '5.0.0',
      '550 Domain example.net has exceeded the max emails per hour (25/25 (100%)) allowed. Message discarded.',
    ],
  ],
  'Domino, GroupWise, Zimbra, hMailServer, MDaemon': [
    ['5.0.0', '552 Over quota: mailbox of anna cannot take more mail'],
    ['5.0.0', '550 Not allowed to send to this list: posting restricted to members'],
    ['5.0.0', '554 The message was rejected because it contains prohibited virus or spam content'],
    ['5.0.0', '451 5.3.0 Directory lookup failed for recipient, deferred'],
  ],
  'schools and companies': [
    ['5.7.1', '550 5.7.1 This mailbox only accepts mail from inside of the company'],
    ['5.0.0', '550 DMARC policy of acme.dev requests rejection; user notified'],
    ['5.0.0', '550 Attachment type .zip is not accepted for this recipient'],
    ['5.2.2', '550 5.2.2 Скринька переповнена (mailbox full)'],
    ['5.2.2', '552 5.2.2 Skrzynka pełna'],
    ['5.2.2', '552 5.2.2 El buzón del destinatario está lleno'],
    ['4.3.0', '451 4.3.0 Dočasná chyba, zkuste to později'],
  ],
};
