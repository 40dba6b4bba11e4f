import type { GatewayAccount, Prisma } from '@switchyard/db/client';
import type { StoredConfigurationFault } from './configuration-fault.ts';

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
