import type { Database } from '@switchyard/db';
import { type CountedOutcome, countMetPayments, type MetQuery } from './read-met-payments.ts';
import { IMPACT_OUTCOMES, type ImpactOutcome, type ImpactSum, mostPaymentsFirst, type OutcomeSums } from './sum-impact.ts';

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
