import { gatewayTitle } from '@switchyard/gateways/names';
import { ANY_PAYMENT } from '@switchyard/payments/lists';
import { listDuplicateCharges, listRefundsFor, listReviews } from '@switchyard/payments/refunds';
import { listOpenDisputes, listRecentReversals, type OpenDispute, REVERSALS_SHOWN_MS } from '@switchyard/payments/reversals';
import { describeFault } from '@switchyard/provider-health';
import { describeHealth } from '@switchyard/provider-health/console';
import { ANY_DISCREPANCY, listDiscrepancies } from '@switchyard/reconciliation/discrepancies';
import { groupDecimal, type StoredHealthReason } from '@switchyard/routing';
import {
  isOwnWork,
  listApprovalRequests,
  listDrafts,
  listWaiverRequests,
  type RuleDraftInList,
} from '@switchyard/rule-sets/drafts';
import { listMerchantsWithoutSecondApprover } from '@switchyard/staff/grants';
import { merchantsWhere, type Permission } from '@switchyard/staff/permissions';
import { type EndpointInList, listEndpoints } from '@switchyard/webhooks/endpoints';
import { z } from 'zod';
import type { Switchyard } from '../process.ts';

import { permitted, resolveMerchants, router } from './procedure.ts';

/** An item that needs attention. */
export interface AttentionItem {
  readonly kind:
    | 'configuration'
    | 'account'
    | 'review'
    | 'dispute'
    | 'reversal'
    | 'duplicate_charge'
    | 'failed_refund'
    | 'refund'
    | 'endpoint'
    | 'discrepancy'
    | 'draft'
    | 'approval'
    | 'approval_waiver'
    | 'no_second_person';
  /** The record it is about, for a link. */
  readonly objectId: string;
  readonly merchantId: string;
  readonly merchantName: string;
  readonly title: string;
  /** One sentence; the facts of an account's health. */
  readonly why: StoredHealthReason;
  readonly since: Date | null;
}

/** Counting stops at this many of one kind; the linked page lists all. */
const OF_A_KIND = 20;
const DRAFTS_OF_MERCHANTS = 20;

interface AttentionQuery {
  readonly switchyard: Switchyard;
  readonly mode: 'test' | 'live';
  readonly staffId: string;
  /** The given merchants for which the staff user has the permission. */
  readonly where: (permission: Permission) => readonly string[];
  readonly nameOf: (merchantId: string) => string;
}

type Source = (query: AttentionQuery) => Promise<readonly AttentionItem[]>;

const timeInWords = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', dateStyle: 'long', timeStyle: 'short' });
const dayInWords = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'long' });

const firstPage = { after: null, limit: OF_A_KIND } as const;
const anyMoney = { gateways: [], paymentId: null, createdFrom: null, createdTo: null, ...firstPage } as const;
const money = (amount: bigint | string, currency: string): string => `${currency} ${groupDecimal(amount)}`;

const redAccounts: Source = async ({ switchyard, mode, where, nameOf }) => {
  const merchantIds = where('health:read');
  if (merchantIds.length === 0) return [];
  const { accounts } = await describeHealth(switchyard.payments, { merchantIds, mode });
  return accounts.flatMap(({ accountId, merchantId, gatewayTitle, label, health, fault }) => {
    // Listed as out of rotation: its health cannot change until that is fixed.
    if (fault !== null) return [];
    const red = health.filter(({ state }) => state === 'down' || state === 'degraded');
    const worst = red.find(({ state }) => state === 'down') ?? red[0];
    if (worst === undefined) return [];
    const title = `${gatewayTitle} (${label}) is ${worst.state}`;
    const of = { merchantId, merchantName: nameOf(merchantId) };
    return [{ kind: 'account', objectId: accountId, ...of, title, why: worst.why, since: worst.since }];
  });
};

