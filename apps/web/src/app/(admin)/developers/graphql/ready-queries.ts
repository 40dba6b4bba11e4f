import { SHARE_FROM } from '@switchyard/routing';
import type { Group } from '#/app/(admin)/reports/filters.ts';

/** Parameters of a query. Empty lists match all. */
export interface QueryParameters {
  readonly mode: 'test' | 'live';
  readonly merchantIds: readonly string[];
  /** The first moment, and the one after the last. */
  readonly from: string;
  readonly to: string;
  /** The first and the last day. */
  readonly firstDay: string;
  readonly lastDay: string;
  readonly zone: string;
  readonly by: Group;
  /** Empty for the endpoint's default. */
  readonly currency: string;
  readonly gateways: readonly string[];
  readonly methods: readonly string[];
  readonly statuses: readonly string[];
}

/** A column of a result: where its value is in a row, and how it is shown. Counts and money have a total. */
export type Column =
  | {
      readonly title: string;
      readonly kind: 'text' | 'gateway' | 'method' | 'status' | 'moment' | 'count' | 'money';
      readonly path: string;
      /** Where a count is that is taken away from it. */
      readonly minus?: string;
    }
  | {
      readonly title: string;
      readonly kind: 'share';
      readonly part: string;
      readonly whole: readonly string[];
      /** There is no share of less than this. */
      readonly least?: number;
    };

/** The parameters that a query can have besides mode, merchant and days. */
export type Parameter = 'by' | 'currency' | 'gateway' | 'method' | 'status';

/** A ready query: what it asks, and how its answer is read. */
export interface ReadyQuery {
  readonly id: QueryId;
  readonly name: string;
  readonly about: string;
  readonly parameters: readonly Parameter[];
  /** Values of the status parameter. */
  readonly statuses: readonly string[];
  readonly text: (parameters: QueryParameters) => string;
  /** Where the rows are in the answer's data. */
  readonly rows: string;
  readonly columns: (parameters: QueryParameters) => readonly Column[];
  /** Where a row's currency is; null where the answer names the one of all its rows. */
  readonly currency: string | null;
}

/** The ids of ready queries, in the order in which they are offered. */
export const QUERY_IDS = [
  'totals',
  'success',
  'fees',
  'refunds',
  'approvals',
  'duplicates',
  'late',
  'disputes',
  'discrepancies',
  'settlement',
  'settlement-discrepancies',
  'bank',
] as const;

/** A ready query's id. */
export type QueryId = (typeof QUERY_IDS)[number];

const PAYMENT_STATUSES = ['PENDING', 'SUCCESS', 'FAILED', 'REFUNDED'] as const;
/** Rows of a list; the export has all. */
export const ROWS_MAX = 200;

const list = (values: readonly string[]) => `[${values.map((value) => JSON.stringify(value)).join(', ')}]`;
const enums = (values: readonly string[]) => `[${values.filter((value) => /^[A-Z_]+$/.test(value)).join(', ')}]`;

function optional(name: string, values: readonly string[], write: (values: readonly string[]) => string): string {
  return values.length === 0 ? '' : `, ${name}: ${write(values)}`;
}

function volumeFilter({ mode, merchantIds, from, to, gateways, methods, statuses }: QueryParameters): string {
  const rest = [
    optional('merchantIds', merchantIds, list),
    optional('gateways', gateways, list),
    optional('methods', methods, list),
    optional('statuses', statuses, enums),
  ];
  return `{ mode: ${mode}, from: "${from}", to: "${to}"${rest.join('')} }`;
}

function listFilter({ mode, merchantIds, from, to, statuses }: QueryParameters, more = ''): string {
  const rest = `${optional('merchantIds', merchantIds, list)}${optional('states', statuses, enums)}${more}`;
  return `{ mode: ${mode}, createdFrom: "${from}", createdTo: "${to}"${rest} }`;
}

function currencyArgument({ currency }: QueryParameters): string {
  return currency === '' ? '' : `, currency: ${JSON.stringify(currency)}`;
}

const GROUP_FIELDS: Readonly<Record<Group, { readonly field: string; readonly column: Column }>> = {
  day: { field: 'periodStart', column: { title: 'Day', kind: 'text', path: 'periodStart' } },
  week: { field: 'periodStart', column: { title: 'Week from', kind: 'text', path: 'periodStart' } },
  month: { field: 'periodStart', column: { title: 'Month from', kind: 'text', path: 'periodStart' } },
  gateway: { field: 'gateway', column: { title: 'Gateway', kind: 'gateway', path: 'gateway' } },
  account: { field: 'account { label gateway }', column: { title: 'Account', kind: 'text', path: 'account.label' } },
  method: { field: 'method', column: { title: 'Method', kind: 'method', path: 'method' } },
  merchant: { field: 'merchant { name }', column: { title: 'Merchant', kind: 'text', path: 'merchant.name' } },
  rule: { field: 'ruleId', column: { title: 'Rule', kind: 'text', path: 'ruleId' } },
};

