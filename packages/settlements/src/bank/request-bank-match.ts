import { enqueueJob } from '@switchyard/db';
import type { Prisma } from '@switchyard/db/client';
import type { AccountKey } from '../account.ts';
import type { SettlementContext } from '../context.ts';
import { hasStatements } from './match-queries.ts';
import type { BankScope } from './queries.ts';

/** Requests matching a merchant's payouts with its bank, where it has statements. */
export async function requestBankMatch({ resources }: SettlementContext, { merchantId, accountId }: AccountKey): Promise<void> {
  const { configuration, database } = resources;
  const mode = configuration.account(accountId)?.account.mode;
  if (mode === undefined || !(await hasStatements(database, { merchantId, mode }))) return;
  await database.prisma.$transaction((transaction) => enqueueBankMatch(transaction, { merchantId, mode }, null));
}

/** Queues matching in the transaction of what it follows: at once, or to judge what is open when no more has come by a moment. */
export function enqueueBankMatch(
  transaction: Prisma.TransactionClient,
  { merchantId, mode }: BankScope,
  judgedAt: Date | null,
): Promise<void> {
  const queue = `match-bank:${merchantId}:${mode}`;
  const options = judgedAt === null ? { key: queue, queue } : { key: `judge-bank:${merchantId}:${mode}`, queue, runAt: judgedAt };
  return enqueueJob(transaction, 'match-bank', { merchantId, mode }, options);
}
