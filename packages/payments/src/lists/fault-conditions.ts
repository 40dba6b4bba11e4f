import type { Database } from '@switchyard/db';
import { Prisma } from '@switchyard/db/client';
import { findMetPayments } from './impact/read-met-payments.ts';
import type { PaymentFilter } from './payment-noun.ts';

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
export async function isFallenBack(database: Database, filter: PaymentFilter): Promise<Prisma.Sql[]> {
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
export async function isAffected(database: Database, filter: PaymentFilter): Promise<Prisma.Sql[]> {
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