const misconfigured: Source = async ({ switchyard, mode, where, nameOf }) => {
  const { configuration } = switchyard.resources;
  await configuration.ready();
  const accounts = where('gateway:read').flatMap((merchantId) => configuration.merchant(merchantId)?.accounts ?? []);
  return accounts
    .filter((account) => account.mode === mode && account.enabled)
    .flatMap((account) => {
      const fault = describeFault(account);
      if (fault === null) return [];
      const { id: objectId, merchantId, gateway, label } = account;
      const title = `${gatewayTitle(gateway)} (${label}) is out of rotation`;
      return [
        {
          kind: 'configuration',
          objectId,
          merchantId,
          merchantName: nameOf(merchantId),
          title,
          why: fault.sentence,
          since: fault.since,
        } as const,
      ];
    });
};

const reviews: Source = async ({ switchyard, mode, where, nameOf }) => {
  const query = { ...ANY_PAYMENT, ...firstPage, mode, merchantIds: where('payment:read') };
  const { items } = await listReviews(switchyard.payments, query);
  return items.map((review) => ({
    kind: 'review',
    objectId: review.paymentId,
    merchantId: review.merchantId,
    merchantName: nameOf(review.merchantId),
    title: `Order ${review.merchantOrderId} is for review`,
    why: `${review.reviewReason ?? 'The amount received does not match the order.'} ${refundFailed(review.refunding ? null : review.failureMessage)}`.trim(),
    since: review.createdAt,
  }));
};

const disputes: Source = async ({ switchyard, mode, where, nameOf }) => {
  const query = { merchantIds: where('payment:read'), mode, limit: OF_A_KIND };
  const found = await listOpenDisputes(switchyard.resources.database, query);
  return found.map((dispute) => ({
    kind: 'dispute',
    objectId: dispute.paymentId,
    merchantId: dispute.merchantId,
    merchantName: nameOf(dispute.merchantId),
    title: `Order ${dispute.merchantOrderId} is disputed`,
    why: whyDisputed(dispute),
    since: dispute.openedAt,
  }));
};

function whyDisputed({ gateway, amount, currency, category, needsResponse, dueAt }: OpenDispute): string {
  const sum = `${money(amount, currency)} at ${gatewayTitle(gateway)}${category === null ? '' : ` (${category})`}`;
  if (!needsResponse) return `${sum} is under review by the bank.`;
  const due = dueAt === null ? 'soon' : `by ${timeInWords.format(dueAt)} UTC`;
  return `${sum} is lost unless it is answered in the gateway's dashboard ${due}.`;
}

const reversals: Source = async ({ switchyard, mode, where, nameOf }) => {
  const since = new Date(switchyard.payments.now().getTime() - REVERSALS_SHOWN_MS);
  const query = { merchantIds: where('payment:read'), mode, limit: OF_A_KIND, since };
  const found = await listRecentReversals(switchyard.resources.database, query);
  return found.map(({ paymentId, merchantId, merchantOrderId, gateway, amount, currency, cause, reversedAt }) => ({
    kind: 'reversal',
    objectId: paymentId,
    merchantId,
    merchantName: nameOf(merchantId),
    title: `Order ${merchantOrderId} was reversed`,
    why: `${gatewayTitle(gateway)} took ${money(amount, currency)} back: ${cause === 'chargeback' ? 'a dispute was lost' : 'it gives no reason'}.`,
    since: reversedAt,
  }));
};

const duplicates: Source = async ({ switchyard, mode, where, nameOf }) => {
  const query = { ...anyMoney, mode, merchantIds: where('payment:read'), states: ['OPEN'] } as const;
  const { items } = await listDuplicateCharges(switchyard.payments, query);
  return items.map((charge) => ({
    kind: 'duplicate_charge',
    objectId: charge.duplicateChargeId,
    merchantId: charge.merchantId,
    merchantName: nameOf(charge.merchantId),
    title: `Order ${charge.merchantOrderId} was charged twice`,
    why: `${money(charge.amount, charge.currency)} was received a second time and has not been refunded. ${refundFailed(charge.failureMessage)}`.trim(),
    since: charge.createdAt,
  }));
};

const failedRefunds: Source = async ({ switchyard, mode, where, nameOf }) => {
  const query = { ...anyMoney, mode, merchantIds: where('payment:read'), states: [], unresolved: true } as const;
  const { items } = await listRefundsFor(switchyard.payments, query);
  return items.map((refund) => ({
    kind: 'failed_refund',
    objectId: refund.paymentId,
    merchantId: refund.merchantId,
    merchantName: nameOf(refund.merchantId),
    title: `Refund of order ${refund.merchantOrderId} failed`,
    why: `${money(refund.amount, refund.currency)} was not returned. ${sentence(refund.failureMessage)}Refund it again, or dismiss it if the customer has the money.`,
    since: refund.updatedAt,
  }));
};

