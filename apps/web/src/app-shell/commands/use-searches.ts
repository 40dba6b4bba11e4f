'use client';

import { IconBuildingBank, IconCode, IconCreditCard, IconReceiptRefund, IconScale, IconUser } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { DISPUTE_STATE_LABELS } from '#/copy/disputes.ts';
import { STATUS_LABELS } from '#/copy/payment-status.ts';
import { REFUND_LABELS } from '#/copy/refunds.ts';
import { MATCH_LABELS, type SearchMatch } from '#/copy/search-matches.ts';
import { SETTLEMENT_LABELS } from '#/copy/settlements.ts';
import { formatMoney } from '#/format/amounts.ts';
import { isUuid } from '#/format/uuid.ts';
import { viewerZone } from '#/format/zone.ts';
import { type Scope, scopeFilter } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCanHere } from '#/trpc/use-can.ts';
import type { Command, CommandTools } from './commands.ts';

const DEBOUNCE_MS = 250;
const SEARCH_LENGTH_MIN = 3;
const FOUND_MAX = 6;

/** Commands that open what a search found. */
interface FoundCommands {
  readonly payments: Command[];
  /** Customers whose e-mail address, phone number or id matched. */
  readonly customers: Command[];
  readonly searching: boolean;
}

/**
 * Payments found by id, order, reference, transaction, phone number, customer, amount and day, or card, and the customers among them, as
 * commands that open them; queried when typing pauses.
 */
export function usePaymentSearch(text: string, scope: Scope): FoundCommands {
  const trpc = useTRPC();
  const wanted = text.trim();
  const search = usePaused(wanted);
  const enabled = search.length >= SEARCH_LENGTH_MIN;
  const { data, isFetching } = useQuery(
    trpc.payments.list.queryOptions({ ...scopeFilter(scope), search, zone: viewerZone(), limit: FOUND_MAX }, { enabled }),
  );
  const items = enabled && search === wanted ? (data?.items ?? []) : [];
  return {
    searching: wanted.length >= SEARCH_LENGTH_MIN && (search !== wanted || isFetching),
    customers: customersOf(items).map(({ paymentId, customerEmail }) => ({
      id: `customer:${paymentId}`,
      label: customerEmail,
      icon: IconUser,
      run: ({ go }) => go(`/customers/${paymentId}`),
    })),
    payments: items.map(({ paymentId, merchantOrderId, amount, currency, displayStatus, matched }) => ({
      id: `payment:${paymentId}`,
      label: `${merchantOrderId}, ${formatMoney(currency, amount)}, ${STATUS_LABELS[displayStatus].word.toLowerCase()}${describeMatch(matched)}`,
      icon: IconCreditCard,
      run: ({ go }) => go(`/payments/${paymentId}`),
    })),
  };
}

/** A text once typing has paused. */
function usePaused(wanted: string): string {
  const [search, setSearch] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSearch(wanted), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [wanted]);
  return search;
}

/** Ids and references have no spaces, and a digit somewhere. */
const REFERENCE = /^(?=.*\d)\S{4,}$/;

/**
 * Refunds, disputes and settlements by a reference, an id or the order of their payment, as commands that open them; queried when typing
 * pauses, by those who may read them.
 */
export function useReferenceSearch(text: string, scope: Scope): Command[] {
  const trpc = useTRPC();
  const canHere = useCanHere();
  const wanted = text.trim();
  const search = usePaused(wanted);
  const isReference = REFERENCE.test(search);
  const input = { ...scopeFilter(scope), search, limit: FOUND_MAX };
  const ofPayments = { enabled: isReference && canHere('payment:read') };
  const refunds = useQuery(trpc.refunds.list.queryOptions(input, ofPayments)).data?.items ?? [];
  const disputes = useQuery(trpc.disputes.list.queryOptions(input, ofPayments)).data?.items ?? [];
  const settlements =
    useQuery(trpc.settlements.list.queryOptions(input, { enabled: isReference && canHere('report:read') })).data?.items ?? [];
  if (!isReference || search !== wanted) return [];
  return [
    ...refunds.map(({ refundId, merchantOrderId, currency, amount, state }) => ({
      id: `refund:${refundId}`,
      label: `Refund of ${merchantOrderId}, ${formatMoney(currency, amount)}, ${REFUND_LABELS[state].word.toLowerCase()}`,
      icon: IconReceiptRefund,
      run: ({ go }: CommandTools) => go('/refunds', { q: refundId }),
    })),
    ...disputes.map(({ disputeId, gatewayDisputeId, currency, amount, state }) => ({
      id: `dispute:${disputeId}`,
      label: `Dispute ${gatewayDisputeId}, ${formatMoney(currency, amount)}, ${DISPUTE_STATE_LABELS[state].word.toLowerCase()}`,
      icon: IconScale,
      run: ({ go }: CommandTools) => go(`/disputes/${disputeId}`),
    })),
    ...settlements.map(({ settlementId, reference, currency, net, status }) => ({
      id: `settlement:${settlementId}`,
      label: `Settlement ${reference}, ${formatMoney(currency, net)}, ${SETTLEMENT_LABELS[status].word.toLowerCase()}`,
      icon: IconBuildingBank,
      run: ({ go }: CommandTools) => go(`/settlements/${settlementId}`),
    })),
  ];
}

const OF_CUSTOMER: readonly (SearchMatch | null)[] = ['email', 'phone', 'customer_id'];

/** The newest payment of each customer that the search matched: merchants have their customers apart. */
function customersOf<Item extends Found>(items: readonly Item[]): Item[] {
  const found = new Map<string, Item>();
  for (const item of items) {
    const key = `${item.merchantId} ${item.customerEmail.toLowerCase()}`;
    if (OF_CUSTOMER.includes(item.matched) && !found.has(key)) found.set(key, item);
  }
  return [...found.values()];
}

interface Found {
  readonly merchantId: string;
  readonly customerEmail: string;
  readonly matched: SearchMatch | null;
}

/** The field that the search matched, unless the label shows it. */
function describeMatch(matched: SearchMatch | null): string {
  return matched === null || matched === 'order_id' ? '' : ` · ${MATCH_LABELS[matched]}`;
}

/** Requests with an API key that have the id that was entered, as commands that open them. */
export function useRequestSearch(text: string, scope: Scope): Command[] {
  const trpc = useTRPC();
  const mayRead = useCanHere()('key:read');
  const requestId = text.trim().toLowerCase();
  const enabled = isUuid(requestId) && mayRead;
  const input = { ...scopeFilter(scope), requestId, limit: FOUND_MAX };
  const { data } = useQuery(trpc.requests.list.queryOptions(input, { enabled }));
  if (!enabled) return [];
  return (data?.items ?? []).map(({ apiRequestId, method, path, status }) => ({
    id: `request:${apiRequestId}`,
    label: `${method} ${path}, ${status === null ? 'not answered' : `HTTP ${status}`}`,
    icon: IconCode,
    run: ({ go }) => go('/developers/requests', { q: requestId, request: apiRequestId }),
  }));
}
