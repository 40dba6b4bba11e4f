import type { JsonValue } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';
import { allowedRange, hostProblem } from '@switchyard/gateways/addresses';
import { MAX_AMOUNT, PAYMENT_METHODS, type PaymentMethod } from '@switchyard/routing';
import type { FieldProblem } from '@switchyard/runtime';
import { z } from 'zod';
import { enteredSchedule } from './fee-contracts/add-contract.ts';
import type { ListedGatewayAccount } from './queries.ts';

/** The merchant's settings of an account at a gateway. Amounts are whole main units. */
export interface GatewayAccountSettings {
  /** The merchant's label, unique per merchant and mode: `paystack-main`. */
  readonly label: string;
  readonly enabled: boolean;
  /** Every credential field, as parsed by the gateway's own schema. */
  readonly credentials: Readonly<Record<string, string>>;
  readonly currencies: readonly string[];
  readonly methods: readonly PaymentMethod[];
  readonly minAmount: number;
  readonly maxAmount: number | null;
  /** Base URL instead of the gateway's own; test accounts only. */
  readonly baseUrl: string | null;
}

const HINT_MIN_LENGTH = 12;

const amount = z
  .int('must be a whole number')
  .min(0, 'must not be negative')
  .max(MAX_AMOUNT, 'must be at most 1,000,000,000,000');
function uniqueList<T extends z.ZodType<string>>(entry: T) {
  return z
    .array(entry, 'must be a list')
    .min(1, 'must not be empty')
    .max(50, 'must have at most 50 entries')
    .refine((list) => new Set(list).size === list.length, 'must not repeat an entry');
}

const CREDENTIAL_FIELDS_MAX = 20;

function checkFieldNames({ value, issues }: z.core.ParsePayload<Record<string, string>>): void {
  const names = Object.keys(value);
  const report = (message: string, path: string[]) => issues.push({ code: 'custom', input: names, path, message });
  if (names.length === 0) report('must not be empty', []);
  if (names.length > CREDENTIAL_FIELDS_MAX) report(`must have at most ${CREDENTIAL_FIELDS_MAX} fields`, []);
  for (const name of names) if (!/^[A-Za-z][A-Za-z0-9]{0,39}$/.test(name)) report('is not the name of a field', [name]);
}

const fields = {
  label: z
    .string('must be text')
    .regex(/^[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?$/, 'must be 1 to 60 small letters, digits and inner hyphens'),
  enabled: z.boolean('must be true or false'),
  credentials: z
    .record(z.string(), z.string('must be text').max(4_000, 'must have at most 4000 characters'))
    .check(checkFieldNames),
  currencies: uniqueList(z.string('must be text').regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code in capitals')),
  methods: uniqueList(z.enum(PAYMENT_METHODS, `must be one of ${PAYMENT_METHODS.join(', ')}`)),
  minAmount: amount,
  maxAmount: amount.nullable(),
  baseUrl: z
    .string('must be text')
    .max(500, 'must have at most 500 characters')
    .refine(isBaseUrl, 'must be an http or https address without user name, query or fragment')
    .nullable(),
};

/** Input of a new gateway account. Amount limits are whole main units, the maximum not below the minimum. */
export const newAccountSchema = z
  .object({
    ...fields,
    fees: enteredSchedule.nullable(),
    gateway: z.string('must be text').regex(/^[a-z][a-z0-9-]{0,39}$/, "must be a gateway's name"),
  })
  .check(({ value, issues }) => {
    if (isBelow(value.maxAmount, value.minAmount)) issues.push(belowMinimum(value));
  });

/** Input of a change to a gateway account; omitted fields stay unchanged. */
export const accountChangesSchema = z.object(fields).partial();

/** The one rule across two fields, for accounts whose fields change one at a time. */
export function amountsCross(account: { minAmount: bigint | number; maxAmount: bigint | number | null }): boolean {
  return isBelow(account.maxAmount, account.minAmount);
}

/** The problem of limits that exclude every amount. */
export const AMOUNTS_CROSS = { field: 'maxAmount', message: 'must not be below the smallest amount' } as const;

/**
 * The problem with another base URL than the gateway's own, given what its name resolves to: live accounts have none, and those of test
 * accounts must be at addresses that may be called.
 */
export function baseUrlProblems(mode: Mode, baseUrl: string | null | undefined, resolved: readonly string[]): FieldProblem[] {
  if (baseUrl === null || baseUrl === undefined) return [];
  if (mode === 'live') return [{ field: 'baseUrl', message: 'is for test accounts only' }];
  const message = hostProblem(new URL(baseUrl).hostname, allowedRange(mode), resolved);
  return message === null ? [] : [{ field: 'baseUrl', message }];
}

/** Last four characters of each credential; nothing of one so short that four would give much of it away. */
export function credentialHint(credentials: Readonly<Record<string, string>>): Record<string, string> {
  const long = Object.entries(credentials).filter(([, value]) => value.length >= HINT_MIN_LENGTH);
  return Object.fromEntries(long.map(([name, value]) => [name, value.slice(-4)]));
}

/** An account as the audit log records it: the hints of its credentials only. */
export function accountForAudit(account: ListedGatewayAccount): { [name: string]: JsonValue } {
  const { mode, gateway, label, enabled, currencies, methods, baseUrl } = account;
  return {
    mode,
    gateway,
    label,
    enabled,
    currencies,
    methods,
    minAmount: Number(account.minAmount),
    maxAmount: account.maxAmount === null ? null : Number(account.maxAmount),
    baseUrl,
    credentialHint: JSON.parse(JSON.stringify(account.credentialHint)),
  };
}

function isBelow(max: bigint | number | null, min: bigint | number): boolean {
  return max !== null && max < min;
}

function belowMinimum(input: unknown): z.core.$ZodRawIssue {
  return { code: 'custom', input, path: [AMOUNTS_CROSS.field], message: AMOUNTS_CROSS.message };
}

function isBaseUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || /[\s\p{C}\\?#]/u.test(text)) return false;
  return (url.protocol === 'https:' || url.protocol === 'http:') && url.username === '' && url.password === '';
}
