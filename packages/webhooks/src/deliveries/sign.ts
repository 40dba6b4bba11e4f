import { Webhook } from 'standardwebhooks';

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
    'content-type': 'application/json',
    'user-agent': 'Switchyard/0.1 (+webhooks)',
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(eventId, at, body)).join(' '),
  };
}
