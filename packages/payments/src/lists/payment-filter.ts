import { type Database, isUuid } from '@switchyard/db';
import { Prisma } from '@switchyard/db/client';
import { compares, isCreatedWithin, type TenantList } from '@switchyard/db/lists';
import { conditionsOf } from '@switchyard/nouns';
import type { DisplayStatus } from '@switchyard/reporting/display-status';
import { canonicalPhone } from '../record/phone.ts';
import { namedPayment } from '../record/plan.ts';
import { findMetPayments } from './impact/read-met-payments.ts';
import { parseSearch, type SearchedFacts } from './parse-search.ts';
import { type PaymentFilter, paymentNoun } from './payment-noun.ts';

const NAMED_PAYMENT = Prisma.raw(namedPayment('reference'));

/** Field of a payment that a search matched. */
export type SearchMatch =
  /** The payment's own id. */
  | 'payment_id'
  /** The beginning of the merchant's order id. */
  | 'order_id'
  /** The reference of an attempt at its gateway. */
  | 'reference'
  /** The gateway's own id of the transaction. */
  | 'transaction_id'
  /** The customer's e-mail address, or its beginning, in any case. */
  | 'email'
  /** The merchant's own id of the customer. */
  | 'customer_id'
  /** The customer's phone number, in any spelling, or the last four or more of its digits. */
  | 'phone'
  /** The amount, with the day or the currency, as {@link parseSearch} reads them. */
  | 'amount'
  /** The last four digits of the card that paid, and the amount or the day where they are given. */
  | 'card';

/** The list of a filter's payments, with the field of each that a search matched. */
export interface PaymentList extends TenantList {
  /** By the ids of payments; empty without a search. */
  readonly matches: ReadonlyMap<string, SearchMatch>;
  /** True if a search found as many as are looked up, so that there may be older ones. */
  readonly isCut: boolean;
}

/**
 * The list of a filter's payments. A search is looked up first; `now` is what its `yesterday` is counted from. `isAllMerchants` when the filter
 * names every merchant there is.
 */
export async function paymentList(
  database: Database,
  filter: PaymentFilter,
  isAllMerchants = false,
  now = new Date(),
): Promise<PaymentList> {
  const search = filter.search?.trim() || null;
  const open = isOpenOnly(filter) ? await findOpenPayments(database, filter) : null;
  const matches = search === null ? new Map<string, SearchMatch>() : await searchPayments(database, filter, search, now);
  const found = search === null ? [] : [isAnyOf([...matches.keys()])];
  const [fellBack, affected] = await Promise.all([isFallenBack(database, filter), isAffected(database, filter)]);
  const conditions = [
    ...conditionsOf(paymentNoun, filter),
    ...found,
    ...(open === null ? [] : [isAnyOf(open)]),
    ...fellBack,
    ...affected,
  ];
  const isCut = matches.size >= FOUND_MAX;
  return {
    table: 'payment',
    merchantIds: filter.merchantIds,
    conditions,
    by: isAllMerchants ? 'time' : 'merchant',
    matches,
    isCut,
  };
}

/** Payments with their list. */
export const payments = {
  ...paymentNoun,
  find: (database: Database, filter: PaymentFilter): Promise<PaymentList> => paymentList(database, filter),
};

function isAnyOf(ids: readonly string[]): Prisma.Sql {
  return Prisma.sql`p.id = ANY (${ids}::uuid[])`;
}

function isOpenOnly({ statuses = [], displayStatuses = [] }: Pick<PaymentFilter, 'statuses' | 'displayStatuses'>): boolean {
  const isOpen = (status: DisplayStatus) => status === 'INITIATED' || status === 'PENDING';
  return [statuses, displayStatuses].some((wanted) => wanted.length > 0 && wanted.every(isOpen));
}

/** More open payments than these are so many of the newest that a list of them begins near its end. */
const OPEN_MAX = 5_000;

/**
 * Payments among which all INITIATED and PENDING ones are: an open payment has a check to come or is under review. Null when they are too
 * many to name.
 */
async function findOpenPayments(
  database: Database,
  { merchantIds, mode }: Pick<PaymentFilter, 'merchantIds' | 'mode'>,
): Promise<string[] | null> {
  const rows = await database.prisma.$queryRaw<{ id: string }[]>`
    (SELECT payment_id AS id FROM payment_check WHERE merchant_id = ANY (${merchantIds}::uuid[]) LIMIT ${OPEN_MAX + 1})
    UNION ALL
    (SELECT id FROM payment WHERE merchant_id = ANY (${merchantIds}::uuid[]) AND mode = ${mode}::mode AND review = 'OPEN'
      LIMIT ${OPEN_MAX + 1})`;
  return rows.length > OPEN_MAX ? null : rows.map(({ id }) => id);
}

