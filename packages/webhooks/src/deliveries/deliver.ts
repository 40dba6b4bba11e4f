import { aboutPayment } from '@switchyard/db';
import type { WebhooksContext } from '../context.ts';
import { openSecrets } from '../endpoints/endpoint-secrets.ts';
import { disableEndpoint } from '../endpoints/update-endpoint.ts';
import { TEST_EVENT_TYPE } from '../events/announce-event.ts';
import { readFormat, type WebhookFormat } from '../events/formats.ts';
import { readEventBody } from '../events/packed-event.ts';
import {
  type ClaimedDelivery,
  keepFormattedBody,
  recordCertificateExpiry,
  settleDeliveryAttempt,
} from './due-deliveries-queries.ts';
import { publishDeliveryAttempt } from './observe-deliveries.ts';
import type { Sender, Sent } from './send.ts';
import { headersIn } from './sign.ts';

/** Lease of a claimed delivery: well beyond the longest request. */
export const LEASE_MS = 60_000;
/** An endpoint that has failed every attempt for this long is disabled. */
const FAILING_MAX_MS = 5 * 24 * 3_600_000;
const GONE = 410;

/** An event to be sent in a gateway's format. */
export interface FormattedEvent extends Pick<ClaimedDelivery, 'merchantId' | 'eventId' | 'paymentId' | 'type' | 'mode'> {
  readonly format: Exclude<WebhookFormat, 'switchyard'>;
}

/** Writes an event in a gateway's format: the body as it is signed and sent. */
export type FormatEvent = (event: FormattedEvent) => Promise<string>;

/** Sends a delivery within a span of its trace. */
export type TraceDelivery = <T>(
  delivery: Pick<ClaimedDelivery, 'merchantId' | 'eventId' | 'paymentId' | 'type'>,
  send: () => Promise<T>,
) => Promise<T>;

/** Dependencies of sending a delivery, beside the database. */
export interface DeliveryTools {
  readonly formatEvent: FormatEvent;
  readonly sender: Sender;
  /** A number in [0, 1). */
  readonly random: () => number;
  readonly trace: TraceDelivery;
}

/** How a delivery that was sent has ended. */
export interface EndedDelivery {
  readonly outcome: 'answered' | 'timeout' | 'failed';
  /** True if another event of its payment has waited for it. */
  readonly isNextDue: boolean;
}

/** Sends a claimed delivery and records the result: delivered, to be retried, or given up. */
export async function deliver(
  context: WebhooksContext,
  claimed: ClaimedDelivery,
  { sender, random, formatEvent, trace }: DeliveryTools,
): Promise<EndedDelivery> {
  const { database } = context.resources;
  const { merchantId, endpointId, paymentId } = claimed;
  if (paymentId !== null) aboutPayment({ merchantId, paymentId });
  const startedAt = context.now();
  const body = await bodyOf(context, claimed, formatEvent);
  const sent = await trace(claimed, () => send(context, claimed, { sender, body }, startedAt));
  const endedAt = context.now();
  const retriedAt = retryAt(claimed, sent, endedAt, random());
  // Before the result, so that all that an attempt has shown is there once the delivery is settled.
  await noteCertificate(context, claimed, sender);
  const { failingSince, isNextDue } = await settleDeliveryAttempt(database, claimed, {
    startedAt,
    endedAt,
    delivered: isDelivered(sent),
    status: sent.kind === 'answered' ? sent.status : null,
    failure: sent.kind === 'answered' ? null : sent.failure,
    answer: sent.kind === 'answered' ? sent.answer : null,
    retryAt: retriedAt,
  });
  publishDeliveryAttempt({
    eventId: claimed.eventId,
    type: claimed.type,
    outcome: sent.kind === 'unanswered' ? sent.failure : isDelivered(sent) ? 'delivered' : 'refused',
    givenUp: !isDelivered(sent) && retriedAt === null,
    first: claimed.number === 1,
    seconds: (endedAt.getTime() - startedAt.getTime()) / 1_000,
    secondsSinceRecorded: (endedAt.getTime() - claimed.createdAt.getTime()) / 1_000,
  });
  const reason = reasonToSwitchOff(sent, failingSince, endedAt);
  if (reason !== null)
    await disableEndpoint(context, { merchantId, endpointId, reason, attemptedAt: startedAt, actor: 'system:worker' });
  return { outcome: outcomeOf(sent), isNextDue };
}

