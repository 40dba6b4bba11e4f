import { type Database, isUuid, type JsonValue, type SealedRows, sealedColumn } from '@switchyard/db';
import { type GatewayAccount, type Mode, Prisma } from '@switchyard/db/client';
import { credentialBinding } from '@switchyard/runtime';
import { type FeeContract, toContracts } from '@switchyard/runtime/fee-contracts';
import type { StoredConfigurationFault } from './configuration-fault.ts';

/** An account as it may be shown: without the sealed credentials. */
export interface ListedGatewayAccount extends Omit<GatewayAccount, 'credentials' | 'fees'> {
  readonly hasCredentials: boolean;
}

/** The columns of an account that can be written. Credentials are sealed already. */
export interface GatewayAccountFields {
  readonly label: string;
  readonly enabled: boolean;
  readonly credentials: string;
  readonly credentialHint: Readonly<Record<string, string>>;
  readonly currencies: readonly string[];
  readonly methods: readonly string[];
  readonly minAmount: bigint;
  readonly maxAmount: bigint | null;
  readonly baseUrl: string | null;
}

/** A gateway account before it is stored, its credentials encrypted. */
export interface NewGatewayAccount extends GatewayAccountFields {
  readonly merchantId: string;
  readonly id: string;
  readonly mode: Mode;
  readonly gateway: string;
}

/** Inserts an account in the caller's transaction; a label in use breaks its unique index. */
export async function insertGatewayAccount(
  transaction: Prisma.TransactionClient,
  account: NewGatewayAccount,
  now: Date,
): Promise<ListedGatewayAccount> {
  const { currencies, methods, ...rest } = account;
  const row = await transaction.gatewayAccount.create({
    data: {
      ...rest,
      currencies: [...currencies],
      methods: [...methods],
      createdAt: now,
      updatedAt: now,
    },
  });
  return withoutCredentials(row);
}

/** Changes the given columns in the caller's transaction. Throws when there is no such account. */
export async function updateGatewayAccountRow(
  transaction: Prisma.TransactionClient,
  key: { merchantId: string; id: string },
  changes: Partial<GatewayAccountFields> & Partial<typeof NO_CONFIGURATION_FAULT> & { readonly connectionTestedAt?: null },
  now: Date,
): Promise<ListedGatewayAccount> {
  const { currencies, methods, ...rest } = changes;
  const row = await transaction.gatewayAccount.update({
    where: { merchantId_id: { merchantId: key.merchantId, id: key.id } },
    data: {
      ...rest,
      ...(currencies && { currencies: [...currencies] }),
      ...(methods && { methods: [...methods] }),
      updatedAt: now,
    },
  });
  return withoutCredentials(row);
}

/** An account without its credentials; null when the merchant has none of this id, or an id is no UUID. */
export async function findGatewayAccount(
  client: Prisma.TransactionClient,
  merchantId: string,
  accountId: string,
): Promise<ListedGatewayAccount | null> {
  if (!isUuid(merchantId) || !isUuid(accountId)) return null;
  const row = await client.gatewayAccount.findUnique({ where: { merchantId_id: { merchantId, id: accountId } } });
  return row === null ? null : withoutCredentials(row);
}

/** The account with this label in one mode; null without one. */
export async function findGatewayAccountByLabel(
  client: Prisma.TransactionClient,
  key: { merchantId: string; mode: Mode; label: string },
): Promise<ListedGatewayAccount | null> {
  const row = await client.gatewayAccount.findUnique({ where: { merchantId_mode_label: key } });
  return row === null ? null : withoutCredentials(row);
}

/** A merchant's accounts, oldest first. */
export async function listGatewayAccountRows(
  client: Prisma.TransactionClient | Database['prisma'],
  merchantId: string,
  filter: { mode?: Mode; limit: number },
): Promise<ListedGatewayAccount[]> {
  if (!isUuid(merchantId)) return [];
  const rows = await client.gatewayAccount.findMany({
    where: { merchantId, ...(filter.mode && { mode: filter.mode }) },
    orderBy: { id: 'asc' },
    take: filter.limit,
  });
  return rows.map(withoutCredentials);
}

function withoutCredentials({ credentials, ...rest }: GatewayAccount): ListedGatewayAccount {
  return { ...rest, hasCredentials: credentials !== null };
}

/** Records a fault of an account as it was read. False when the account has changed since, or has a fault already. */
export async function setConfigurationFault(
  transaction: Prisma.TransactionClient,
  { merchantId, id, updatedAt }: Pick<GatewayAccount, 'merchantId' | 'id' | 'updatedAt'>,
  { kind, message, at }: StoredConfigurationFault,
): Promise<boolean> {
  const { count } = await transaction.gatewayAccount.updateMany({
    where: { merchantId, id, updatedAt, configurationFault: null },
    data: { configurationFault: kind, configurationFaultMessage: message, configurationFaultAt: at },
  });
  return count === 1;
}

/** Ends the fault that an account was read with. False when that one has ended already. */
export async function clearConfigurationFault(
  transaction: Prisma.TransactionClient,
  { merchantId, id, configurationFaultAt }: Pick<GatewayAccount, 'merchantId' | 'id' | 'configurationFaultAt'>,
): Promise<boolean> {
  const { count } = await transaction.gatewayAccount.updateMany({
    where: { merchantId, id, configurationFaultAt, configurationFault: { not: null } },
    data: NO_CONFIGURATION_FAULT,
  });
  return count === 1;
}

/** Records that the gateway accepted an account's credentials as it was read; not where the account has changed since. */
export async function recordConnectionTest(
  client: Pick<Prisma.TransactionClient, 'gatewayAccount'>,
  { merchantId, id, updatedAt }: Pick<GatewayAccount, 'merchantId' | 'id' | 'updatedAt'>,
  at: Date,
): Promise<void> {
  await client.gatewayAccount.updateMany({ where: { merchantId, id, updatedAt }, data: { connectionTestedAt: at } });
}

/** Columns of an account without a configuration fault. */
export const NO_CONFIGURATION_FAULT = {
  configurationFault: null,
  configurationFaultMessage: null,
  configurationFaultAt: null,
} as const;

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
interface NewContract {
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

/**
 * Credentials of gateway accounts. The configuration's revision stays: what processes have in memory was sealed with a key that they
 * have as well.
 */
export const sealedCredentials: SealedRows = sealedColumn({
  name: 'gateway credentials',
  table: 'gateway_account',
  column: 'credentials',
  bindingOf: credentialBinding,
});
