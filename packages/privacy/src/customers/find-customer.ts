import {
  blockersOf,
  type CustomerIdentifiers,
  type CustomerSubject,
  type ErasureBlockers,
  findCustomerPayments,
  identifiersOf,
} from '@switchyard/payments/customers';
import { findViewsNaming } from '@switchyard/staff/saved-views';
import { countPendingDeliveries } from '@switchyard/webhooks/customers';
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

/** Every text that identifies the person. */
export function textsOf({ email, phone, customerId }: CustomerSubject, identifiers: CustomerIdentifiers): string[] {
  const given = [email, phone, customerId].flatMap((one) => one ?? []);
  return [...new Set([...given, ...identifiers.emails, ...identifiers.phones, ...identifiers.customerIds])];
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
