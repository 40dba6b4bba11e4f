import type { AnnouncedSettlement } from '@switchyard/gateways';
import type { AccountKey } from '../account.ts';
import type { SettlementContext } from '../context.ts';
import { noteIntake } from './quiet.ts';
import { createSource } from './source-lease.ts';
import { type StoreOutcome, storeWithin } from './store-settlement.ts';

/**
 * Stores a settlement that a webhook announced, pending until what is in it could be read, and requests the reading. Repeating it writes
 * nothing. Its gross amount is known with its lines.
 */
export async function storeAnnouncedSettlement(
  context: SettlementContext,
  { settlement, ...key }: AccountKey & { readonly settlement: AnnouncedSettlement },
): Promise<StoreOutcome> {
  const { configuration, database } = context.resources;
  await configuration.ready();
  if (configuration.account(key.accountId)?.merchant.merchant.id !== key.merchantId) return { kind: 'not_found' };
  await createSource(database, key);
  return database.prisma.$transaction(async (transaction): Promise<StoreOutcome> => {
    const known = await transaction.settlement.findUnique({
      where: { merchantId_accountId_reference: { ...key, reference: settlement.settlementId } },
      select: { id: true, linesReadAt: true },
    });
    if (known !== null && known.linesReadAt !== null) return { kind: 'unchanged', settlementId: known.id };
    const pending = { ...settlement, status: 'pending' as const, gross: settlement.net, fees: '0', deductions: '0' };
    const outcome = await storeWithin(context, transaction, { ...key, road: 'WEBHOOK', settlement: pending, lines: null });
    // Where another reading is under way, the schedule finds it due.
    await transaction.settlementSource.updateMany({ where: key, data: { nextPollAt: context.now() } });
    await noteIntake(transaction, key, context.now());
    return outcome;
  });
}