const FOUND_MAX = 200;
/** Shorter texts begin too many addresses to be worth showing. */
const EMAIL_LENGTH_MIN = 3;
/** Fewer digits end too many numbers to be worth showing. */
const PHONE_DIGITS_MIN = 4;
/** The digits of a number that the index has, the last one first. */
const PHONE_DIGITS = 7;
/** The most payments with the same end of the phone number that are looked at: a number that a shop sends for any customer may end so. */
const PHONES_READ_MAX = 1_000;
const PHONE = /^[+\d][\d\s().-]*$/;

interface Found {
  readonly id: string;
  readonly matched: SearchMatch;
  /** Null unless the phone number matched. */
  readonly phone: string | null;
}

/**
 * The payments that a search finds, by their ids: at most 200, the newest of a customer's or of an e-mail address that is not complete,
 * each by an index. Within the statement of the list, the planner would take them for more than they are.
 */
async function searchPayments(
  database: Database,
  filter: Pick<PaymentFilter, 'merchantIds' | 'mode' | 'zone'>,
  search: string,
  now: Date,
): Promise<ReadonlyMap<string, SearchMatch>> {
  if (isUuid(search)) return new Map([[search.toLowerCase(), 'payment_id']]);
  const facts = parseSearch(search, { now, zone: filter.zone ?? 'UTC' });
  const [byText, ...byFacts] = await Promise.all([
    findByText(database, filter, search),
    ...facts.map((one) => findByFacts(database, filter, one)),
  ]);
  const matches = new Map<string, SearchMatch>();
  for (const { id, matched } of [...byText, ...byFacts.flat()]) {
    if (matches.size === FOUND_MAX) break;
    if (!matches.has(id)) matches.set(id, matched);
  }
  return matches;
}

/** Payments whose fields are a text, or begin or end with it. */
async function findByText(
  database: Database,
  { merchantIds, mode }: Pick<PaymentFilter, 'merchantIds' | 'mode'>,
  search: string,
): Promise<Pick<Found, 'id' | 'matched'>[]> {
  const digits = PHONE.test(search) ? search.replace(/\D/g, '') : '';
  const withPhone = digits.length >= PHONE_DIGITS_MIN ? merchantIds : [];
  const [byNumber, byEnd] = digits.length >= PHONE_DIGITS ? [withPhone, []] : [[], withPhone];
  const phoneEnd = [...digits.slice(-PHONE_DIGITS)].reverse().join('');
  const withEmail = search.length >= EMAIL_LENGTH_MIN ? merchantIds : [];
  const rows = await database.prisma.$queryRaw<Found[]>`
    (SELECT id, 'order_id' AS matched, NULL AS phone FROM payment
      WHERE merchant_id = ANY (${merchantIds}::uuid[]) AND mode = ${mode}::mode
        AND merchant_order_id >= ${search} AND merchant_order_id < ${search} || chr(1114111) LIMIT ${FOUND_MAX})
    UNION ALL
    (SELECT attempt.payment_id, 'reference', NULL FROM gateway_account AS account
      JOIN attempt ON attempt.merchant_id = account.merchant_id AND attempt.account_id = account.id AND attempt.reference = ${search}
        AND attempt.payment_id = ANY (ARRAY(SELECT ${NAMED_PAYMENT} FROM unnest(${[search]}::text[]) AS reference))
      WHERE account.merchant_id = ANY (${merchantIds}::uuid[]) AND account.mode = ${mode}::mode LIMIT ${FOUND_MAX})
    UNION ALL
    (SELECT payment.id, 'transaction_id', NULL FROM timeline_event AS event
      JOIN payment ON payment.merchant_id = event.merchant_id AND payment.id = event.payment_id AND payment.mode = ${mode}::mode
      WHERE event.merchant_id = ANY (${merchantIds}::uuid[]) AND event.detail ->> 'transactionId' = ${search} LIMIT ${FOUND_MAX})
    UNION ALL
    (SELECT own.id, 'email', NULL FROM tenant CROSS JOIN LATERAL (
      SELECT id FROM payment WHERE merchant_id = tenant.id AND mode = ${mode}::mode AND lower(customer_email) = lower(${search})
      ORDER BY created_at DESC, id DESC LIMIT ${FOUND_MAX}) AS own
      WHERE tenant.id = ANY (${withEmail}::uuid[]))
    UNION ALL
    (SELECT own.id, 'email', NULL FROM tenant CROSS JOIN LATERAL (
      SELECT id, created_at FROM payment WHERE merchant_id = tenant.id AND mode = ${mode}::mode
        AND lower(customer_email) >= lower(${search}) AND lower(customer_email) < lower(${search}) || chr(1114111)
      ORDER BY created_at DESC, id DESC LIMIT ${FOUND_MAX}) AS own
      WHERE tenant.id = ANY (${withEmail}::uuid[])
      ORDER BY own.created_at DESC, own.id DESC LIMIT ${FOUND_MAX})
    UNION ALL
    (SELECT own.id, 'customer_id', NULL FROM tenant CROSS JOIN LATERAL (
      SELECT id FROM payment WHERE merchant_id = tenant.id AND mode = ${mode}::mode AND customer_id = ${search}
      ORDER BY created_at DESC, id DESC LIMIT ${FOUND_MAX}) AS own
      WHERE tenant.id = ANY (${merchantIds}::uuid[]))
    UNION ALL
    (SELECT own.id, 'phone', own.customer_phone FROM tenant CROSS JOIN LATERAL (
      SELECT id, customer_phone FROM payment WHERE merchant_id = tenant.id AND mode = ${mode}::mode AND customer_phone IS NOT NULL
        AND reverse(right(regexp_replace(customer_phone, '\\D', '', 'g'), 7)) COLLATE "C" = ${phoneEnd}
      ORDER BY created_at DESC, id DESC LIMIT ${FOUND_MAX}) AS own
      WHERE tenant.id = ANY (${byNumber}::uuid[]))
    UNION ALL
    (SELECT own.id, 'phone', own.customer_phone FROM tenant CROSS JOIN LATERAL (
      SELECT id, customer_phone, created_at FROM payment
      WHERE merchant_id = tenant.id AND mode = ${mode}::mode AND customer_phone IS NOT NULL
        AND reverse(right(regexp_replace(customer_phone, '\\D', '', 'g'), 7)) COLLATE "C" >= ${phoneEnd}
        AND reverse(right(regexp_replace(customer_phone, '\\D', '', 'g'), 7)) COLLATE "C" < ${phoneEnd} || ':'
      ORDER BY reverse(right(regexp_replace(customer_phone, '\\D', '', 'g'), 7)) COLLATE "C" LIMIT ${PHONES_READ_MAX}) AS own
      WHERE tenant.id = ANY (${byEnd}::uuid[])
      ORDER BY own.created_at DESC, own.id DESC LIMIT ${FOUND_MAX})`;
  return rows.filter(({ phone }) => phone === null || isPhone(phone, search, digits));
}

