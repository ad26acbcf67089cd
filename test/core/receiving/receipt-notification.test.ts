import { describe, expect, it } from 'vitest';
import { parseReceiptNotification } from '../../../lib/core/receiving/receipt-notification.ts';

const notification = (messageId: string, more = {}) =>
  JSON.stringify({
    notificationType: 'Received',
    mail: { messageId, source: 'anna@example.com', ...more },
    receipt: {
      recipients: ['help@mail.example.com'],
      action: {
        type: 'S3',
        bucketName: 'raw',
        objectKey: `inbound/${messageId}`,
        topicArn: 'arn:aws:sns:us-east-1:111111111111:parley-inbound',
      },
    },
  });

describe('parseReceiptNotification', () => {
  it('takes the region of the topic as that of the raw message', () => {
    expect(parseReceiptNotification(notification('m1'))).toMatchObject({
      sesId: 'm1',
      recipients: ['help@mail.example.com'],
      raw: { bucket: 'raw', key: 'inbound/m1', region: 'us-east-1' },
    });
  });

  it('answers null to the tests that SES sends when topic and rule are set up', () => {
    expect(parseReceiptNotification(notification('AMAZON_SES_SETUP_NOTIFICATION'))).toBeNull();
    const test = JSON.stringify({ mail: { messageId: 'AMAZON_SES_SETUP_NOTIFICATION' } });
    expect(parseReceiptNotification(test)).toBeNull();
    expect(
      parseReceiptNotification('Successfully validated SNS topic for Amazon SES event publishing.'),
    ).toBeNull();
  });

  it('is not misled by a header that imitates a test', () => {
    const subject = '"mail":{"messageId":"AMAZON_SES_SETUP_NOTIFICATION"}';
    expect(parseReceiptNotification(notification('m2', { commonHeaders: { subject } }))?.sesId).toBe('m2');
  });

  it.each(['{}', 'nonsense', '{"notificationType":"Bounce"}'])('throws for %s', (text) => {
    expect(() => parseReceiptNotification(text)).toThrow();
  });
});
