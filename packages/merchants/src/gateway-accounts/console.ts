import { isDeepStrictEqual } from 'node:util';
import type { Mode } from '@switchyard/db/client';
import { findGateway, type Gateway, gateways, parseCredentials } from '@switchyard/gateways';
import { resolveHost } from '@switchyard/gateways/addresses';
import { credentialFields } from '@switchyard/gateways/credential-fields';
import { type FeeSchedule, PAYMENT_METHODS, type PaymentMethod } from '@switchyard/routing';
import {
  changeConfiguration,
  credentialBinding,
  type FieldProblem,
  fieldProblems,
  type RuntimeContext,
} from '@switchyard/runtime';
import type { z } from 'zod';
import type { MerchantsContext } from '../context.ts';
import { USUAL_TOLERANCE } from './fee-contracts/add-contract.ts';
import {
  AMOUNTS_CROSS,
  accountChangesSchema,
  accountForAudit,
  amountsCross,
  baseUrlProblems,
  credentialHint,
  type GatewayAccountSettings,
  newAccountSchema,
} from './gateway-fields.ts';
import {
  findGatewayAccount,
  findGatewayAccountByLabel,
  type GatewayAccountFields,
  insertContract,
  insertGatewayAccount,
  type ListedGatewayAccount,
  listGatewayAccountRows,
  NO_CONFIGURATION_FAULT,
  updateGatewayAccountRow,
} from './queries.ts';

export { feeExample, PUBLISHED_FEES } from './fee-example.ts';
export type { GatewayAccountSettings } from './gateway-fields.ts';

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

/** A merchant's accounts at gateways, oldest first, without their credentials. Empty for a merchant that does not exist. */
export async function listGateways(
  context: RuntimeContext<'database'>,
  query: { readonly merchantId: string; readonly mode?: Mode },
): Promise<ListedGatewayAccount[]> {
  const { merchantId, mode } = query;
  return listGatewayAccountRows(context.resources.database.prisma, merchantId, { limit: ACCOUNTS_MAX, ...(mode && { mode }) });
}

/** A gateway as the form that connects an account at it needs it. */
interface GatewayKind {
  readonly name: string;
  /** Display name: `Paystack`. */
  readonly title: string;
  /** Credential fields of its accounts, in form order. */
  readonly fields: readonly CredentialField[];
  readonly currencies: readonly string[];
  readonly methods: readonly PaymentMethod[];
  /** Whole main units. */
  readonly minAmount: number;
  readonly maxAmount: number | null;
}

/** A field of a gateway's credentials, for a form. */
interface CredentialField {
  readonly name: string;
  /** `Secret key` */
  readonly label: string;
  /** One sentence shown below the field, such as where the gateway's dashboard has the value. */
  readonly help: string | null;
  readonly secret: boolean;
  readonly required: boolean;
}

/** Every gateway an account can be connected at. */
export function describeGateways(): readonly GatewayKind[] {
  return gateways.map(({ name, title, capabilities, ...gateway }) => ({
    name,
    title,
    fields: fieldsOf(gateway),
    ...capabilities,
    methods: PAYMENT_METHODS.filter((method) => capabilities.methods.includes(method)),
  }));
}

function fieldsOf(gateway: Pick<Gateway, 'credentials' | 'secretFields'>): CredentialField[] {
  return credentialFields(gateway).map(({ name, title, description, isOptional }) => ({
    name,
    label: title ?? labelOf(name),
    help: description,
    secret: gateway.secretFields.includes(name),
    required: !isOptional,
  }));
}

/** `secretKey` → `Secret key` */
function labelOf(name: string): string {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** One thing wrong with what was entered for an account; `field` is dotted. */
interface AccountProblem {
  readonly field: string;
  readonly message: string;
}

/** The result of checking an account's settings against what its gateway supports. */
type CheckedAccount =
  /** Credentials as parsed by the gateway's own schema; null where none were entered. */
  | { readonly kind: 'in_order'; readonly credentials: Readonly<Record<string, string>> | null }
  | { readonly kind: 'invalid'; readonly problems: readonly AccountProblem[] }
  | { readonly kind: 'unknown_gateway' };

/** The entered fields of an account that its gateway restricts. */
interface AccountAtGateway {
  /** Null keeps the stored ones. */
  readonly credentials: Readonly<Record<string, string>> | null;
  readonly methods: readonly string[] | null;
  readonly currencies: readonly string[] | null;
}

/** Checks an account's entered fields against the gateway's capabilities and credential schema. */
export function checkAccountAtGateway(name: string, entered: AccountAtGateway): CheckedAccount {
  const gateway = findGateway(name);
  if (gateway === null) return { kind: 'unknown_gateway' };
  const { methods, currencies } = gateway.capabilities;
  const problems = [
    ...foreign('methods', entered.methods ?? [], methods, gateway.title),
    ...foreign('currencies', entered.currencies ?? [], currencies, gateway.title),
  ];
  const parsed = entered.credentials === null ? null : parseCredentials(gateway, entered.credentials);
  if (parsed?.ok === false) {
    for (const { field, message } of parsed.problems) problems.push({ field: `credentials.${field}`, message });
  }
  if (problems.length > 0) return { kind: 'invalid', problems };
  return { kind: 'in_order', credentials: parsed?.ok ? parsed.credentials : null };
}

function foreign(field: string, entered: readonly string[], known: readonly string[], title: string): AccountProblem[] {
  const others = entered.filter((word) => !known.includes(word));
  return others.length === 0 ? [] : [{ field, message: `${title} does not take ${others.join(', ')}` }];
}

/** Asks to change a gateway account. */
interface UpdateGatewayCommand {
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