const refunds: Source = async ({ switchyard, mode, where, nameOf }) => {
  const query = { ...anyMoney, mode, merchantIds: where('payment:read'), states: ['NEEDS_ATTENTION'] } as const;
  const { items } = await listRefundsFor(switchyard.payments, query);
  return items.map((refund) => ({
    kind: 'refund',
    objectId: refund.paymentId,
    merchantId: refund.merchantId,
    merchantName: nameOf(refund.merchantId),
    title: `Refund of order ${refund.merchantOrderId} needs attention`,
    why: `${money(refund.amount, refund.currency)} has not been returned. ${sentence(refund.failureMessage)}Complete it in the gateway's dashboard, then check its status here.`,
    since: refund.updatedAt,
  }));
};

function refundFailed(message: string | null): string {
  return message === null ? '' : `The last refund of it failed: ${message}`;
}

/** A gateway's message with a full stop and a trailing space; empty without a message. */
function sentence(message: string | null): string {
  if (message === null || message === '') return '';
  return /[.!?]$/.test(message) ? `${message} ` : `${message}. `;
}

const endpoints: Source = async ({ switchyard, mode, where, nameOf }) => {
  const merchantIds = where('webhook:read');
  if (merchantIds.length === 0) return [];
  const found = await listEndpoints(switchyard, { merchantIds, mode, inTrouble: true });
  return found.slice(0, OF_A_KIND).map((endpoint) => ({
    kind: 'endpoint',
    objectId: endpoint.id,
    merchantId: endpoint.merchantId,
    merchantName: nameOf(endpoint.merchantId),
    title: `Webhooks to ${endpoint.url} fail`,
    why: whyFailing(endpoint),
    since: endpoint.failingSince,
  }));
};

function whyFailing({ enabled, traffic: { attempts, delivered, waiting } }: EndpointInList): string {
  if (!enabled) return 'The endpoint was switched off because of it; its merchant receives nothing.';
  return `${attempts - delivered} of ${attempts} attempts of the last 24 hours failed, ${waiting} ${waiting === 1 ? 'delivery is' : 'deliveries are'} waiting.`;
}

const discrepancies: Source = async ({ switchyard, mode, where, nameOf }) => {
  const merchantIds = where('report:read');
  if (merchantIds.length === 0) return [];
  const sort = { by: 'day', order: 'desc' } as const;
  const query = { ...ANY_DISCREPANCY, ...firstPage, sort, merchantIds, mode, states: ['OPEN'] } as const;
  const { items } = await listDiscrepancies(switchyard.payments, query);
  return items.map(({ discrepancyId, merchantId, day, gatewayTitle, kind, createdAt }) => ({
    kind: 'discrepancy',
    objectId: discrepancyId,
    merchantId,
    merchantName: nameOf(merchantId),
    title: `The statement of ${gatewayTitle} differs from our ledger of ${dayInWords.format(new Date(`${day}T12:00:00Z`))}`,
    why: DISCREPANCIES[kind],
    since: createdAt,
  }));
};

const DISCREPANCIES = {
  MISSING_HERE: 'It lists a payment that our ledger does not have.',
  MISSING_THERE: 'It does not list a payment that our ledger has as paid.',
  STATUS: 'It has another status for a payment.',
  CURRENCY: 'It names another currency.',
  AMOUNT: 'It names another amount.',
} as const;

const approvals: Source = async ({ switchyard, mode, staffId, where, nameOf }) => {
  const found = await listApprovalRequests(switchyard, { merchantIds: where('routing:publish'), mode, staffId });
  return found.slice(0, OF_A_KIND).map(({ draftId, merchantId, name, requesterName, requestedAt }) => ({
    kind: 'approval',
    objectId: draftId,
    merchantId,
    merchantName: nameOf(merchantId),
    since: requestedAt,
    title: `${requesterName ?? 'A colleague'} asks you to approve ${name === null ? 'a draft of rules' : `the rules "${name}"`}`,
    why: 'They are published only after a second person approved them.',
  }));
};

