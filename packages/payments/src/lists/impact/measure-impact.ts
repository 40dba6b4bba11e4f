import type { Database } from '@switchyard/db';
import { computeFee } from '@switchyard/routing';
import { contractAt } from '@switchyard/runtime/fee-contracts';
import type { Resources } from '@switchyard/runtime/resources';
import { type CountedOutcome, countMetPayments, MET_MAX, type MetQuery, readMetPayments } from './read-met-payments.ts';
import {
  type CurrencyImpact,
  type FeeAt,
  IMPACT_OUTCOMES,
  type ImpactOutcome,
  type ImpactSum,
  mostPaymentsFirst,
  type OutcomeSums,
  sumImpact,
} from './sum-impact.ts';

export {
  type CurrencyImpact,
  IMPACT_OUTCOMES,
  type ImpactOutcome,
  type ImpactSum,
  type OutcomeSums,
} from './sum-impact.ts';

/** Impact of incidents on payments. */
export interface IncidentImpact {
  /** By currency, that of the most payments first. */
  readonly currencies: readonly CurrencyImpact[];
  /** True if more payments met the fault than are counted, which are the latest 20,000. */
  readonly isCut: boolean;
}

/** The impact of incidents on payments of these merchants as it is known now: one that is open may still be paid. */
export async function measureImpact(
  { configuration, pool }: Pick<Resources, 'configuration'> & Pick<Database, 'pool'>,
  query: MetQuery,
): Promise<IncidentImpact> {
  await configuration.ready();
  const payments = await readMetPayments({ pool }, query);
  const feeAt: FeeAt = ({ merchantId, amount, method, cardOrigin: origin, paidAt }, accountId) => {
    const contracts = configuration.merchant(merchantId)?.feeContracts ?? [];
    const schedule = paidAt === null ? undefined : contractAt(contracts, accountId, paidAt)?.schedule;
    return schedule ? computeFee(schedule, { amount: Number(amount) * 100, method, origin }).total : null;
  };
  return { currencies: sumImpact(payments, feeAt), isCut: payments.length === MET_MAX };
}

/**
 * The impact of incidents on payments so far, as {@link measureImpact} counts it, without fees: added up in the database, since pages ask for it
 * every few seconds of an outage. The currency of the most payments first.
 */
export async function measureOutage(database: Pick<Database, 'pool'>, query: MetQuery): Promise<OutcomeSums[]> {
  const counted = Map.groupBy(await countMetPayments(database, query), ({ currency }) => currency);
  return [...counted].map(([currency, own]) => sumsOf(currency, own)).sort(mostPaymentsFirst);
}

function sumsOf(currency: string, counted: readonly CountedOutcome[]): OutcomeSums {
  const of = (outcomes: readonly ImpactOutcome[]): ImpactSum => {
    const own = counted.filter(({ outcome }) => outcomes.includes(outcome));
    return {
      payments: own.reduce((total, { payments }) => total + payments, 0),
      amount: own.reduce((total, { amount }) => total + amount, 0n),
    };
  };
  return {
    currency,
    met: of(IMPACT_OUTCOMES),
    outcomes: {
      recovered: of(['recovered']),
      same_account: of(['same_account']),
      retried: of(['retried']),
      open: of(['open']),
      lost: of(['lost']),
    },
  };
}

/** The first checkout that a gateway account failed to open by its gateway's fault, in the time of an incident. */
export interface FirstFault {
  readonly accountId: string;
  readonly paymentId: string;
  readonly code: string | null;
  readonly message: string | null;
  readonly at: Date;
}

const FIRST = `
SELECT met.account_id AS "accountId", first."paymentId", first.code, first.message, first.at
FROM incident_account AS met CROSS JOIN LATERAL (
  SELECT attempt.payment_id AS "paymentId", attempt.failure_code AS code, attempt.failure_message AS message, attempt.created_at AS at
  FROM attempt
  WHERE attempt.merchant_id = met.merchant_id AND attempt.account_id = met.account_id AND attempt.created_at >= met.met_from
    AND (met.met_until IS NULL OR attempt.created_at < met.met_until) AND attempt.failure_class = 'provider_fault'
  ORDER BY attempt.created_at, attempt.id LIMIT 1) AS first
WHERE met.merchant_id = ANY ($1::uuid[]) AND met.incident_id = $2
ORDER BY first.at`;

/** The first fault of each of an incident's accounts of these merchants, the earliest first. */
export async function readFirstFaults(
  database: Database,
  { merchantIds, incidentId }: { readonly merchantIds: readonly string[]; readonly incidentId: string },
): Promise<FirstFault[]> {
  const { rows } = await database.pool.query<FirstFault>(FIRST, [merchantIds, incidentId]);
  return rows;
}
