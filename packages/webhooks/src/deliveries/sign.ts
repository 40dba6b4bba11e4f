import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { WebhookFormat } from '../events/formats.ts';

/** The message and its signing secrets: two of them while a secret is being replaced. */
export interface WebhookMessage {
  /** The same for every attempt to send one event. */
  readonly eventId: string;
  readonly body: string;
  readonly secrets: readonly string[];
}

/** The headers of a message, signed over the unmodified body. */
export function signedHeaders({ eventId, body, secrets }: WebhookMessage, at: Date): Record<string, string> {
  return {
    ...unsignedHeaders({ eventId }, at),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(eventId, at, body)).join(' '),
  };
}

function unsignedHeaders({ eventId }: Pick<WebhookMessage, 'eventId'>, at: Date): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'Switchyard/0.1 (+webhooks)',
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
  };
}

/**
 * The headers of a message in a format, signed as its receivers verify it. `webhook-id` and `webhook-timestamp` are in all of them; the
 * newest secret signs alone where a format has room for one signature.
 */
export function headersIn(format: WebhookFormat, message: WebhookMessage, at: Date): Record<string, string> {
  switch (format) {
    case 'switchyard':
      return signedHeaders(message, at);
    case 'paystack': {
      const signature = createHmac('sha512', newest(message)).update(message.body).digest('hex');
      return { ...unsignedHeaders(message, at), 'x-paystack-signature': signature };
    }
    case 'flutterwave': {
      const secret = newest(message);
      const signature = createHmac('sha256', secret).update(message.body).digest('base64');
      return { ...unsignedHeaders(message, at), 'verif-hash': secret, 'flutterwave-signature': signature };
    }
    default:
      return format satisfies never;
  }
}

function newest({ secrets: [secret] }: WebhookMessage): string {
  if (secret === undefined) throw new Error('an endpoint has no secret');
  return secret;
}
