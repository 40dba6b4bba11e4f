import { transactWithHints } from '@switchyard/db';
import { z } from 'zod';
import type { WebhooksContext } from '../context.ts';
import { announceEvent, type MerchantEventType } from './announce-event.ts';
import { readEventBody } from './packed-event.ts';

/** Asks for an event of a type in test mode, to try a webhook handler. */
export interface SendExampleEventCommand {
  readonly merchantId: string;
  readonly type: MerchantEventType;
}

/** The event record that was sent, or that no payment of the merchant has had an event of this type in test mode. */
export type SendExampleEventOutcome = { readonly kind: 'sent'; readonly body: string } | { readonly kind: 'no_such_event' };

/** Keeps the order of its fields. */
const recordSchema = z.record(z.string(), z.unknown());

/**
 * Sends the newest event of a type that a payment of test mode has had once more, under an id and a time of its own, to every endpoint of
 * test mode that subscribes to the type, and to every client that watches events. Its payment exists, and so does its refund: what handles it
 * can read and verify them. It is in no list of events, because nothing happened to the payment again.
 */
export async function sendExampleEvent(
  context: WebhooksContext,
  { merchantId, type }: SendExampleEventCommand,
): Promise<SendExampleEventOutcome> {
  const { database } = context.resources;
  const newest = await database.prisma.merchantEvent.findFirst({
    where: { merchantId, mode: 'test', type, paymentId: { not: null } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    select: { id: true, paymentId: true, packedBody: true },
  });
  if (newest === null) return { kind: 'no_such_event' };
  const now = context.now();
  const eventId = context.newId();
  const record = recordSchema.parse(JSON.parse(readEventBody(newest)));
  const body = JSON.stringify({ ...record, id: eventId, createdAt: now.toISOString() });
  const event = { merchantId, eventId, mode: 'test', paymentId: null, position: 0, type, body } as const;
  await transactWithHints(database, (transaction) => announceEvent(transaction, event, now));
  return { kind: 'sent', body };
}
