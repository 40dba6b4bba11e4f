import type { ListColumn } from '#/components/list/list-columns.ts';
import type { ListDefinition } from '#/components/list/use-list.ts';
import type { Scope } from '#/scope/scope.ts';

const FIRST: readonly ListColumn[] = [
  { id: 'alert', title: 'Alert', fixed: true },
  { id: 'severity', title: 'Severity' },
  { id: 'kind', title: 'Kind', optional: true },
];
const MERCHANT: ListColumn = { id: 'merchant', title: 'Merchant' };
const ACTIONS: ListColumn = { id: 'actions', title: 'Actions', fixed: true };

const OPEN_COLUMNS: readonly ListColumn[] = [
  MERCHANT,
  { id: 'began', title: 'Began' },
  { id: 'acknowledged', title: 'Acknowledged' },
  ACTIONS,
];
const CLOSED_COLUMNS: readonly ListColumn[] = [
  MERCHANT,
  { id: 'began', title: 'Began' },
  { id: 'ended', title: 'Ended' },
  { id: 'lasted', title: 'Duration' },
  { id: 'acknowledged', title: 'Acknowledged', optional: true },
  ACTIONS,
];

/** The columns of a list of incidents: the merchant's by default where there may be several. */
function columnsIn(columns: readonly ListColumn[], { merchantId }: Pick<Scope, 'merchantId'>): readonly ListColumn[] {
  return [...FIRST, ...columns.map((column) => (column === MERCHANT ? { ...column, optional: merchantId !== null } : column))];
}

/** The list of open incidents. */
export function openList(scope: Pick<Scope, 'merchantId'>): ListDefinition {
  return {
    page: 'alerts',
    columns: columnsIn(OPEN_COLUMNS, scope),
    orders: [
      { by: 'began', descending: true },
      { by: 'severity', descending: true },
    ],
  };
}

/** The list of incidents that have ended: older ones come page by page. */
export function closedList(scope: Pick<Scope, 'merchantId'>): ListDefinition {
  return {
    page: 'alert-history',
    columns: columnsIn(CLOSED_COLUMNS, scope),
    orders: [
      { by: 'began', descending: true },
      { by: 'ended', descending: true },
      { by: 'lasted', descending: true },
      { by: 'severity', descending: true },
    ],
  };
}
