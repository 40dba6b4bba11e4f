import type { Incident, Mode, Notification, NotificationChannel } from '@switchyard/db/client';
import { signedHeaders } from '@switchyard/webhooks/sending';
import { quietUntil, readQuietHours } from '../channels/channel-fields.ts';
import { type ChannelKey, findChannel } from '../channels/queries.ts';
import { addressMode, openTarget, type Target } from '../channels/targets.ts';
import type { MessageTools, SendingContext } from '../context.ts';
import {
  formatEmail,
  formatPagerDuty,
  formatPagerDutyTest,
  formatSlack,
  formatTeams,
  formatWebhook,
  isItems,
  type Message,
  type MessageItem,
  messageItem,
  webhookId,
} from './message.ts';
import { claimDueNotifications, type NotificationResult, settleNotifications, wakeForNext } from './queries.ts';

export { type MessageTools, openMessageTools, type SendingContext } from '../context.ts';

/** Lease of claimed notifications: well beyond the longest message. */
const LEASE_MS = 5 * 60_000;

/** The wait after each failed attempt, longer where the channel asks for it by `Retry-After`; none after the last. */
export const RETRY_DELAYS_MS: readonly number[] = [10_000, 30_000, 120_000, 600_000, 1_800_000];

/**
 * Task `send-notifications`: sends what is due at a channel, incidents that are due together in one message, and queues a job for what
 * is due later. After a crash between sending and recording it, a message may be sent twice.
 */
export async function sendNotifications(context: SendingContext, channelKey: ChannelKey): Promise<void> {
  const { prisma } = context.resources.database;
  const now = context.now();
  const channel = await findChannel(prisma, channelKey);
  const groupedUntil = new Date(now.getTime() + (channel?.groupSeconds ?? 0) * 1_000);
  const claimed = await prisma.$transaction((transaction) =>
    claimDueNotifications(transaction, channelKey.channelId, { now, leaseMs: LEASE_MS, groupedUntil }),
  );
  if (claimed.length > 0) await sendClaimed(context, channel, claimed);
  await prisma.$transaction((transaction) => wakeForNext(transaction, channelKey));
}

async function sendClaimed(
  context: SendingContext,
  channel: NotificationChannel | null,
  claimed: readonly Notification[],
): Promise<void> {
  const { prisma } = context.resources.database;
  const settle = (notifications: readonly Notification[], messageId: string, result: NotificationResult) =>
    settleNotifications(prisma, notifications, messageId, result, context.now());
  const tests = claimed.filter(({ incidentId }) => incidentId === null);
  const others = claimed.filter(({ incidentId }) => incidentId !== null);
  if (channel === null) return settle(claimed, context.newId(), { state: 'SKIPPED', error: 'channel_removed', httpStatus: null });
  for (const test of tests) {
    const about = {
      test: `This is a test of the channel "${channel.name}". It works.`,
      url: `${context.resources.publicUrl}/alerts/channels`,
    };
    await settle([test], test.id, await send(context, channel, { messageId: test.id, at: context.now(), about }, [test]));
  }
  if (others.length === 0) return;
  if (!channel.enabled) return settle(others, context.newId(), { state: 'SKIPPED', error: 'channel_off', httpStatus: null });
  const incidents = await prisma.incident.findMany({
    where: {
      merchantId: { in: others.map(({ merchantId }) => merchantId) },
      id: { in: others.flatMap(({ incidentId }) => incidentId ?? []) },
    },
  });
  const { due, held } = splitByQuietHours(channel, others, incidents, context.now());
  for (const { notification, until } of held) {
    await settle([notification], context.newId(), {
      state: 'PENDING',
      retryAt: until,
      error: 'quiet_hours',
      httpStatus: null,
      counts: false,
    });
  }
  if (due.length === 0) return;
  const messageId = context.newId();
  const about = itemsOf(context, channel, due, incidents);
  await settle(due, messageId, await send(context, channel, { messageId, at: context.now(), about }, due));
}

/** An incident that began and ended since the last message is reported once, as ended. */
function itemsOf(
  context: SendingContext,
  channel: NotificationChannel,
  due: readonly Notification[],
  incidents: readonly Incident[],
): MessageItem[] {
  return incidents.flatMap((incident) => {
    const events = due.filter(({ incidentId }) => incidentId === incident.id).map(({ event }) => event);
    const event = (['recovered', 'absorbed', 'escalated', 'acknowledged', 'opened'] as const).find((one) => events.includes(one));
    return event === undefined ? [] : [messageItem(context, channel.merchantId, incident, event)];
  });
}

function splitByQuietHours(
  channel: NotificationChannel,
  due: readonly Notification[],
  incidents: readonly Incident[],
  now: Date,
) {
  const hours = readQuietHours(channel.quietHours);
  const judged = due.map((notification) => {
    const incident = incidents.find(({ id }) => id === notification.incidentId);
    return { notification, until: quietUntil(hours, incident?.severity === 'critical', now) };
  });
  const held = judged.filter(({ until }) => until > now);
  return { held, due: judged.filter(({ until }) => until <= now).map(({ notification }) => notification) };
}

async function send(
  context: SendingContext,
  channel: NotificationChannel,
  message: Message,
  notifications: readonly Notification[],
): Promise<NotificationResult> {
  const { vault } = context.resources;
  const attempts = Math.max(...notifications.map((one) => one.attempts));
  const target = openTarget(vault, channel.target, { merchantId: channel.merchantId, channelId: channel.id });
  const delivered = await deliverMessage(context, target, channel.modes, message);
  return resultOf(delivered, { attempts, isTest: notifications.some(({ event }) => event === 'test'), now: context.now() });
}

function resultOf(
  delivered: Delivered,
  { attempts, isTest, now }: { readonly attempts: number; readonly isTest: boolean; readonly now: Date },
): NotificationResult {
  switch (delivered.kind) {
    case 'sent':
      return { state: 'SENT', httpStatus: delivered.httpStatus };
    case 'not_set_up':
      return { state: 'SKIPPED', error: 'email_not_set_up', httpStatus: null };
    case 'failed': {
      const { again, error, httpStatus, retryAfterMs } = delivered;
      const delayMs = RETRY_DELAYS_MS[attempts - 1];
      // A test is for immediate inspection: it is not retried.
      if (!again || isTest || delayMs === undefined) return { state: 'FAILED', error, httpStatus };
      return {
        state: 'PENDING',
        retryAt: new Date(now.getTime() + Math.max(delayMs, retryAfterMs ?? 0)),
        error,
        httpStatus,
        counts: true,
      };
    }
    default:
      return delivered satisfies never;
  }
}

/* Exports for the worker, which sends the messages. */
/**
 * Result of sending a message. `again`: a retry may help, after `retryAfterMs` where the channel asks for it. `error` is a code
 * or a short text, never an address.
 */
type Delivered =
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
