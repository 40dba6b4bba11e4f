import { Webhook } from 'standardwebhooks';

/** What is sent, and under which secrets: two of them while a secret is being replaced. */
export interface WebhookMessage {
  /** The same for every try to send one event. */
  readonly eventId: string;
  readonly body: string;
  readonly secrets: readonly string[];
}

/** The headers of a message, signed over the body as it is. */
export function signedHeaders({ eventId, body, secrets }: WebhookMessage, at: Date): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'Switchyard/0.1 (+webhooks)',
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(eventId, at, body)).join(' '),
  };
}
