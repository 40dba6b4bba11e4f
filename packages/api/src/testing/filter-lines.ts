import type { DrawnRow } from '@switchyard/db/testing';
import type { Noun } from './nouns.ts';

/** A filter as a person means it, by the names of the dashboard: moments and days as text, amounts as numbers, `NONE` for none. */
export type MeantFilter = Readonly<Record<string, unknown>>;

/** One field of a filter: the values that are tried, and which rows it leaves. */
export interface FilterLine {
  /** Values that some rows have, that none has, and at the edges of what rows have. */
  tried(rows: readonly DrawnRow[]): readonly unknown[];
  holds(row: DrawnRow, value: unknown, filter: MeantFilter): boolean;
}

/** The fields of a filter by their names. Null for one that no row is held to: its reason stands beside it. */
export type FilterLines = Readonly<Record<string, FilterLine | null>>;

type Read = string | ((row: DrawnRow) => unknown);

const readOf = (of: Read) => (typeof of === 'string' ? (row: DrawnRow) => row[of] : of);
const textOf = (value: unknown): string | null => (value === null || value === undefined ? null : String(value));
const listed = (value: unknown): readonly string[] => (Array.isArray(value) ? value.flatMap((each) => textOf(each) ?? []) : []);

/** Different values of rows, the same for the same rows in any order. */
function valuesOf(rows: readonly DrawnRow[], of: Read): string[] {
  return [...new Set(rows.flatMap((row) => textOf(readOf(of)(row)) ?? []))].toSorted();
}

/** Few values are all tried: they are states and kinds. */
const FEW = 8;

/** All values where they are few, else the first, one in the middle and the last. */
function fewOrSome<Value>(values: readonly Value[]): readonly Value[] {
  return values.length <= FEW ? values : some(values);
}

/** Some values out of many: the first, one in the middle and the last. */
function some<Value>(values: readonly Value[]): Value[] {
  return values.filter((_, at) => at === 0 || at === values.length >> 1 || at === values.length - 1);
}

const NO_ID = '0193471e-8a3b-7c21-9f4e-2b6d5a7c9e99';

/** Any of several values, and any at all for an empty list. `none` means rows without. */
export function anyOf(
  of: Read,
  { absent = null, none = null }: { absent?: string | null; none?: string | null } = {},
): FilterLine {
  return {
    tried(rows) {
      const values = valuesOf(rows, of).filter((value) => value !== '');
      const [first] = values;
      const pairs = values.length < 2 ? [] : [[values.at(0), values.at(-1)]];
      const without = none === null ? [] : [[none], [none, first ?? none]];
      return [[], ...fewOrSome(values).map((value) => [value]), ...pairs, ...without, ...(absent === null ? [] : [[absent]])];
    },
    holds(row, value) {
      const wanted = listed(value);
      return wanted.length === 0 || wanted.includes(textOf(readOf(of)(row)) || (none ?? ''));
    },
  };
}

export const idsOf = (of: Read): FilterLine => anyOf(of, { absent: NO_ID });

/** One value; null for any. */
export function one(of: Read, absent: string | null): FilterLine {
  return {
    tried: (rows) => [...fewOrSome(valuesOf(rows, of).filter((value) => value !== '')), ...(absent === null ? [] : [absent])],
    holds: (row, value) => value === null || textOf(readOf(of)(row)) === String(value),
  };
}

export const idOf = (of: Read): FilterLine => one(of, NO_ID);

/** True or false; null for any. */
export function flag(isTrue: (row: DrawnRow) => boolean): FilterLine {
  return { tried: () => [true, false], holds: (row, value) => typeof value !== 'boolean' || isTrue(row) === value };
}

/** Only some with true, all with false. */
export function only(isOne: (row: DrawnRow) => boolean): FilterLine {
  return { tried: () => [true, false], holds: (row, value) => value !== true || isOne(row) };
}

const timeOf = (value: unknown): number => Date.parse(String(value));

function moment(of: Read, isWithin: (at: number, bound: number) => boolean): FilterLine {
  return {
    tried(rows) {
      const times = [...new Set(valuesOf(rows, of).map(timeOf))].toSorted((left, right) => left - right);
      const [low = 0, middle = low, high = middle] = some(times);
      return [middle, middle - 1, middle + 1, low, high].map((ms) => new Date(ms).toISOString());
    },
    holds(row, value) {
      const at = readOf(of)(row);
      return value === null || (at !== null && at !== undefined && isWithin(timeOf(at), timeOf(value)));
    },
  };
}

