import type { Mode } from '@switchyard/db/client';
import { decimal, type FileColumn, json, moment, plain } from './file-columns.ts';
import type { FileQuery } from './list-file.ts';
import type { Bind } from './payment-keys.ts';

/** Filter of the files other than payments. Empty lists and null mean any; fields that a list lacks are absent. */
export interface ListFileFilter {
  readonly merchantIds: readonly string[];
  readonly mode: Mode;
  /** Inclusive. */
  readonly createdFrom: Date | null;
  /** Exclusive. */
  readonly createdTo: Date | null;
  readonly states?: readonly string[];
  readonly gateways?: readonly string[];
  readonly paymentId?: string | null;
  readonly accountIds?: readonly string[];
  readonly kinds?: readonly string[];
  readonly ownerId?: string | null;
  /** First and last day compared, `YYYY-MM-DD`. */
  readonly dayFrom?: string | null;
  readonly dayTo?: string | null;
  readonly endpointId?: string | null;
  readonly types?: readonly string[];
  /** The id of a delivery, an event or a payment. */
  readonly about?: string | null;
}

const REFUND_COLUMNS: readonly FileColumn[] = [
  plain('merchant_id', 'p.merchant_id', 'Whose refund it is.'),
  moment('created_at', 'p.created_at', 'When it was asked for, in UTC.'),
  plain('refund_id', 'p.id', 'Its id: refundId in the REST API.'),
  plain('mode', 'p.mode', 'test or live.'),
  plain('payment_id', 'p.payment_id', 'The payment whose money goes back.'),
  plain('state', 'p.state', 'REQUESTED, PROCESSING, SUCCEEDED, FAILED or NEEDS_ATTENTION.'),
  plain('amount', 'p.amount', 'How much, in whole main units.'),
  plain('currency', 'p.currency', 'ISO 4217.'),
  plain('gateway', 'p.gateway', 'The gateway it goes through.'),
  plain('account_id', 'p.account_id', 'The account it goes through.'),
  plain('reference', 'p.reference', 'Our reference of it.'),
  plain('gateway_refund_id', 'p.gateway_refund_id', "The gateway's own id of it."),
  plain('duplicate', 'p.duplicate', 'Whether it returns money that was charged a second time.'),
  plain('mismatched', 'p.mismatched', 'Whether it returns money that did not match its order.'),
  plain('requested_by', 'p.requested_by', 'Who asked for it.'),
  plain('reason', 'p.reason', 'Why, as given.'),
  plain('failure_message', 'p.failure_message', 'Why it failed.'),
  plain('note', 'p.note', 'What the person who dismissed it after it failed wrote.'),
  plain('resolved_by', 'p.resolved_by', 'Who dismissed it after it failed, or requested another in its place.'),
  moment('resolved_at', 'p.resolved_at', 'When, in UTC.'),
  moment('updated_at', 'p.updated_at', 'When it last changed, in UTC.'),
];

const DUPLICATE_COLUMNS: readonly FileColumn[] = [
  plain('merchant_id', 'p.merchant_id', 'Whose payment was paid twice.'),
  moment('created_at', 'p.created_at', 'When it was found, in UTC.'),
  plain('duplicate_charge_id', 'p.id', 'Its id.'),
  plain('mode', 'p.mode', 'test or live.'),
  plain('payment_id', 'p.payment_id', 'The payment that had been paid.'),
  plain('state', 'p.state', 'OPEN, REFUNDING, REFUNDED or DISMISSED.'),
  decimal('amount', 'p.amount', 'How much came, exactly.'),
  plain('currency', 'p.currency', 'ISO 4217.'),
  plain('gateway', 'p.gateway', 'The gateway that was paid again.'),
  plain('account_id', 'p.account_id', 'The account that was paid again.'),
  plain('reference', 'p.reference', 'Our reference at the gateway.'),
  plain('transaction_id', 'p.transaction_id', "The gateway's own id of the transaction."),
  plain('refund_id', 'p.refund_id', 'The refund that gives it back.'),
  plain('note', 'p.note', 'What the person who settled it wrote.'),
  plain('resolved_by', 'p.resolved_by', 'Who settled it.'),
  moment('resolved_at', 'p.resolved_at', 'When, in UTC.'),
];

