import { type FeeSchedule, MAX_AMOUNT, PAYMENT_METHODS } from '@switchyard/routing';
import { changeConfiguration, type FieldProblem, fieldProblems } from '@switchyard/runtime';
import { calendarDay, isDay, startOfDay } from '@switchyard/runtime/calendar-days';
import { z } from 'zod';
import type { MerchantsContext } from '../../context.ts';
import { CONTRACTS_MAX, findGatewayAccount, insertContract } from '../queries.ts';

const MAX = 'must be at most 1,000,000,000,000';
const whole = z.int('must be a whole number').min(0, 'must not be negative').max(MAX_AMOUNT, MAX);
const amount = z
  .number('must be a number')
  .min(0, 'must not be negative')
  .max(MAX_AMOUNT, MAX)
  .refine((value) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-6, 'must have at most two decimals');
const basisPoints = z.int('must be a whole number').min(0, 'must not be negative').max(10_000, 'must be at most 10000');

const terms = {
  percentBasisPoints: basisPoints,
  flat: amount,
  flatWaivedBelow: whole.nullable(),
  cap: amount.nullable(),
  vatBasisPoints: basisPoints,
  stampDuty: z.strictObject({ amount, from: whole }).exactOptional(),
};

const EXCEPTIONS_MAX = 50;

const exception = z.strictObject({
  ...terms,
  methods: z
    .array(z.enum(PAYMENT_METHODS, `must be one of ${PAYMENT_METHODS.join(', ')}`))
    .max(PAYMENT_METHODS.length, 'must not repeat an entry'),
  origin: z.enum(['local', 'international'], 'must be local or international').nullable(),
  amount: z.strictObject({ from: whole, to: whole.nullable() }).check(({ value, issues }) => {
    if (value.to === null || value.from <= value.to) return;
    issues.push({ code: 'custom', input: value, path: ['to'], message: 'must not be below the smallest amount' });
  }),
});

/** A fee schedule as people enter it. */
export const enteredSchedule = z.strictObject({
  ...terms,
  exceptions: z
    .array(exception, 'must be a list')
    .max(EXCEPTIONS_MAX, `must have at most ${EXCEPTIONS_MAX} entries`)
    .exactOptional(),
});

/** A contract as people enter it. */
const enteredContract = z.object({
  schedule: enteredSchedule.nullable(),
  /** The first day that it applies, `YYYY-MM-DD`. */
  appliesFrom: z.string('must be text').refine(isDay, 'must be a day'),
  tolerance: z.string('must be text').regex(/^\d{1,12}(?:\.\d{1,6})?$/, 'must be an amount with at most six decimals'),
  note: z.string('must be text').max(500, 'must have at most 500 characters').nullable(),
});

/** The zone by which contracts begin. */
export const CONTRACT_ZONE = 'Africa/Lagos';

/** Charged fees may differ by a hundredth: no gateway states how it rounds. */
export const USUAL_TOLERANCE = '0.01';

/** Asks for a contract of an account. */
export interface AddContractCommand {
  readonly merchantId: string;
  readonly accountId: string;
  /** Null ends the contract that applies. */
  readonly schedule: FeeSchedule | null;
  /** `YYYY-MM-DD`; may be in the past, and is then what payments since are compared with. */
  readonly appliesFrom: string;
  /** Exact decimal of the main unit. */
  readonly tolerance: string;
  readonly note: string | null;
  readonly actor: string;
}

/** Result of adding a contract, or the reason why it was refused. */
export type AddContractOutcome =
  | { readonly kind: 'added'; readonly contractId: string }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  | { readonly kind: 'too_many'; readonly limit: number }
  | { readonly kind: 'not_found' };

/** Adds a contract of an account from a day on. The contracts before it stay as they are, for the time until then. */
export async function addContract(context: MerchantsContext, command: AddContractCommand): Promise<AddContractOutcome> {
  const parsed = enteredContract.safeParse(command);
  if (!parsed.success) return { kind: 'invalid', problems: fieldProblems(parsed.error) };
  const { merchantId, accountId, actor } = command;
  const { schedule, tolerance, note } = parsed.data;
  const appliesFrom = startOfDay(new Date(`${parsed.data.appliesFrom}T12:00:00Z`), CONTRACT_ZONE);
  return changeConfiguration<AddContractOutcome>(context, { merchantId, actor }, async (transaction, now) => {
    const account = await findGatewayAccount(transaction, merchantId, accountId);
    if (account === null) return { outcome: { kind: 'not_found' }, audit: null };
    const count = await transaction.feeContract.count({ where: { merchantId } });
    if (count >= CONTRACTS_MAX) return { outcome: { kind: 'too_many', limit: CONTRACTS_MAX }, audit: null };
    const contractId = context.newId();
    const entered = { accountId, appliesFrom, schedule: schedule ?? null, tolerance, note: note?.trim() || null };
    await insertContract(transaction, { ...entered, merchantId, id: contractId, createdBy: actor }, now);
    const after = { ...entered, appliesFrom: calendarDay(appliesFrom, CONTRACT_ZONE) };
    return {
      outcome: { kind: 'added', contractId },
      audit: { action: 'fee_contract.added', objectType: 'gateway_account', objectId: accountId, before: null, after },
    };
  });
}