/** From this moment on. */
export const since = (of: Read): FilterLine => moment(of, (at, bound) => at >= bound);
/** Until before this moment. */
export const before = (of: Read): FilterLine => moment(of, (at, bound) => at < bound);

const nextDay = (day: string, by: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + by * 86_400_000).toISOString().slice(0, 10);

/** A day by its reading of a row, which is null for none; `whenNone` is what rows without a day are. */
function day(
  of: (row: DrawnRow, filter: MeantFilter) => string | null,
  isWithin: (of: string, bound: string) => boolean,
  whenNone: boolean,
): FilterLine {
  return {
    tried(rows) {
      const days = [...new Set(rows.flatMap((row) => of(row, {}) ?? []))].toSorted();
      return some(days).flatMap((each, place) => (place === 1 ? [each, nextDay(each, -1), nextDay(each, 1)] : [each]));
    },
    holds(row, value, filter) {
      const at = of(row, filter);
      return value === null || (at === null ? whenNone : isWithin(at, String(value)));
    },
  };
}

type DayOf = (row: DrawnRow, filter: MeantFilter) => string | null;

/** First day, inclusive. */
export const sinceDay = (of: DayOf, whenNone = false): FilterLine => day(of, (at, bound) => at >= bound, whenNone);
/** Last day, inclusive. */
export const untilDay = (of: DayOf, whenNone = false): FilterLine => day(of, (at, bound) => at <= bound, whenNone);

const dayIn =
  (column: string): DayOf =>
  (row) =>
    textOf(row[column]);

/** The day of a moment in a zone. */
export function dayOf(value: unknown, zone: string): string {
  return new Date(timeOf(value)).toLocaleDateString('en-CA', { timeZone: zone });
}

function amount(of: Read, isWithin: (amount: number, bound: number) => boolean): FilterLine {
  return {
    tried(rows) {
      const amounts = [...new Set(rows.flatMap((row) => textOf(readOf(of)(row)) ?? []).map(Number))].toSorted((a, b) => a - b);
      const whole = amounts.filter((each) => Number.isInteger(each) && each > 0);
      const middle = Math.floor(whole[whole.length >> 1] ?? amounts[amounts.length >> 1] ?? 0);
      return [middle, middle + 1, Math.max(0, middle - 1), Math.floor(amounts.at(-1) ?? 0), 0];
    },
    holds: (row, value) => value === null || isWithin(Number(readOf(of)(row)), Number(value)),
  };
}

export const atLeast = (of: Read): FilterLine => amount(of, (each, bound) => each >= bound);
export const atMost = (of: Read): FilterLine => amount(of, (each, bound) => each <= bound);

/** A date of a row that a filter chooses, as a day in Lagos. */
function chosenDay(usual: 'created' | 'paid'): DayOf {
  return (row, filter) => {
    const date = String(filter.date ?? usual);
    if (date === 'settled') return textOf(row.settled_on);
    const at = row[date === 'paid' ? 'paid_at' : 'created_at'];
    return at === null ? null : dayOf(at, 'Africa/Lagos');
  };
}

/** With a period, in which it is the date that is looked at; alone it leaves all. */
const date: FilterLine = { tried: () => ['created', 'paid', 'settled'], holds: () => true };

const createdWithin = { createdFrom: since('created_at'), createdTo: before('created_at') };
const scope = { merchantIds: anyOf('merchant_id'), mode: one('mode', null) };