const DISCREPANCY_COLUMNS: readonly FileColumn[] = [
  plain('merchant_id', 'p.merchant_id', 'Whose books they are.'),
  moment('created_at', 'p.created_at', 'When it was found, in UTC.'),
  plain('difference_id', 'p.id', 'Its id.'),
  plain('mode', 'p.mode', 'test or live.'),
  plain('day', 'p.day', 'The day that was compared.'),
  plain('gateway', 'p.gateway', 'The gateway whose list it is.'),
  plain('account_id', 'p.account_id', 'The account whose day was compared.'),
  plain('kind', 'p.kind', 'MISSING_HERE, MISSING_THERE, STATUS, CURRENCY or AMOUNT.'),
  plain('state', 'p.state', 'OPEN, EXPLAINED or RESOLVED.'),
  plain('payment_id', 'p.payment_id', 'The payment it is about, where we have one.'),
  plain('refund_id', 'p.refund_id', 'The refund it is about, where it is about one.'),
  plain('reference', 'p.reference', 'Our reference at the gateway.'),
  plain('transaction_id', 'p.transaction_id', "The gateway's own id of the transaction."),
  json('ours', 'p.ledger', 'What our books say.'),
  json('theirs', 'p.statement', "What the gateway's list says."),
  plain('note', 'p.note', 'What its owner wrote.'),
  plain('settled_why', 'p.resolution', 'Why it counts as settled.'),
  moment('settled_at', 'p.resolved_at', 'When it was, in UTC.'),
];

const DELIVERY_COLUMNS: readonly FileColumn[] = [
  plain('merchant_id', 'p.merchant_id', 'Whose endpoint it goes to.'),
  moment('created_at', 'p.created_at', 'When the event happened, in UTC.'),
  plain('delivery_id', 'p.id', 'Its id.'),
  plain('mode', 'e.mode', 'test or live.'),
  plain('endpoint_id', 'p.endpoint_id', 'The endpoint.'),
  plain('event_id', 'p.event_id', 'Id of the event record: webhook-id.'),
  plain('payment_id', 'p.payment_id', 'The payment it tells of.'),
  plain('type', 'p.type', 'Type of the event.'),
  plain('state', 'p.state', 'PENDING, DELIVERED or FAILED.'),
  plain('attempts', 'p.attempts', 'How often it was tried.'),
  plain('last_status', 'p.last_status', 'HTTP status of the last answer.'),
  plain('last_failure', 'p.last_failure', 'Why the last try failed.'),
  moment('delivered_at', 'p.delivered_at', 'When it arrived, in UTC.'),
  moment('updated_at', 'p.updated_at', 'When it last changed, in UTC.'),
];

/** A file of refunds. */
export const refundFile = (filter: ListFileFilter) => fileQuery(filter, 'refund AS p', REFUND_COLUMNS, 'time');

/** A file of duplicate charges. */
export const duplicateChargeFile = (filter: ListFileFilter) =>
  fileQuery(filter, 'duplicate_charge AS p', DUPLICATE_COLUMNS, 'time');

/** A file of discrepancies between gateways' statements and the ledger. */
export const discrepancyFile = (filter: ListFileFilter) =>
  fileQuery(filter, 'reconciliation_discrepancy AS p', DISCREPANCY_COLUMNS, 'time');

/** A file of webhook deliveries, by id: no index orders them by time. */
export function deliveryFile(filter: ListFileFilter): FileQuery {
  const from = 'webhook_delivery AS p JOIN webhook_endpoint AS e ON e.merchant_id = p.merchant_id AND e.id = p.endpoint_id';
  return fileQuery(filter, from, DELIVERY_COLUMNS, 'id');
}

function fileQuery(filter: ListFileFilter, from: string, columns: readonly FileColumn[], order: FileQuery['order']): FileQuery {
  const mode = columns.find(({ name }) => name === 'mode')?.sql ?? 'p.mode';
  const conditions = (bind: Bind) => [`${mode} = ${bind(filter.mode)}::mode`, ...conditionsOf(filter, bind)];
  return { merchantIds: filter.merchantIds, from, columns, order, conditions };
}

function conditionsOf(filter: ListFileFilter, bind: Bind): string[] {
  const some = (sql: string, chosen: readonly string[] = []) =>
    chosen.length === 0 ? [] : [`${sql}::text = ANY (${bind(chosen)}::text[])`];
  const one = (sql: string, value: string | Date | null | undefined, type: string) =>
    value === null || value === undefined ? [] : [`${sql} ${bind(value)}::${type}`];
  const { about = null, accountIds = [] } = filter;
  const id = about === null ? '' : `${bind(about)}::uuid`;
  return [
    ...one('p.created_at >=', filter.createdFrom, 'timestamptz'),
    ...one('p.created_at <', filter.createdTo, 'timestamptz'),
    ...some('p.state', filter.states),
    ...some('p.gateway', filter.gateways),
    ...some('p.kind', filter.kinds),
    ...some('p.type', filter.types),
    ...one('p.payment_id =', filter.paymentId, 'uuid'),
    ...(accountIds.length === 0 ? [] : [`p.account_id = ANY (${bind(accountIds)}::uuid[])`]),
    ...one('p.owner_id =', filter.ownerId, 'uuid'),
    ...one('p.endpoint_id =', filter.endpointId, 'uuid'),
    ...one('p.day >=', filter.dayFrom, 'date'),
    ...one('p.day <=', filter.dayTo, 'date'),
    ...(about === null ? [] : [`(p.id = ${id} OR p.event_id = ${id} OR p.payment_id = ${id})`]),
  ];
}
