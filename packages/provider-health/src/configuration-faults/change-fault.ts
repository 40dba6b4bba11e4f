import type { JsonValue } from '@switchyard/db';
import { appendAuditEntry } from '@switchyard/db/audit';
import type { GatewayAccount, Prisma } from '@switchyard/db/client';
import { gatewayTitle } from '@switchyard/gateways';
import {
  configurationFaultOf,
  readConfigurationFault,
  type StoredConfigurationFault,
} from '@switchyard/merchants/configuration-fault';
import { clearConfigurationFault, setConfigurationFault } from '@switchyard/merchants/gateway-accounts';
import type { ConfigurationFault } from '@switchyard/routing';
import { describeConfigurationFault } from '@switchyard/routing/decide';
import { type ChangeContext, lockConfiguration, raiseConfigurationRevision, readRevision } from '@switchyard/runtime';

type Account = Omit<GatewayAccount, 'credentials'>;

/**
 * Takes an account out of rotation for every process and records the reason. False when the account has changed since it was read
 * (the refusal was of its earlier configuration), or is out already.
 */
export function takeOutOfRotation(
  context: ChangeContext,
  account: Account,
  fault: Pick<StoredConfigurationFault, 'kind' | 'message'>,
  actor: string,
): Promise<boolean> {
  const change = {
    account,
    actor,
    action: 'gateway_account.taken_out_of_rotation',
    before: null,
    after: { kind: fault.kind, message: fault.message },
  };
  return changeAudited(context, change, (transaction, now) => setConfigurationFault(transaction, account, { ...fault, at: now }));
}

/** Puts an account back into rotation for every process. False when it is back already. */
export function putBackIntoRotation(context: ChangeContext, account: Account, actor: string): Promise<boolean> {
  const fault = configurationFaultOf(account);
  const change = {
    account,
    actor,
    action: 'gateway_account.put_back_into_rotation',
    before: fault === null ? null : { kind: fault.kind, message: fault.message },
    after: null,
  };
  return changeAudited(context, change, (transaction) => clearConfigurationFault(transaction, account));
}

interface AuditedChange {
  readonly account: Account;
  readonly actor: string;
  readonly action: string;
  readonly before: JsonValue;
  readonly after: JsonValue;
}

async function changeAudited(
  { resources, now: clock, newId }: ChangeContext,
  { account, ...change }: AuditedChange,
  write: (transaction: Prisma.TransactionClient, now: Date) => Promise<boolean>,
): Promise<boolean> {
  const { merchantId: tenantId, id: objectId } = account;
  const revision = await resources.database.prisma.$transaction(async (transaction) => {
    const now = clock();
    if (!(await lockConfiguration(transaction, tenantId)) || !(await write(transaction, now))) return null;
    const raised = await raiseConfigurationRevision(transaction, tenantId);
    const entry = { ...change, tenantId, entryId: newId(), objectType: 'gateway_account', objectId };
    await appendAuditEntry(transaction, resources.auditKeys, entry, now);
    return raised;
  });
  if (revision === null) return false;
  await readRevision(resources.configuration, tenantId, revision);
  return true;
}

type FaultyAccount = Pick<
  GatewayAccount,
  'gateway' | 'configurationFault' | 'configurationFaultMessage' | 'configurationFaultAt'
>;

/** Why an account is out of rotation, for the dashboard. */
export interface ConfigurationFaultDescription {
  readonly kind: ConfigurationFault['kind'];
  readonly since: Date;
  /** The fault and its correction: `Paystack refuses its credentials; replace them, or test the connection.` */
  readonly sentence: string;
  /** Message that the gateway answered with. */
  readonly message: string;
}

/** Null while the gateway accepts the account's configuration. */
export function describeFault(account: FaultyAccount): ConfigurationFaultDescription | null {
  const fault = readConfigurationFault(account);
  if (fault === null) return null;
  const sentence = `${describeConfigurationFault(fault, gatewayTitle(account.gateway))}.`;
  return { kind: fault.kind, since: new Date(fault.since), sentence, message: fault.message };
}