/** The rows that a search finds: one of the columns with the whole text or its beginning, or the amount of a day in the zone of the filter. */
const search: FilterLine = {
  tried(rows) {
    const [first] = rows;
    const [order, customer] = [String(first?.merchant_order_id), 'buyer-1'];
    const days = ['1 Oct 2026', '30 Sep 2026', '1 Nov 2026', '31 Oct 2026'].map((each) => `2,500 ${each}`);
    return [order, order.slice(0, -1), String(first?.id), customer, 'buyer2@example.com', 'no-such', ...days];
  },
  holds(row, value, { zone = 'Africa/Lagos' }) {
    const text = String(value);
    const [, dayText] = /^2,500 (.*)$/.exec(text) ?? [];
    if (dayText !== undefined) {
      const wanted = dayOf(`${dayText} 12:00 UTC`, 'UTC');
      return row.amount === 2500 && dayOf(row.created_at, String(zone)) === wanted;
    }
    return (
      row.id === text ||
      String(row.merchant_order_id).startsWith(text) ||
      row.customer_id === text ||
      String(row.customer_email).toLowerCase() === text
    );
  },
};

function customerIs(row: DrawnRow, value: string): boolean {
  return value.includes('@') ? String(row.customer_email).toLowerCase() === value.toLowerCase() : row.customer_id === value;
}

/** Fields of the filter of payments. */
function paymentLines(none: string): FilterLines {
  return {
    ...scope,
    ...createdWithin,
    statuses: anyOf('status'),
    displayStatuses: anyOf('display_status'),
    gateways: anyOf('recommended_gateway', { none, absent: 'no-such' }),
    accountIds: idsOf('account_id'),
    methods: anyOf('used_method', { none, absent: 'OPAY' }),
    ruleIds: anyOf('rule_id', { none, absent: 'no-such' }),
    currency: one('currency', 'GHS'),
    amountFrom: atLeast('amount'),
    amountTo: atMost('amount'),
    late: flag((row) => row.late === true),
    underReview: flag((row) => row.is_under_review === true),
    reversed: flag((row) => row.reversed_at !== null),
    disputed: flag((row) => row.is_disputed === true),
    openedAt: {
      tried: () => [none, 'paystack', 'flutterwave', 'no-such'],
      holds: (row, value) => value === null || (textOf(row.account_gateway) ?? none) === value,
    },
    fellBackFrom: {
      tried: () => [[], ['paystack'], ['flutterwave'], ['paystack', 'flutterwave'], ['no-such']],
      holds: (row, value) =>
        listed(value).length === 0 || listed(row.fell_back_from).some((each) => listed(value).includes(each)),
    },
    affectedByIncident: {
      tried: (rows) => {
        const ids = [...new Set(rows.flatMap((row) => listed(row.met_incidents)))].toSorted();
        return [[], ...some(ids).map((id) => [id]), ids.slice(0, 2), [NO_ID]];
      },
      holds: (row, value) => listed(value).length === 0 || listed(row.met_incidents).some((each) => listed(value).includes(each)),
    },
    // Outcomes of payments in an incident are held to its impact in `measure-impact.test.ts`.
    incidentOutcomes: null,
    failureReasons: anyOf('failure_reason', { absent: 'review_closed' }),
    customer: {
      tried: () => ['buyer-1', 'BUYER1@example.com', 'Buyer3@Example.com', 'Buyer-1', 'no-such'],
      holds: (row, value) => value === null || customerIs(row, String(value)),
    },
    search,
    zone: { tried: () => ['Africa/Lagos', 'UTC', 'America/New_York'], holds: () => true },
  };
}

/** Rows one of whose values is the whole text; ids and e-mail addresses in any case. */
function searchOf(anyCase: readonly string[], references: readonly Read[]): FilterLine {
  return {
    tried(rows) {
      const texts = [...anyCase, ...references].flatMap((of) => {
        const values = rows.flatMap((row) => [readOf(of)(row)].flat().flatMap((value) => textOf(value) ?? []));
        return some([...new Set(values)].filter((value) => value !== '').toSorted());
      });
      const [first = NO_ID] = texts;
      return [...texts, first.toUpperCase(), first.slice(0, -1)];
    },
    holds(row, value) {
      const text = String(value);
      const isIn = (of: Read) => [readOf(of)(row)].flat().some((each) => textOf(each) === text);
      return (
        value === null ||
        anyCase.some((column) => textOf(row[column])?.toLowerCase() === text.toLowerCase()) ||
        references.some(isIn)
      );
    },
  };
}

const ofPayment = ['id', 'payment_id', 'customer_email'];

const refundLines: FilterLines = {
  ...scope,
  ...createdWithin,
  states: anyOf('state'),
  gateways: anyOf('gateway', { absent: 'no-such' }),
  paymentId: idOf('payment_id'),
  search: searchOf(ofPayment, ['reference', 'gateway_refund_id', 'merchant_order_id']),
};

