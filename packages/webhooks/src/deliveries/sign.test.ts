import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { headersIn, signedHeaders } from './sign.ts';

const AT = new Date('2026-11-20T14:00:05.900Z');
const secretOf = (text: string) => `whsec_${Buffer.from(text.padEnd(32, '.')).toString('base64')}`;
const [newest, previous] = [secretOf('newest'), secretOf('previous')];
const message = { eventId: 'evt-1', body: '{"type":"payment.succeeded"}', secrets: [newest, previous] };
const plain = {
  'content-type': 'application/json',
  'user-agent': expect.stringMatching(/^Switchyard\/\d/),
  'webhook-id': 'evt-1',
  'webhook-timestamp': '1795183205',
};

test('a message has the id of its event, the second in which it is sent, and a signature of each secret', () => {
  const headers = signedHeaders(message, AT);
  expect(headers).toEqual({ ...plain, 'webhook-signature': expect.stringMatching(/^v1,\S{44} v1,\S{44}$/) });
  const [first, second] = headers['webhook-signature']?.split(' ') ?? [];
  for (const [secret, signature] of [
    [newest, first],
    [previous, second],
  ] as const) {
    expect(new Webhook(secret).sign('evt-1', AT, message.body)).toBe(signature);
    expect(new Webhook(secret).sign('evt-2', AT, message.body)).not.toBe(signature);
  }
  expect(headersIn('switchyard', message, AT)).toEqual(headers);
});

test('in the formats of gateways the newest secret signs alone, as their receivers verify it', () => {
  const hmac = (hash: string) => createHmac(hash, newest).update(message.body);
  expect(headersIn('paystack', message, AT)).toEqual({ ...plain, 'x-paystack-signature': hmac('sha512').digest('hex') });
  expect(headersIn('flutterwave', message, AT)).toEqual({
    ...plain,
    'verif-hash': newest,
    'flutterwave-signature': hmac('sha256').digest('base64'),
  });
});

test.each(['paystack', 'flutterwave'] as const)('nothing is sent unsigned in the format of %s', (format) => {
  expect(() => headersIn(format, { ...message, secrets: [] }, AT)).toThrow('no secret');
});
