import { isDeepStrictEqual } from 'node:util';
import { resolveHost } from '@switchyard/gateways/addresses';
import { changeConfiguration, credentialBinding, type FieldProblem, fieldProblems } from '@switchyard/runtime';
import type { z } from 'zod';
import type { MerchantsContext } from '../context.ts';
import { NO_CONFIGURATION_FAULT } from './configuration-fault-queries.ts';
import {
  AMOUNTS_CROSS,
  accountChangesSchema,
  accountForAudit,
  amountsCross,
  baseUrlProblems,
  credentialHint,
  type GatewayAccountSettings,
} from './gateway-fields.ts';
import {
  findGatewayAccount,
  findGatewayAccountByLabel,
  type GatewayAccountFields,
  type ListedGatewayAccount,
  updateGatewayAccountRow,
} from './queries.ts';

/** Asks to change a gateway account. */
export interface UpdateGatewayCommand {
  readonly merchantId: string;
  readonly accountId: string;
  /** Omitted fields stay unchanged. Credentials are replaced as a whole. */
  readonly changes: Partial<GatewayAccountSettings>;
  readonly actor: string;
}

/** Result of changing an account, or the reason why it was refused. */
export type UpdateGatewayOutcome =
  | { readonly kind: 'updated'; readonly account: ListedGatewayAccount }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  | { readonly kind: 'label_taken' }
  | { readonly kind: 'not_found' };

/** Changes an account at a gateway, or switches it on or off. Mode and gateway of an account never change. */
export async function updateGateway(context: MerchantsContext, command: UpdateGatewayCommand): Promise<UpdateGatewayOutcome> {
  const parsed = accountChangesSchema.safeParse(command.changes);
  if (!parsed.success) return { kind: 'invalid', problems: fieldProblems(parsed.error) };
  const { merchantId, accountId } = command;
  const resolved = await resolveHost(parsed.data.baseUrl);
  return changeConfiguration<UpdateGatewayOutcome>(context, command, async (transaction, now) => {
    const before = await findGatewayAccount(transaction, merchantId, accountId);
    if (before === null) return { outcome: { kind: 'not_found' }, audit: null };
    const changes = toRow(context, before, parsed.data);
    const problems = problemsTogether(before, changes, resolved);
    if (problems.length > 0) return { outcome: { kind: 'invalid', problems }, audit: null };
    const label = changes.label ?? before.label;
    const holder = await findGatewayAccountByLabel(transaction, { merchantId, mode: before.mode, label });
    if (holder !== null && holder.id !== before.id) return { outcome: { kind: 'label_taken' }, audit: null };
    const repaired = resolvesFault(before, changes) ? NO_CONFIGURATION_FAULT : {};
    const untested = changesAccess(before, changes) ? ({ connectionTestedAt: null } as const) : {};
    const account = await updateGatewayAccountRow(transaction, before, { ...changes, ...repaired, ...untested }, now);
    return {
      outcome: { kind: 'updated', account },
      audit: {
        action: actionOf(changes),
        objectType: 'gateway_account',
        objectId: before.id,
        before: accountForAudit(before),
        after: accountForAudit(account),
      },
    };
  });
}

function toRow(
  context: MerchantsContext,
  account: ListedGatewayAccount,
  changes: z.infer<typeof accountChangesSchema>,
): Partial<GatewayAccountFields> {
  const { label, enabled, credentials, currencies, methods, minAmount, maxAmount, baseUrl } = changes;
  return {
    ...(label !== undefined && { label }),
    ...(enabled !== undefined && { enabled }),
    ...(currencies !== undefined && { currencies }),
    ...(methods !== undefined && { methods }),
    ...(minAmount !== undefined && { minAmount: BigInt(minAmount) }),
    ...(maxAmount !== undefined && { maxAmount: maxAmount === null ? null : BigInt(maxAmount) }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(credentials !== undefined && {
      credentials: context.resources.vault.seal(JSON.stringify(credentials), credentialBinding(account)),
      credentialHint: credentialHint(credentials),
    }),
  };
}

/** True if the account is reached with other credentials or at another address. */
function changesAccess(before: ListedGatewayAccount, { credentials, baseUrl }: Partial<GatewayAccountFields>): boolean {
  return credentials !== undefined || (baseUrl !== undefined && baseUrl !== before.baseUrl);
}

/** True if changes concern the refused part of the configuration: the account then returns to rotation. */
function resolvesFault(before: ListedGatewayAccount, changes: Partial<GatewayAccountFields>): boolean {
  const differs = (name: 'currencies' | 'methods' | 'minAmount' | 'maxAmount') =>
    changes[name] !== undefined && !isDeepStrictEqual(changes[name], before[name]);
  const access = changesAccess(before, changes);
  switch (before.configurationFault) {
    case null:
      return false;
    case 'CREDENTIALS':
      return access;
    case 'SETTINGS':
      return access || differs('currencies') || differs('methods') || differs('minAmount') || differs('maxAmount');
    default:
      return before.configurationFault satisfies never;
  }
}

function problemsTogether(
  before: ListedGatewayAccount,
  changes: Partial<GatewayAccountFields>,
  resolved: readonly string[],
): FieldProblem[] {
  const { minAmount = before.minAmount, maxAmount = before.maxAmount } = changes;
  return [
    ...(amountsCross({ minAmount, maxAmount }) ? [AMOUNTS_CROSS] : []),
    ...baseUrlProblems(before.mode, changes.baseUrl, resolved),
  ];
}

function actionOf(changes: Partial<GatewayAccountFields>): string {
  if (changes.credentials !== undefined) return 'gateway_account.credentials_replaced';
  if (changes.enabled === undefined || Object.keys(changes).length > 1) return 'gateway_account.updated';
  return changes.enabled ? 'gateway_account.enabled' : 'gateway_account.disabled';
}
