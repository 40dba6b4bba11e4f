import type { FeeSchedule } from '@switchyard/routing';
import { changeConfiguration, type FieldProblem, fieldProblems } from '@switchyard/runtime';
import { calendarDay, startOfDay } from '@switchyard/runtime/calendar-days';
import type { MerchantsContext } from '../../context.ts';
import { findGatewayAccount } from '../queries.ts';
import { enteredContract } from './entered-contract.ts';
import { CONTRACTS_MAX, insertContract } from './queries.ts';

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

export { enteredSchedule } from './entered-contract.ts';
