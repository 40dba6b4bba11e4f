import { createLoader, parseAsString, parseAsStringLiteral } from 'nuqs/server';
import { periodBounds } from '#/components/filter-bar/period.ts';
import { type ListSort, listParsers, readSort } from '#/components/list/list-parsers.ts';

/** The states of a gateway webhook, in the order of their tabs. */
export const WEBHOOK_STATES = ['RECEIVED', 'PROCESSED', 'IGNORED'] as const;

/** The page's state in the URL: the account open beside the list, the open dialog, and which of the account's webhooks are listed. */
export const gatewaysParsers = {
  account: parseAsString,
  do: parseAsStringLiteral(['connect', 'edit', 'rotate'] as const),
  webhooks: parseAsStringLiteral(WEBHOOK_STATES),
  /** Days, both inclusive: `2026-11-21`, `today-6`. */
  from: parseAsString.withDefault(''),
  to: parseAsString.withDefault(''),
  sort: listParsers.sort,
};

/** Reads the page's state from the URL, on the server. */
export const loadGatewaysPage = createLoader(gatewaysParsers);

/** Leaves the account that is open, and what was shown of it. */
export const NO_ACCOUNT = { account: null, do: null, webhooks: null, from: null, to: null, sort: null } as const;

/** The orders of an account's webhooks. */
export const WEBHOOK_ORDERS: readonly [ListSort & { readonly title: string }] = [
  { by: 'received', descending: true, title: 'Received' },
];

/** Filter of an account's webhooks. */
export type WebhookFilters = Pick<Awaited<ReturnType<typeof loadGatewaysPage>>, 'webhooks' | 'from' | 'to' | 'sort'>;

const PAGE = 50;

/** The filter of an account's webhooks that their counts share, as the server takes it. */
export function toWebhookFilter(accountId: string, filters: Pick<WebhookFilters, 'from' | 'to'>) {
  const { first, end } = periodBounds(filters);
  return { accountId, receivedFrom: first, receivedTo: end };
}

/** A page of an account's webhooks. */
export function toWebhooksInput(accountId: string, filters: WebhookFilters) {
  const { descending } = readSort(filters.sort, WEBHOOK_ORDERS);
  return { ...toWebhookFilter(accountId, filters), state: filters.webhooks, newestFirst: descending, limit: PAGE };
}
