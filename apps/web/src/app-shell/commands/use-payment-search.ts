'use client';

import { IconCreditCard } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { STATUS_LABELS } from '#/copy/payment-status.ts';
import { MATCH_LABELS, type SearchMatch } from '#/copy/search-matches.ts';
import { formatMoney } from '#/format/amounts.ts';
import { type Scope, scopeFilter } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { Command } from './commands.ts';

const DEBOUNCE_MS = 250;
const SEARCH_LENGTH_MIN = 3;
const FOUND_MAX = 6;

/** Payments found by id, order, reference, transaction, phone number or customer, as commands that open them; queried when typing pauses. */
export function usePaymentSearch(text: string, scope: Scope): { commands: Command[]; searching: boolean } {
  const trpc = useTRPC();
  const wanted = text.trim();
  const [search, setSearch] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSearch(wanted), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [wanted]);
  const enabled = search.length >= SEARCH_LENGTH_MIN;
  const { data, isFetching } = useQuery(
    trpc.payments.list.queryOptions({ ...scopeFilter(scope), search, limit: FOUND_MAX }, { enabled }),
  );
  const items = enabled && search === wanted ? (data?.items ?? []) : [];
  return {
    searching: wanted.length >= SEARCH_LENGTH_MIN && (search !== wanted || isFetching),
    commands: items.map(({ paymentId, merchantOrderId, amount, currency, displayStatus, matched }) => ({
      id: `payment:${paymentId}`,
      label: `${merchantOrderId}, ${formatMoney(currency, amount)}, ${STATUS_LABELS[displayStatus].word.toLowerCase()}${describeMatch(matched)}`,
      icon: IconCreditCard,
      run: ({ go }) => go(`/payments/${paymentId}`),
    })),
  };
}

/** The field that the search matched, unless the label shows it. */
function describeMatch(matched: SearchMatch | null): string {
  return matched === null || matched === 'order_id' ? '' : ` · ${MATCH_LABELS[matched]}`;
}