const NOTES: FilterLine = {
  tried(rows) {
    const begin = (read: Read) => some(valuesOf(rows, read)).map((value) => value.slice(0, -1));
    const ofAttempts = [0, 1].flatMap((at) => begin((row) => listed(row.references)[at]));
    return [
      'the bank',
      'asked support',
      ...['reference', 'transaction_id', 'merchant_order_id'].flatMap(begin),
      ...ofAttempts,
      'no-such',
    ];
  },
  holds(row, value) {
    const text = String(value ?? '');
    const begins = [row.reference, row.transaction_id, row.merchant_order_id, ...listed(row.references)];
    const isNoted = String(row.note ?? '')
      .toLowerCase()
      .includes(text.toLowerCase());
    return text === '' || isNoted || begins.some((each) => textOf(each)?.startsWith(text) === true);
  },
};

const owned: FilterLines = { ownerId: idOf('owner_id'), unowned: flag((row) => row.owner_id === null) };

/** The fields of the filters of each noun, by the dashboard's names. `none` is how a form writes that rows have none. */
export function filterLines(none = 'NONE'): Readonly<Record<Noun, FilterLines>> {
  const settledWithin = { from: sinceDay(dayIn('settled_on'), true), to: untilDay(dayIn('settled_on'), true) };
  return {
    payment: paymentLines(none),
    review: paymentLines(none),
    refund: refundLines,
    refundApproval: { ...refundLines, states: anyOf('current_state'), search: searchOf(ofPayment, ['merchant_order_id']) },
    duplicateCharge: { ...refundLines, search: searchOf(ofPayment, ['reference', 'transaction_id', 'merchant_order_id']) },
    dispute: {
      ...refundLines,
      search: searchOf(ofPayment, ['gateway_dispute_id', 'reference', 'transaction_id', 'merchant_order_id']),
    },
    discrepancy: {
      ...scope,
      ...createdWithin,
      ...owned,
      states: anyOf('state'),
      kinds: anyOf('kind'),
      accountIds: idsOf('account_id'),
      amountFrom: atLeast('amount_in_question'),
      amountTo: atMost('amount_in_question'),
      withinTolerance: flag((row) => row.is_within_tolerance === true),
      dayFrom: sinceDay(dayIn('day')),
      dayTo: untilDay(dayIn('day')),
    },
    settlement: {
      ...scope,
      ...createdWithin,
      accountIds: idsOf('account_id'),
      statuses: anyOf('status'),
      ...settledWithin,
      unexplainedOnly: only((row) => Number(row.unexplained) > 0),
      search: searchOf(['id'], ['reference', (row) => row.line_references]),
    },
    settlementLine: {
      ...scope,
      ...createdWithin,
      ...settledWithin,
      settlementId: idOf('settlement_id'),
      kinds: anyOf('kind'),
      unmatchedOnly: only((row) => row.linked_by === null),
    },
    settlementDiscrepancy: {
      ...scope,
      ...createdWithin,
      ...owned,
      states: anyOf('state'),
      kinds: anyOf('kind'),
      abouts: anyOf('about'),
      accountIds: idsOf('account_id'),
      settlementId: idOf('settlement_id'),
      paymentId: idOf('payment_id'),
      amountFrom: atLeast('amount'),
      amountTo: atMost('amount'),
      text: NOTES,
    },
    fee: {
      ...scope,
      accountIds: idsOf('account_id'),
      date,
      from: sinceDay(chosenDay('paid')),
      to: untilDay(chosenDay('paid')),
      settlementId: idOf('settlement_id'),
      overchargedOnly: only((row) => Number(row.excess) > 0),
    },
    delivery: {
      ...scope,
      ...createdWithin,
      states: anyOf('state'),
      endpointId: idOf('endpoint_id'),
      types: anyOf('type', { absent: 'no-such' }),
      about: {
        tried: (rows) => [...['id', 'event_id', 'payment_id'].map((column) => valuesOf(rows, column)[0]), NO_ID, 'no-such'],
        holds: (row, value) => value === null || [row.id, row.event_id, row.payment_id].includes(value),
      },
    },
    bankStatement: {
      ...scope,
      createdFrom: since('taken_at'),
      createdTo: before('taken_at'),
      formats: anyOf('format', { absent: 'no-such' }),
    },
    bankLine: {
      ...scope,
      from: sinceDay(dayIn('booked_on')),
      to: untilDay(dayIn('booked_on')),
      statementId: idOf('statement_id'),
      bankAccounts: anyOf('bank_account', { absent: 'no-such' }),
      unmatchedOnly: only((row) => row.is_matched !== true),
    },
    settlementFile: {
      ...scope,
      createdFrom: since('taken_at'),
      createdTo: before('taken_at'),
      accountIds: idsOf('account_id'),
    },
    event: {
      ...scope,
      ...createdWithin,
      paymentId: idOf('payment_id'),
      type: anyOf('type', { absent: 'dispute.closed' }),
    },
    gatewayWebhook: {
      accountId: idOf('account_id'),
      state: one('counted_state', null),
      receivedFrom: since('received_at'),
      receivedTo: before('received_at'),
    },
    auditEntry: {
      merchantId: one('tenant_id', null),
      // The workspace's own chain, of which the callers here see nothing.
      workspace: null,
      actors: anyOf('actor', { absent: 'staff:no-such' }),
      actions: anyOf('action', { absent: 'no-such' }),
      objectTypes: anyOf('object_type', { absent: 'no-such' }),
      objectId: one('object_id', 'no-such'),
      from: since('created_at'),
      to: before('created_at'),
    },
    apiRequest: {
      ...scope,
      outcomes: anyOf(outcomeOf),
      methods: anyOf('method', { absent: 'DELETE' }),
      keyIds: idsOf('key_id'),
      path: {
        tried: () => ['/v1/payments', '/v1/payments/', '/v1/refunds', '/v1', '/v1/%', '/v2'],
        holds: (row, value) => value === null || String(row.path).startsWith(String(value)),
      },
      requestId: idOf('request_id'),
      paymentId: {
        // Ids are drawn: the three of all rows may be of requests outside the ten minutes.
        tried: (rows) => {
          const inTime = valuesOf(rows.filter(isInFirstMinutes), 'payment_id');
          return [...some(inTime), ...some(valuesOf(rows, 'payment_id')), NO_ID];
        },
        holds: (row, value) => value === null || (row.payment_id === value && isInFirstMinutes(row)),
      },
      endedFrom: since('ended_at'),
      endedTo: before('ended_at'),
    },
    closedIncident: {
      merchantId: one('merchant_id', null),
      mode: one('mode', null),
      severity: {
        tried: () => ['critical', 'warning'],
        holds: (row, value) => value === null || (row.severity === 'critical') === (value === 'critical'),
      },
      // The zone of times in its sentences; it selects nothing.
      zone: null,
    },
    notification: {
      merchantId: one('merchant_id', null),
      incidentId: idOf('incident_id'),
      channelId: idOf('channel_id'),
      state: one('state', null),
      // The zone of times in its sentences; it selects nothing.
      zone: null,
    },
    reconciliationRun: {
      merchantId: one('merchant_id', null),
      mode: one('mode', null),
      accountId: idOf('account_id'),
      from: sinceDay(dayIn('day')),
      to: untilDay(dayIn('day')),
    },
  };
}

/** The fields of a file of payments, which may be by another date than their creation. */
export const paymentFileLines: FilterLines = {
  ...paymentLines('NONE'),
  date,
  from: sinceDay(chosenDay('created')),
  to: untilDay(chosenDay('created')),
};

function outcomeOf({ status }: DrawnRow): string {
  if (status === null) return 'unanswered';
  const code = Number(status);
  if (code < 400) return 'succeeded';
  return code < 500 ? 'refused' : 'failed';
}

const MINUTES_MS = 600_000;

/** True for a request that ended within ten minutes after its payment was made, which the first part of the payment's id says. */
function isInFirstMinutes({ payment_id, ended_at }: DrawnRow): boolean {
  const madeAt = Number.parseInt(String(payment_id).replace('-', '').slice(0, 12), 16);
  return timeOf(ended_at) >= madeAt && timeOf(ended_at) < madeAt + MINUTES_MS;
}
