import { computeFee } from '@switchyard/routing';
import type { RuntimeContext } from '@switchyard/runtime';
import { contractAt } from '@switchyard/runtime/fee-contracts';
import { MET_MAX, type MetQuery, readMetPayments } from './read-met-payments.ts';
import { type CurrencyImpact, type FeeAt, sumImpact } from './sum-impact.ts';

/** What incidents did to payments. */
export interface IncidentImpact {
  /** By currency, that of the most payments first. */
  readonly currencies: readonly CurrencyImpact[];
  /** True if more payments met the fault than are counted, which are the latest 20,000. */
  readonly isCut: boolean;
}

/** The impact of incidents on payments of these merchants as it is known now: one that is open may still be paid. */
export async function measureImpact(
  { resources }: RuntimeContext<'configuration' | 'database'>,
  query: MetQuery,
): Promise<IncidentImpact> {
  const { configuration, database } = resources;
  await configuration.ready();
  const payments = await readMetPayments(database, query);
  const feeAt: FeeAt = ({ merchantId, amount, method, cardOrigin: origin, paidAt }, accountId) => {
    const contracts = configuration.merchant(merchantId)?.feeContracts ?? [];
    const schedule = paidAt === null ? undefined : contractAt(contracts, accountId, paidAt)?.schedule;
    return schedule ? computeFee(schedule, { amount: Number(amount) * 100, method, origin }).total : null;
  };
  return { currencies: sumImpact(payments, feeAt), isCut: payments.length === MET_MAX };
}