/** The most payments whose card is looked at: it is in an event of each, which has no index by it. */
const CARDS_READ_MAX = 5_000;

/** The newest payments of which these facts are true. */
function findByFacts(
  database: Database,
  { merchantIds, mode }: Pick<PaymentFilter, 'merchantIds' | 'mode'>,
  { amount, currency, cardLast4, created }: SearchedFacts,
): Promise<Pick<Found, 'id' | 'matched'>[]> {
  const conditions = Prisma.join(
    [
      Prisma.sql`p.merchant_id = tenant.id AND p.mode = ${mode}::mode`,
      ...compares('p.amount =', amount, 'int8'),
      ...compares('p.currency =', currency, 'bpchar'),
      ...isCreatedWithin({ createdFrom: created?.from ?? null, createdTo: created?.to ?? null }),
    ],
    ' AND ',
  );
  // Ids are in the order of their time: of an amount at any time, the newest end its index.
  const order = Prisma.raw(amount !== null && created === null ? 'p.id DESC' : 'p.created_at DESC, p.id DESC');
  if (cardLast4 === null) {
    return database.prisma.$queryRaw`
      SELECT own.id, 'amount' AS matched FROM tenant CROSS JOIN LATERAL (
        SELECT p.id, p.created_at FROM payment AS p WHERE ${conditions} ORDER BY ${order} LIMIT ${FOUND_MAX}) AS own
      WHERE tenant.id = ANY (${merchantIds}::uuid[]) ORDER BY own.created_at DESC, own.id DESC LIMIT ${FOUND_MAX}`;
  }
  const read = Math.max(FOUND_MAX, Math.floor(CARDS_READ_MAX / merchantIds.length));
  // The limit keeps the planner from joining all events.
  return database.prisma.$queryRaw`
    SELECT own.id, 'card' AS matched FROM tenant CROSS JOIN LATERAL (
      SELECT seen.id, seen.created_at FROM (
        SELECT p.id, p.created_at FROM payment AS p WHERE ${conditions} ORDER BY ${order} LIMIT ${read}) AS seen
      CROSS JOIN LATERAL (
        SELECT FROM timeline_event AS event
        WHERE event.merchant_id = tenant.id AND event.payment_id = seen.id AND event.type = 'payment.succeeded'
          AND event.detail->>'cardLast4' = ${cardLast4} LIMIT 1) AS paid
      LIMIT ${FOUND_MAX}) AS own
    WHERE tenant.id = ANY (${merchantIds}::uuid[]) ORDER BY own.created_at DESC, own.id DESC LIMIT ${FOUND_MAX}`;
}

