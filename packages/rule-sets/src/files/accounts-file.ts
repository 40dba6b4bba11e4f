import type { Mode } from '@switchyard/db/client';
import { enteredSchedule } from '@switchyard/merchants/console/fee-contracts';
import { PAYMENT_METHODS, type RoutableAccount } from '@switchyard/routing';
import { type FieldProblem, fieldProblems } from '@switchyard/runtime';
import { z } from 'zod';

/** Accounts as a file beside the rules, so that rules can be checked without a database. */
export interface AccountsFile {
  readonly schemaVersion: 1;
  readonly mode: Mode;
  readonly accounts: readonly Omit<RoutableAccount, 'accountId'>[];
}

const amount = z.int('must be a whole number').min(0, 'must not be negative');
const flag = z.boolean('must be true or false');
const text = z.string('must be text').min(1, 'must not be empty').max(128, 'must have at most 128 characters');

const schema = z.strictObject({
  schemaVersion: z.literal(1, 'must be 1'),
  mode: z.enum(['test', 'live'], 'must be test or live'),
  accounts: z
    .array(
      z.strictObject({
        gateway: text,
        label: text,
        enabled: flag,
        configured: flag,
        currencies: z.array(text, 'must be a list').max(50, 'must have at most 50 entries'),
        methods: z.array(z.enum(PAYMENT_METHODS, `must be one of ${PAYMENT_METHODS.join(', ')}`), 'must be a list'),
        minAmount: amount,
        maxAmount: amount.nullable(),
        fees: enteredSchedule.nullable(),
      }),
      'must be a list',
    )
    .max(1_000, 'must have at most 1000 entries'),
}) satisfies z.ZodType<AccountsFile>;

/** The accounts as a file, sorted by label, without ids: labels identify them. */
export function toAccountsFile(mode: Mode, accounts: readonly RoutableAccount[]): AccountsFile {
  const withoutId = accounts.map(({ accountId, ...account }) => account);
  return { schemaVersion: 1, mode, accounts: withoutId.toSorted((left, right) => (left.label < right.label ? -1 : 1)) };
}

/** Parses the file from plain JSON. Account ids are the labels, as in a rule-set file. */
export function readAccountsFile(
  json: unknown,
):
  | { readonly ok: true; readonly accounts: readonly RoutableAccount[] }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] } {
  const parsed = schema.safeParse(json);
  if (!parsed.success) return { ok: false, problems: fieldProblems(parsed.error) };
  return { ok: true, accounts: parsed.data.accounts.map((account) => ({ ...account, accountId: account.label })) };
}
