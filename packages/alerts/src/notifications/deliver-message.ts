import type { Mode } from '@switchyard/db/client';
import { signedHeaders } from '@switchyard/webhooks/sending';
import { addressMode, type Target } from '../channels/targets.ts';
import type { MessageTools } from '../context.ts';
import {
  formatEmail,
  formatPagerDuty,
  formatPagerDutyTest,
  formatSlack,
  formatTeams,
  formatWebhook,
  isItems,
  type Message,
  webhookId,
} from './message.ts';

/**
 * Result of sending a message. `again`: a retry may help, after `retryAfterMs` where the channel asks for it. `error` is a code
 * or a short text, never an address.
 */
export type Delivered =
  | { readonly kind: 'sent'; readonly httpStatus: number | null }
  | {
      readonly kind: 'failed';
      readonly again: boolean;
      readonly error: string;
      readonly httpStatus: number | null;
      readonly retryAfterMs: number | null;
    }
  | { readonly kind: 'not_set_up' };

/** Sends a message to a target. Never throws. At most 15 s per request, 30 s for an e-mail. */
export async function deliverMessage(
  tools: MessageTools,
  target: Target,
  modes: readonly Mode[],
  message: Message,
): Promise<Delivered> {
  const { about } = message;
  const post = (url: string, body: string, headers: Record<string, string> = JSON_HEADERS) =>
    postTo(tools, { mode: addressMode(modes), url, headers, body });
  switch (target.kind) {
    case 'email':
      return sendEmail(tools, target.to, message);
    case 'slack':
      return post(target.url, JSON.stringify(formatSlack(message)));
    case 'teams':
      return post(target.url, JSON.stringify(formatTeams(message)));
    case 'pagerduty': {
      if (!isItems(about)) return post(target.url, JSON.stringify(formatPagerDutyTest(target.routingKey, message, about.test)));
      return oneByOne(about, (item) => post(target.url, JSON.stringify(formatPagerDuty(target.routingKey, item))));
    }
    case 'webhook':
      return oneByOne(isItems(about) ? about : [null], (item) => {
        const body = formatWebhook(message, item);
        const headers = signedHeaders({ eventId: webhookId(message, item), body, secrets: [target.secret] }, message.at);
        return post(target.url, body, headers);
      });
    default:
      return target satisfies never;
  }
}

const JSON_HEADERS: Record<string, string> = { 'content-type': 'application/json', 'user-agent': 'Switchyard/0.1 (+alerts)' };

/** Ends with the first that fails: those before it are known by the same id when they are sent again. */
async function oneByOne<Item>(items: readonly Item[], send: (item: Item) => Promise<Delivered>): Promise<Delivered> {
  let last: Delivered = { kind: 'sent', httpStatus: null };
  for (const item of items) {
    last = await send(item);
    if (last.kind !== 'sent') return last;
  }
  return last;
}

async function postTo({ sender }: MessageTools, outgoing: Parameters<MessageTools['sender']['send']>[0]): Promise<Delivered> {
  const sent = await sender.send(outgoing);
  if (sent.kind === 'unanswered') return failed({ again: sent.failure !== 'address_refused', error: sent.failure });
  const { status: httpStatus, retryAfterMs } = sent;
  if (httpStatus >= 200 && httpStatus < 300) return { kind: 'sent', httpStatus };
  const again = httpStatus >= 500 || httpStatus === 408 || httpStatus === 429;
  return failed({ again, error: `status ${httpStatus}`, httpStatus, retryAfterMs });
}

function failed(
  of: Pick<Extract<Delivered, { kind: 'failed' }>, 'again' | 'error'> & Partial<Extract<Delivered, { kind: 'failed' }>>,
): Delivered {
  return { httpStatus: null, retryAfterMs: null, ...of, kind: 'failed' };
}

async function sendEmail({ mailer }: MessageTools, to: readonly string[], message: Message): Promise<Delivered> {
  if (mailer === null) return { kind: 'not_set_up' };
  try {
    await mailer.send(formatEmail(message, to));
    return { kind: 'sent', httpStatus: null };
  } catch (error) {
    const { code, responseCode } = describeMailError(error);
    const again = responseCode === null || responseCode < 500;
    return failed({ again, error: responseCode === null ? code : `${code} ${responseCode}` });
  }
}

function describeMailError(error: unknown): { readonly code: string; readonly responseCode: number | null } {
  if (!(error instanceof Error)) return { code: 'unknown', responseCode: null };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
  const responseCode = 'responseCode' in error && typeof error.responseCode === 'number' ? error.responseCode : null;
  return { code, responseCode };
}