/** True if a number is the one searched for, in any spelling, or ends with the digits that were typed. */
function isPhone(phone: string, search: string, digits: string): boolean {
  return canonicalPhone(phone) === canonicalPhone(search) || phone.replace(/\D/g, '').endsWith(digits);
}

/** More payments than these are so many that a list of them is read faster by testing each payment of the list. */
const NAMED_MAX = 5_000;
/** No attempt of a payment is made longer after its creation. */
const ATTEMPTED_WITHIN = '1 day';

interface Named {
  readonly id: string;
}

/** Another gateway was tried after the attempt `failed`. */
const WENT_ON = Prisma.sql`EXISTS (SELECT FROM attempt AS next WHERE next.merchant_id = failed.merchant_id
  AND next.payment_id = failed.payment_id AND next.position > failed.position AND next.gateway <> failed.gateway)`;

/** That a payment fell back from one of these gateways: its checkout did not open there, and another gateway was tried. */
async function isFallenBack(database: Database, filter: PaymentFilter): Promise<Prisma.Sql[]> {
  const { merchantIds, mode, fellBackFrom: gateways = [], createdFrom = null, createdTo = null } = filter;
  if (gateways.length === 0) return [];
  const named = await database.prisma.$queryRaw<Named[]>`
    SELECT fallen.id FROM gateway_account AS account CROSS JOIN LATERAL (
      SELECT failed.payment_id AS id FROM attempt AS failed
      WHERE failed.merchant_id = account.merchant_id AND failed.account_id = account.id AND failed.failure_class IS NOT NULL
        AND failed.created_at >= coalesce(${createdFrom}::timestamptz, '-infinity')
        AND failed.created_at < coalesce(${createdTo}::timestamptz + ${ATTEMPTED_WITHIN}::interval, 'infinity') AND ${WENT_ON}
      ORDER BY failed.created_at DESC LIMIT ${NAMED_MAX + 1}) AS fallen
    WHERE account.merchant_id = ANY (${merchantIds}::uuid[]) AND account.mode = ${mode}::mode AND account.gateway = ANY (${gateways}::text[])
    LIMIT ${NAMED_MAX + 1}`;
  if (named.length <= NAMED_MAX) return [isNamed(named)];
  return [
    Prisma.sql`EXISTS (SELECT FROM attempt AS failed WHERE failed.merchant_id = p.merchant_id AND failed.payment_id = p.id
      AND failed.gateway = ANY (${gateways}::text[]) AND failed.failure_class IS NOT NULL AND ${WENT_ON})`,
  ];
}

/** An attempt `failed` met the fault of the incident of `met`. */
const MET = Prisma.sql`failed.merchant_id = met.merchant_id AND failed.account_id = met.account_id
  AND failed.created_at >= met.met_from AND failed.created_at < coalesce(met.met_until, 'infinity')
  AND failed.failure_class = 'provider_fault'`;

/**
 * That a payment met the fault of one of these incidents: an account of theirs failed to open a checkout in their time. With outcomes, that
 * one of them became of it; without an incident, no payment has any.
 */
async function isAffected(database: Database, filter: PaymentFilter): Promise<Prisma.Sql[]> {
  const { merchantIds, affectedByIncident: incidentIds = [], incidentOutcomes: outcomes = [] } = filter;
  if (outcomes.length > 0) {
    const ids = incidentIds.length === 0 ? [] : await findMetPayments(database, { merchantIds, incidentIds }, outcomes);
    return [isNamed(ids.map((id) => ({ id })))];
  }
  if (incidentIds.length === 0) return [];
  const isOfIncident = Prisma.sql`met.incident_id = ANY (${incidentIds}::uuid[])`;
  const named = await database.prisma.$queryRaw<Named[]>`
    SELECT DISTINCT failed.payment_id AS id FROM incident_account AS met JOIN attempt AS failed ON ${MET}
    WHERE met.merchant_id = ANY (${merchantIds}::uuid[]) AND ${isOfIncident} LIMIT ${NAMED_MAX + 1}`;
  if (named.length <= NAMED_MAX) return [isNamed(named)];
  return [
    Prisma.sql`EXISTS (SELECT FROM attempt AS failed JOIN incident_account AS met ON ${MET}
      WHERE failed.merchant_id = p.merchant_id AND failed.payment_id = p.id AND ${isOfIncident})`,
  ];
}

function isNamed(named: readonly Named[]): Prisma.Sql {
  return Prisma.sql`p.id = ANY (${[...new Set(named.map(({ id }) => id))]}::uuid[])`;
}