/** A query of sums of payments, grouped by one dimension. */
function volumeQuery(
  query: Pick<ReadyQuery, 'id' | 'name' | 'about'> & { readonly sums: string; readonly columns: readonly Column[] },
): ReadyQuery {
  const { id, name, about, sums, columns } = query;
  return {
    id,
    name,
    about,
    parameters: ['by', 'currency', 'gateway', 'method', 'status'],
    statuses: PAYMENT_STATUSES,
    text: (parameters) => `query ${name.replace(/ \w/g, (initial) => initial.trim().toUpperCase())} {
  volume(filter: ${volumeFilter(parameters)}, groupBy: [${parameters.by}], zone: ${JSON.stringify(parameters.zone)}${currencyArgument(parameters)}) {
    ... on InvalidInput { problems }
    ... on VolumeReport {
      currency
      total { ${sums} }
      rows { ${GROUP_FIELDS[parameters.by].field} sums { ${sums} } }
    }
  }
}`,
    rows: 'volume.rows',
    columns: ({ by }) => [GROUP_FIELDS[by].column, ...columns],
    currency: null,
  };
}

/** Columns of every list: when, and the account. */
const CREATED: Column = { title: 'Created', kind: 'moment', path: 'createdAt' };
const AMOUNT: Column = { title: 'Amount', kind: 'money', path: 'amount' };
const CURRENCY: Column = { title: 'Currency', kind: 'text', path: 'currency' };
const STATE: Column = { title: 'Status', kind: 'status', path: 'state' };
const MERCHANT: Column = { title: 'Merchant', kind: 'text', path: 'merchant.name' };
const ACCOUNT: Column = { title: 'Account', kind: 'text', path: 'account.label' };

