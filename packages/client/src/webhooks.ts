import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { SwitchyardSignatureError } from './errors.ts';
import type { WebhookEvent } from './types.ts';

/** Headers of a request: of `fetch`'s kind, or of Node's. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

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
    const webhook = new Webhook(secret);
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

function readHeader(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  return typeof value === 'string' ? value : '';
}