/** The bytes of every attempt. What was kept is sent again, also where the payment has changed since. */
async function bodyOf({ resources }: WebhooksContext, claimed: ClaimedDelivery, formatEvent: FormatEvent): Promise<string> {
  const { merchantId, eventId, paymentId, type, mode } = claimed;
  const format = readFormat(claimed.format);
  if (format === 'switchyard') return readEventBody({ ...claimed, id: eventId });
  if (claimed.formattedBody !== null) return claimed.formattedBody;
  const body = await formatEvent({ merchantId, eventId, paymentId, type, mode, format });
  await keepFormattedBody(resources.database, claimed, body);
  return body;
}

async function send(
  context: WebhooksContext,
  { mode, url, eventId, format, ...claimed }: ClaimedDelivery,
  { sender, body }: { readonly sender: Sender; readonly body: string },
  at: Date,
): Promise<Sent> {
  const secrets = openSecrets(context.resources.vault, claimed, at);
  return sender.send({ mode, url, body, secrets, headers: headersIn(readFormat(format), { eventId, body, secrets }, at) });
}

/** Writes only when the endpoint shows another certificate than at the latest delivery. */
async function noteCertificate(context: WebhooksContext, claimed: ClaimedDelivery, sender: Sender): Promise<void> {
  const expiresAt = sender.certificateExpiry(claimed.url, claimed.mode);
  if (expiresAt === null || expiresAt.getTime() === claimed.certificateExpiresAt?.getTime()) return;
  await recordCertificateExpiry(context.resources.database, claimed, expiresAt);
}

function outcomeOf(sent: Sent): EndedDelivery['outcome'] {
  if (sent.kind === 'answered') return 'answered';
  return sent.failure === 'timeout' ? 'timeout' : 'failed';
}

function isDelivered(sent: Sent): boolean {
  return sent.kind === 'answered' && sent.status >= 200 && sent.status < 300;
}

/** A test event is for immediate inspection: it is not retried. */
function retryAt({ type, roundAttempt }: ClaimedDelivery, sent: Sent, endedAt: Date, random: number): Date | null {
  const gone = sent.kind === 'answered' && sent.status === GONE;
  const delayMs = gone || type === TEST_EVENT_TYPE ? null : retryDelayMs(roundAttempt, random);
  return delayMs === null ? null : new Date(endedAt.getTime() + delayMs);
}

function reasonToSwitchOff(sent: Sent, failingSince: Date | null, now: Date): 'gone' | 'failing' | null {
  if (sent.kind === 'answered' && sent.status === GONE) return 'gone';
  return failingSince !== null && now.getTime() - failingSince.getTime() >= FAILING_MAX_MS ? 'failing' : null;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Delay from the end of one attempt to the next: 70 hours altogether. */
const DELAYS_MS: readonly number[] = [
  ...[5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS],
  ...[HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS, 8 * HOUR_MS, 12 * HOUR_MS, 14 * HOUR_MS, 14 * HOUR_MS, 14 * HOUR_MS],
];

/** Maximum share by which a delay is shortened at random, so that simultaneous failures are not retried simultaneously. */
const JITTER = 0.2;

/** Milliseconds to wait after this number of failed attempts in a row, or null to give up. `random` is in [0, 1). */
export function retryDelayMs(failedAttempts: number, random: number): number | null {
  const delay = DELAYS_MS[failedAttempts - 1];
  return delay === undefined ? null : Math.round(delay * (1 - JITTER * random));
}
