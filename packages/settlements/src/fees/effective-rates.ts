import { lockConfiguration, raiseConfigurationRevision, readRevision } from '@switchyard/runtime';
import type { SettlementContext } from '../context.ts';
import type { WrittenAccount } from '../intake/write-discrepancies.ts';
import { readChargedRates } from './fee-queries.ts';
import { bandAt } from './figures.ts';

/** Rates are of the payments of this time. */
const SINCE_MS = 90 * 24 * 3_600_000;
/** Fewer payments than this say little: the contract prices such a cell. */
const PAYMENTS_MIN = 30;

/** Writes what the account was charged lately, for rules that rank by it. Processes read it again only where a rate changed. */
export async function updateEffectiveRates(context: SettlementContext, account: WrittenAccount): Promise<void> {
  const { database, configuration } = context.resources;
  const { merchantId, accountId } = account;
  const now = context.now();
  const since = new Date(now.getTime() - SINCE_MS);
  const found = await readChargedRates(database, account, { since, minPayments: PAYMENTS_MIN });
  const key = (rate: { currency: string; method: string; amountFrom: bigint; rateMillionths: number }) =>
    `${rate.currency} ${rate.method} ${rate.amountFrom} ${rate.rateMillionths}`;
  const rates = found.map(({ band, ...rate }) => {
    const { from, to } = bandAt(band);
    return { ...rate, amountFrom: BigInt(from), amountTo: to === null ? null : BigInt(to) };
  });
  const revision = await database.prisma.$transaction(async (transaction) => {
    if (!(await lockConfiguration(transaction, merchantId))) return null;
    const before = await transaction.effectiveRate.findMany({ where: { merchantId, accountId } });
    await transaction.effectiveRate.deleteMany({ where: { merchantId, accountId } });
    await transaction.effectiveRate.createMany({
      data: rates.map((rate) => ({ ...rate, merchantId, accountId, updatedAt: now })),
    });
    const known = new Set(before.map(key));
    if (before.length === rates.length && rates.every((rate) => known.has(key(rate)))) return null;
    return raiseConfigurationRevision(transaction, merchantId, now);
  });
  if (revision !== null) await readRevision(configuration, merchantId, revision);
}
