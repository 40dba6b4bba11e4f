import type { Mode } from '@switchyard/db/client';
import { resolveHost } from '@switchyard/gateways/addresses';
import type { FeeSchedule } from '@switchyard/routing';
import { changeConfiguration, credentialBinding, type FieldProblem, fieldProblems } from '@switchyard/runtime';
import type { MerchantsContext } from '../context.ts';
import { USUAL_TOLERANCE } from '../fee-contracts/add-contract.ts';
import { insertContract } from '../fee-contracts/queries.ts';
import {
  accountForAudit,
  baseUrlProblems,
  credentialHint,
  type GatewayAccountSettings,
  newAccountSchema,
} from './gateway-fields.ts';
import { findGatewayAccountByLabel, insertGatewayAccount, type ListedGatewayAccount, listGatewayAccountRows } from './queries.ts';

/** Most accounts one merchant may have. */
export const ACCOUNTS_MAX = 200;

/** Asks to add a merchant's account at a gateway. */
export interface ConnectGatewayCommand extends GatewayAccountSettings {
  /** Its first contract; null for none. */
  readonly fees: FeeSchedule | null;
  readonly merchantId: string;
  readonly mode: Mode;
  /** Name of a gateway. The caller has checked that it exists. */
  readonly gateway: string;
  readonly actor: string;
}

/** Result of adding an account, or the reason why it was refused. The credentials cannot be read back. */
export type ConnectGatewayOutcome =
  | { readonly kind: 'connected'; readonly account: ListedGatewayAccount }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  | { readonly kind: 'label_taken' }
  | { readonly kind: 'too_many_accounts'; readonly limit: number }
  | { readonly kind: 'not_found' };

/** Connects a merchant's account at a gateway. Credentials are sealed before they are stored and never shown again. */
export async function connectGateway(context: MerchantsContext, command: ConnectGatewayCommand): Promise<ConnectGatewayOutcome> {
  const parsed = newAccountSchema.safeParse(command);
  const problems = parsed.success
    ? baseUrlProblems(command.mode, parsed.data.baseUrl, await resolveHost(parsed.data.baseUrl))
    : fieldProblems(parsed.error);
  if (!parsed.success || problems.length > 0) return { kind: 'invalid', problems };
  const { merchantId, mode } = command;
  const { credentials, minAmount, maxAmount, label, fees, ...rest } = parsed.data;
  return changeConfiguration<ConnectGatewayOutcome>(context, command, async (transaction, now) => {
    const accounts = await listGatewayAccountRows(transaction, merchantId, { limit: ACCOUNTS_MAX });
    if (accounts.length >= ACCOUNTS_MAX) return { outcome: { kind: 'too_many_accounts', limit: ACCOUNTS_MAX }, audit: null };
    const taken = await findGatewayAccountByLabel(transaction, { merchantId, mode, label });
    if (taken !== null) return { outcome: { kind: 'label_taken' }, audit: null };
    const key = { merchantId, id: context.newId() };
    const row = {
      ...rest,
      ...key,
      mode,
      label,
      credentials: context.resources.vault.seal(JSON.stringify(credentials), credentialBinding(key)),
      credentialHint: credentialHint(credentials),
      minAmount: BigInt(minAmount),
      maxAmount: maxAmount === null ? null : BigInt(maxAmount),
    };
    const account = await insertGatewayAccount(transaction, row, now);
    if (fees !== null) {
      const terms = { schedule: fees, tolerance: USUAL_TOLERANCE, note: null, appliesFrom: now };
      const contract = { ...terms, merchantId, accountId: key.id, id: context.newId(), createdBy: command.actor };
      await insertContract(transaction, contract, now);
    }
    const after = { ...accountForAudit(account), fees };
    return {
      outcome: { kind: 'connected', account },
      audit: { action: 'gateway_account.connected', objectType: 'gateway_account', objectId: key.id, before: null, after },
    };
  });
}
