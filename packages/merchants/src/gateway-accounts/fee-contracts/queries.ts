import type { JsonValue } from '@switchyard/db';
import { Prisma } from '@switchyard/db/client';
import { type FeeContract, toContracts } from '@switchyard/runtime/fee-contracts';

/** Most contracts that one merchant's accounts may have together. */
export const CONTRACTS_MAX = 10_000;

/** The contracts of a merchant's accounts, by account and the earliest first. */
export async function readContracts(
  client: Pick<Prisma.TransactionClient, 'feeContract'>,
  merchantId: string,
): Promise<FeeContract[]> {
  return toContracts(await client.feeContract.findMany({ where: { merchantId }, orderBy: { id: 'asc' }, take: CONTRACTS_MAX }));
}

/** A contract before it is stored. */
export interface NewContract {
  readonly merchantId: string;
  readonly id: string;
  readonly accountId: string;
  readonly appliesFrom: Date;
  readonly schedule: JsonValue;
  readonly tolerance: string;
  readonly note: string | null;
  readonly createdBy: string;
}

/** Inserts a contract in the caller's transaction. */
export async function insertContract(transaction: Prisma.TransactionClient, contract: NewContract, now: Date): Promise<void> {
  const schedule = contract.schedule === null ? Prisma.DbNull : JSON.parse(JSON.stringify(contract.schedule));
  await transaction.feeContract.create({ data: { ...contract, schedule, createdAt: now } });
}
