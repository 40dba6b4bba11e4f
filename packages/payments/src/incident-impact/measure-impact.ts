import type { Database } from '@switchyard/db';
import { computeFee } from '@switchyard/routing';
import { contractAt } from '@switchyard/runtime/fee-contracts';
import type { Resources } from '@switchyard/runtime/resources';
import { MET_MAX, type MetQuery, readMetPayments } from './read-met-payments.ts';
import { type CurrencyImpact, type FeeAt, sumImpact } from './sum-impact.ts';

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