export const READY_QUERIES: readonly ReadyQuery[] = [
  volumeQuery({
    id: 'totals',
    name: 'Totals',
    about: 'Payments, amounts, refunds, fees and net of a period.',
    sums: 'payments paid paidAmount refunded fees net',
    columns: [
      { title: 'Payments', kind: 'count', path: 'sums.payments' },
      { title: 'Paid', kind: 'count', path: 'sums.paid' },
      { title: 'Paid amount', kind: 'money', path: 'sums.paidAmount' },
      { title: 'Refunded', kind: 'money', path: 'sums.refunded' },
      { title: 'Fees', kind: 'money', path: 'sums.fees' },
      { title: 'Net', kind: 'money', path: 'sums.net' },
    ],
  }),
  volumeQuery({
    id: 'success',
    name: 'Success rate',
    about: 'Of the payments that ended, how many were paid.',
    sums: 'payments paid failed expired pending',
    columns: [
      { title: 'Payments', kind: 'count', path: 'sums.payments' },
      { title: 'Paid', kind: 'count', path: 'sums.paid' },
      { title: 'Failed', kind: 'count', path: 'sums.failed', minus: 'sums.expired' },
      { title: 'Expired', kind: 'count', path: 'sums.expired' },
      { title: 'Open', kind: 'count', path: 'sums.pending' },
      { title: 'Success rate', kind: 'share', part: 'sums.paid', whole: ['sums.paid', 'sums.failed'], least: SHARE_FROM },
    ],
  }),
  volumeQuery({
    id: 'fees',
    name: 'Fees',
    about: 'What gateways charged, where they report it.',
    sums: 'paid paidAmount fees',
    columns: [
      { title: 'Paid', kind: 'count', path: 'sums.paid' },
      { title: 'Paid amount', kind: 'money', path: 'sums.paidAmount' },
      { title: 'Fees', kind: 'money', path: 'sums.fees' },
      { title: 'Fee rate', kind: 'share', part: 'sums.fees', whole: ['sums.paidAmount'] },
    ],
  }),
  {
    id: 'refunds',
    name: 'Refunds',
    about: 'Refunds requested in a period, newest first.',
    parameters: ['status'],
    statuses: ['REQUESTED', 'PROCESSING', 'SUCCEEDED', 'FAILED', 'NEEDS_ATTENTION'],
    text: (parameters) => `query Refunds {
  refunds(filter: ${listFilter(parameters)}, first: ${ROWS_MAX}) {
    edges { node { createdAt paymentId amount currency state reason account { label } } }
    pageInfo { hasNextPage }
  }
}`,
    rows: 'refunds.edges',
    columns: () => [
      CREATED,
      { title: 'Payment', kind: 'text', path: 'paymentId' },
      ACCOUNT,
      STATE,
      { title: 'Reason', kind: 'text', path: 'reason' },
      CURRENCY,
      AMOUNT,
    ],
    currency: 'currency',
  },
  {
    id: 'approvals',
    name: 'Refund approvals',
    about: 'Refunds that need a second person, requested in a period.',
    parameters: ['status'],
    statuses: ['WAITING', 'APPROVED', 'DECLINED', 'WITHDRAWN', 'EXPIRED'],
    text: (parameters) => `query RefundApprovals {
  refundApprovals(filter: ${listFilter(parameters)}, first: ${ROWS_MAX}) {
    edges { node { createdAt paymentId gateway state reason requestedBy decidedBy amount currency } }
    pageInfo { hasNextPage }
  }
}`,
    rows: 'refundApprovals.edges',
    columns: () => [
      CREATED,
      { title: 'Payment', kind: 'text', path: 'paymentId' },
      { title: 'Gateway', kind: 'gateway', path: 'gateway' },
      STATE,
      { title: 'Reason', kind: 'text', path: 'reason' },
      { title: 'Requested by', kind: 'text', path: 'requestedBy' },
      { title: 'Decided by', kind: 'text', path: 'decidedBy' },
      CURRENCY,
      AMOUNT,
    ],
    currency: 'currency',
  },
  {
    id: 'duplicates',
    name: 'Duplicate payments',
    about: 'Money received twice for one payment.',
    parameters: ['status'],
    statuses: ['OPEN', 'REFUNDING', 'REFUNDED', 'DISMISSED'],
    text: (parameters) => `query DuplicateCharges {
  duplicateCharges(filter: ${listFilter(parameters)}, first: ${ROWS_MAX}) {
    edges { node { createdAt paymentId transactionId amount currency state account { label } } }
    pageInfo { hasNextPage }
  }
}`,
    rows: 'duplicateCharges.edges',
    columns: () => [
      CREATED,
      { title: 'Payment', kind: 'text', path: 'paymentId' },
      { title: 'Transaction', kind: 'text', path: 'transactionId' },
      ACCOUNT,
      STATE,
      CURRENCY,
      AMOUNT,
    ],
    currency: 'currency',
  },
  {
    id: 'late',
    name: 'Late payments',
    about: 'Paid after they were marked failed.',
    parameters: [],
    statuses: [],
    text: (parameters) => `query LatePayments {
  payments(filter: ${listFilter({ ...parameters, statuses: [] }, ', late: true')}, first: ${ROWS_MAX}) {
    edges { node { createdAt paidAt merchantOrderId gateway amount currency merchant { name } } }
    pageInfo { hasNextPage }
  }
}`,
    rows: 'payments.edges',
    columns: () => [
      CREATED,
      { title: 'Paid', kind: 'moment', path: 'paidAt' },
      { title: 'Order', kind: 'text', path: 'merchantOrderId' },
      MERCHANT,
      { title: 'Gateway', kind: 'gateway', path: 'gateway' },
      CURRENCY,
      AMOUNT,
    ],
    currency: 'currency',
  },
  {
    id: 'disputes',
    name: 'Disputes',
    about: 'Payments that customers disputed in a period, with their files and answers.',
    parameters: ['status'],
    statuses: ['NEEDS_RESPONSE', 'UNDER_REVIEW', 'WON', 'LOST', 'ACCEPTED', 'EXPIRED', 'CLOSED'],
    text: (parameters) => `query Disputes {
  disputes(filter: ${listFilter(parameters)}, first: ${ROWS_MAX}) {
    edges { node { openedAt dueAt paymentId gatewayDisputeId state amount fee currency account { label } evidence { fileName } responses { action state } } }
    pageInfo { hasNextPage }
  }
}`,
    rows: 'disputes.edges',
    columns: () => [
      { title: 'Opened', kind: 'moment', path: 'openedAt' },
      { title: 'Due', kind: 'moment', path: 'dueAt' },
      { title: 'Payment', kind: 'text', path: 'paymentId' },
      { title: 'Dispute', kind: 'text', path: 'gatewayDisputeId' },
      ACCOUNT,
      STATE,
      CURRENCY,
      AMOUNT,
      { title: 'Fee', kind: 'money', path: 'fee' },
    ],
    currency: 'currency',
  },
  {
    id: 'discrepancies',
    name: 'Discrepancies',
    about: "Differences between our ledger and gateways' statements, found in a period.",
    parameters: ['status'],
    statuses: ['OPEN', 'EXPLAINED', 'RESOLVED'],
    text: (parameters) => `query Discrepancies {
  reconciliation(filter: ${listFilter(parameters)}, first: ${ROWS_MAX}) {
    edges { node { createdAt day kind state reference ledger statement account { label } } }
    pageInfo { hasNextPage }
  }
}`,
    rows: 'reconciliation.edges',
    columns: () => [
      CREATED,
      { title: 'Day', kind: 'text', path: 'day' },
      { title: 'Difference', kind: 'status', path: 'kind' },
      STATE,
      ACCOUNT,
      { title: 'Reference', kind: 'text', path: 'reference' },
      { title: 'Ledger', kind: 'money', path: 'ledger.amount' },
      { title: 'Statement', kind: 'money', path: 'statement.amount' },
    ],
    currency: 'statement.currency',
  },
  {
    id: 'settlement',
    name: 'Settlement',
    about: 'What gateways are expected to pay out, by account, day and currency.',
    parameters: ['currency'],
    statuses: [],
    text: (parameters) => `query Settlement {
  settlement(filter: ${volumeFilter({ ...parameters, gateways: [], methods: [], statuses: [] })}${currencyArgument(parameters)}) {
    ... on InvalidInput { problems }
    ... on SettlementList {
      data { day expectedOn currency merchant { name } account { label } payments paidAmount fees refunded comparison { comparedAt openDiscrepancies } }
    }
  }
}`,
    rows: 'settlement.data',
    columns: ({ merchantIds }) => [
      { title: 'Day', kind: 'text', path: 'day' },
      { title: 'Expected on', kind: 'text', path: 'expectedOn' },
      ...(merchantIds.length === 1 ? [] : [MERCHANT]),
      ACCOUNT,
      CURRENCY,
      { title: 'Payments', kind: 'count', path: 'payments' },
      { title: 'Paid amount', kind: 'money', path: 'paidAmount' },
      { title: 'Fees', kind: 'money', path: 'fees' },
      { title: 'Refunded', kind: 'money', path: 'refunded' },
      { title: 'Reconciled', kind: 'moment', path: 'comparison.comparedAt' },
      { title: 'Open discrepancies', kind: 'count', path: 'comparison.openDiscrepancies' },
    ],
    currency: 'currency',
  },
  {
    id: 'settlement-discrepancies',
    name: 'Settlement discrepancies',
    about: 'Differences between what was expected of gateways and what they settled, found in a period.',
    parameters: ['status'],
    statuses: ['OPEN', 'EXPLAINED', 'RESOLVED'],
    text: (parameters) => `query SettlementDiscrepancies {
  settlementDiscrepancies(filter: ${listFilter(parameters)}, first: ${ROWS_MAX}) {
    edges { node { createdAt expectedOn kind state subject expected settled amount currency account { label } } }
    pageInfo { hasNextPage }
  }
}`,
    rows: 'settlementDiscrepancies.edges',
    columns: () => [
      CREATED,
      { title: 'Expected on', kind: 'text', path: 'expectedOn' },
      { title: 'Difference', kind: 'status', path: 'kind' },
      STATE,
      ACCOUNT,
      { title: 'Subject', kind: 'text', path: 'subject' },
      CURRENCY,
      { title: 'Expected', kind: 'money', path: 'expected' },
      { title: 'Settled', kind: 'money', path: 'settled' },
      AMOUNT,
    ],
    currency: 'currency',
  },
  {
    id: 'bank',
    name: 'Bank',
    about: 'Payouts and what reached the bank of them, by account, day and currency.',
    parameters: [],
    statuses: [],
    text: ({ mode, merchantIds, firstDay, lastDay }) => `query Bank {
  bank(filter: { mode: ${mode}, from: "${firstDay}", to: "${lastDay}"${optional('merchantIds', merchantIds, list)} }) {
    days { settledOn account { label } sums { currency payouts paidOut arrived onTheWay missing notCovered difference } }
  }
}`,
    rows: 'bank.days',
    columns: () => [
      { title: 'Day', kind: 'text', path: 'settledOn' },
      ACCOUNT,
      { title: 'Currency', kind: 'text', path: 'sums.currency' },
      { title: 'Payouts', kind: 'count', path: 'sums.payouts' },
      { title: 'Paid out', kind: 'money', path: 'sums.paidOut' },
      { title: 'Arrived', kind: 'money', path: 'sums.arrived' },
      { title: 'On the way', kind: 'money', path: 'sums.onTheWay' },
      { title: 'Missing', kind: 'money', path: 'sums.missing' },
      { title: 'Not covered', kind: 'money', path: 'sums.notCovered' },
      { title: 'Difference', kind: 'money', path: 'sums.difference' },
    ],
    currency: 'sums.currency',
  },
];

/** The ready query of an id. */
export function readyQuery(id: QueryId): ReadyQuery {
  const found = READY_QUERIES.find((query) => query.id === id);
  if (found === undefined) throw new Error(`no ready query ${id}`);
  return found;
}
