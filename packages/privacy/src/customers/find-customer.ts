import { createHmac } from 'node:crypto';
import {
  blockersOf,
  type CustomerIdentifiers,
  type CustomerSubject,
  type ErasureBlockers,
  findCustomerPayments,
  identifiersOf,
  phoneSpellings,
} from '@switchyard/payments/customers';
import { findViewsNaming } from '@switchyard/staff/saved-views';
import { countPendingDeliveries } from '@switchyard/webhooks/customers';
import { z } from 'zod';
import type { PrivacyContext } from '../context.ts';

/** Most payments of one request; a person with more is handled by narrower requests. */
export const PAYMENTS_MAX = 10_000;

/** Data found about a person. */
export interface FoundCustomer {
  readonly subject: CustomerSubject;
  readonly paymentIds: readonly string[];
  /** All that identifies them on their payments. */
  readonly identifiers: CustomerIdentifiers;
  /** Saved views that filter or search for them. */
  readonly viewIds: readonly string[];
}

/** Finds a person's payments, and what refers to them. Null with more than {@link PAYMENTS_MAX} payments. */
export async function findCustomer({ resources }: PrivacyContext, subject: CustomerSubject): Promise<FoundCustomer | null> {
  const { database } = resources;
  const paymentIds = await findCustomerPayments(database, subject, PAYMENTS_MAX + 1);
  if (paymentIds.length > PAYMENTS_MAX) return null;
  const identifiers = await identifiersOf(database, subject.merchantId, paymentIds);
  const viewIds = await findViewsNaming(database, textsOf(subject, identifiers));
  return { subject, paymentIds, identifiers, viewIds };
}

/** Every text that identifies the person, of a phone number each way in which it is written together. */
function textsOf({ email, phone, customerId }: CustomerSubject, identifiers: CustomerIdentifiers): string[] {
  const given = [email, customerId].flatMap((one) => one ?? []);
  const phones = [...identifiers.phones, ...(phone === null ? [] : [phone])].flatMap(phoneSpellings);
  return [...new Set([...given, ...identifiers.emails, ...phones, ...identifiers.customerIds])];
}

/** Shorter identifiers would be found in texts that are about something else. */
const SEARCHED_MIN = 5;

/** Texts that identify the person within others. */
export function searchedTextsOf({ subject, identifiers }: FoundCustomer): string[] {
  return textsOf(subject, identifiers).filter((text) => text.length >= SEARCHED_MIN);
}

/** Obstacles to erasing now, by kind; zero for none. */
export interface Blockers extends ErasureBlockers {
  readonly pendingDeliveries: number;
}

/** Obstacles to erasing the customer of these payments now. */
export async function erasureBlockers(
  client: Parameters<typeof blockersOf>[0],
  merchantId: string,
  paymentIds: readonly string[],
): Promise<Blockers> {
  const [ofPayments, pendingDeliveries] = [
    await blockersOf(client, merchantId, paymentIds),
    await countPendingDeliveries(client, merchantId, paymentIds),
  ];
  return { ...ofPayments, pendingDeliveries };
}

/** True if there is any obstacle. */
export function isBlocked(blockers: Blockers): boolean {
  return Object.values(blockers).some((count) => count > 0);
}

/** Sentences about what stands against it, with what ends it. */
export function describeBlockers(blockers: Blockers): string[] {
  const lines: [number, string, string][] = [
    [blockers.openPayments, 'payment is still open', 'payments are still open'],
    [
      blockers.watchedPayments,
      'payment is still watched for late money, for 72 hours after it ended',
      'payments are still watched for late money, for 72 hours after they ended',
    ],
    [blockers.openReviews, 'payment is under review', 'payments are under review'],
    [blockers.unfinishedRefunds, 'refund is not finished or needs attention', 'refunds are not finished or need attention'],
    [blockers.openDuplicateCharges, 'duplicate payment is open', 'duplicate payments are open'],
    [blockers.openDisputes, 'dispute is open', 'disputes are open'],
    [blockers.openDiscrepancies, 'discrepancy is open', 'discrepancies are open'],
    [blockers.pendingDeliveries, 'webhook delivery is still to be tried', 'webhook deliveries are still to be tried'],
  ];
  return lines.flatMap(([count, one, many]) => (count === 0 ? [] : [`${count} ${count === 1 ? one : many}.`]));
}

const text = (max: number, message: string) =>
  z
    .string('must be text')
    .trim()
    .max(max, `must have at most ${max} characters`)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not hold control characters')
    .transform((value) => (value === '' ? null : value))
    .nullable()
    .refine((value) => value === null || !value.startsWith('[erased'), message)
    .default(null);

/** The person of a request: at least one of e-mail address, phone number and the merchant's id of the customer. */
export const subjectSchema = z
  .object({
    merchantId: z.uuid('must be a merchant').toLowerCase(),
    mode: z.enum(['test', 'live']),
    email: text(320, 'must be an e-mail address').refine(
      (value) => value === null || (value.includes('@') && !value.endsWith('@customer.invalid')),
      'must be an e-mail address',
    ),
    phone: text(32, 'must be a phone number').refine(
      (value) => value === null || value.replace(/\D/g, '').length >= 7,
      'must have at least seven digits',
    ),
    customerId: text(128, 'must be a customer id'),
  })
  .refine(({ email, phone, customerId }) => email !== null || phone !== null || customerId !== null, {
    path: ['email'],
    message: 'or a phone number or a customer id must be given',
  });

/** Input of {@link subjectSchema}; omitted identifiers are null. */
export type SubjectInput = z.input<typeof subjectSchema>;

/**
 * A keyed hash of the subject, which names a person in the audit log without saying who: one who knows the identifier and holds the key
 * can tell whether an entry is about it.
 */
export function subjectHash({ resources }: PrivacyContext, subject: CustomerSubject): string {
  const { merchantId, mode, email, phone, customerId } = subject;
  const named = JSON.stringify([
    'customer',
    merchantId,
    mode,
    email?.toLowerCase() ?? null,
    phone?.replace(/\D/g, '') ?? null,
    customerId,
  ]);
  return createHmac('sha256', resources.keyPepper).update(named).digest('hex');
}

/** Kinds of the given identifiers, for the audit log. */
export function givenIdentifiers({ email, phone, customerId }: CustomerSubject): string[] {
  return [email === null ? '' : 'email', phone === null ? '' : 'phone', customerId === null ? '' : 'customerId'].filter(
    (name) => name !== '',
  );
}