const waivers: Source = async ({ switchyard, staffId, where, nameOf }) => {
  const found = await listWaiverRequests(switchyard, { merchantIds: where('merchant:update'), staffId });
  return found.slice(0, OF_A_KIND).map(({ merchantId, requesterName, requestedAt }) => ({
    kind: 'approval_waiver',
    objectId: merchantId,
    merchantId,
    merchantName: nameOf(merchantId),
    since: requestedAt,
    title: `${requesterName ?? 'A colleague'} asks you to let one person publish rules`,
    why: 'If you agree, rules are published without the approval of a second person.',
  }));
};

const unapprovable: Source = async ({ switchyard, where, nameOf }) => {
  const found = await listMerchantsWithoutSecondApprover(switchyard, where('routing:publish'));
  return found.slice(0, OF_A_KIND).map((merchantId) => ({
    kind: 'no_second_person',
    objectId: merchantId,
    merchantId,
    merchantName: nameOf(merchantId),
    since: null,
    title: 'Rules cannot be published',
    why: 'They need the approval of a second person, and no other person can approve them any more.',
  }));
};

const drafts: Source = async ({ switchyard, mode, staffId, where, nameOf }) => {
  const merchantIds = where('routing:publish').slice(0, DRAFTS_OF_MERCHANTS);
  const found = await Promise.all(merchantIds.map((merchantId) => listDrafts(switchyard, { merchantId, mode })));
  const waiting = found
    .flat()
    .filter(({ state, scheduleRefusal }) => state === 'DRAFT' || scheduleRefusal !== null)
    .filter((draft) => draft.approval.state !== 'requested' || isOwnWork(draft, `staff:${staffId}`));
  return waiting.slice(0, OF_A_KIND).map((draft) => ({
    kind: 'draft',
    objectId: draft.draftId,
    merchantId: draft.merchantId,
    merchantName: nameOf(draft.merchantId),
    title: `Draft ${draft.name === null ? 'of rules' : `"${draft.name}"`} is not published`,
    why: whyUnpublished(draft),
    since: draft.createdAt,
  }));
};

function whyUnpublished({ scheduleRefusal, approval }: RuleDraftInList): string {
  if (scheduleRefusal !== null) return 'It was refused at the time it was to be published.';
  switch (approval.state) {
    case 'requested':
      return 'It waits for the approval of a second person.';
    case 'approved':
      return 'It was approved and can be published.';
    case 'rejected':
      return 'The second person declined it.';
    case 'none':
      return 'The version in force stays as it is.';
    default:
      return approval satisfies never;
  }
}

const SOURCES: readonly Source[] = [
  misconfigured,
  redAccounts,
  disputes,
  duplicates,
  reversals,
  reviews,
  failedRefunds,
  refunds,
  endpoints,
  discrepancies,
  unapprovable,
  approvals,
  waivers,
  drafts,
];

/** The items that need attention, of all that the caller may see: the most urgent kind first. */
export const attention = router({
  list: permitted('payment:read')
    .input(z.object({ merchantId: z.uuid().nullable().default(null), mode: z.enum(['test', 'live']) }))
    .query(async ({ ctx, input: { merchantId, mode } }) => {
      const { switchyard, session } = ctx;
      const inQuestion = resolveMerchants(ctx, merchantId);
      const where = (permission: Permission) => merchantsWhere(session, permission, inQuestion);
      const nameOf = (id: string) => switchyard.resources.configuration.merchant(id)?.merchant.name ?? id;
      const found = await Promise.all(
        SOURCES.map((source) => orNull(switchyard, source({ switchyard, mode, staffId: session.staffId, where, nameOf }))),
      );
      return { items: found.flatMap((items) => items ?? []), incomplete: found.includes(null) };
    }),
});

/** A failing source must not hide the items of the others. */
async function orNull(switchyard: Switchyard, items: ReturnType<Source>): Promise<readonly AttentionItem[] | null> {
  try {
    return await items;
  } catch (error) {
    switchyard.log.error({ error }, 'could not collect what needs attention');
    return null;
  }
}
