import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { SwitchyardSignatureError } from './errors.ts';
import type { WebhookEvent } from './types.ts';

/** Headers of a request: of `fetch`'s kind, or of Node's. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

const SECRET_MIN_BYTES = 24;
const TIMESTAMP = /^\d{1,12}$/;
const SIGNED_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/** Checks webhooks. Needs no API key. */
export const webhooks = {
  /**
   * The event of a webhook that Switchyard signed within the last five minutes; throws {@link SwitchyardSignatureError} for any other.
   *
   * @param body The body as it was received, before any JSON parser: the signature is over its bytes.
   * @param secret The endpoint's signing secret, `whsec_…`.
   *
   * An event may arrive more than once, under the same `id`, and types may be added: ignore those you do not know, such as `webhook.test`,
   * which the dashboard sends to test an endpoint.
   */
  verify(body: string | Uint8Array, headers: WebhookHeaders, secret: string): WebhookEvent {
    const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
    const signed = Object.fromEntries(SIGNED_HEADERS.map((name) => [name, readHeader(headers, name)]));
    const webhook = openWebhook(secret);
    // The library reads any number, and the digits before any letter.
    if (!TIMESTAMP.test(signed['webhook-timestamp'] ?? '')) throw new SwitchyardSignatureError('Invalid webhook-timestamp');
    try {
      webhook.verify(text, signed, { jsonParse: false });
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      throw new SwitchyardSignatureError(error.message, { cause: error });
    }
    const event: WebhookEvent = JSON.parse(text);
    return event;
  },
};

/** With an empty key, such as that of a variable that is not set, anyone could sign. */
function openWebhook(secret: string): Webhook {
  const written = typeof secret === 'string' ? secret.replace(/^whsec_/, '') : '';
  if (Math.floor((written.replace(/=+$/, '').length * 3) / 4) < SECRET_MIN_BYTES) {
    throw new SwitchyardSignatureError('The secret is not set, or too short');
  }
  try {
    return new Webhook(secret);
  } catch (error) {
    throw new SwitchyardSignatureError('The secret is whsec_ and base64, as the dashboard shows it', { cause: error });
  }
}

/** Names may be in any case, and a header that came more than once is a list. */
function readHeader(headers: WebhookHeaders, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const values = Object.entries(headers).filter(([given]) => given.toLowerCase() === name);
  return values.flatMap(([, value]) => value ?? []).join(' ');
}
