import type {
  FeeContract as StoredContract,
  EffectiveRate as StoredRate,
  SuccessRate as StoredSuccess,
} from '@switchyard/db/client';
import type { EffectiveRate, FeeSchedule, SuccessRate } from '@switchyard/routing';
import { effectiveRateSchema, feeScheduleSchema, successRateSchema } from '@switchyard/routing/stored-inputs';

/** A contract of a gateway account, with the time that it applies. */
export interface FeeContract {
  readonly contractId: string;
  readonly accountId: string;
  /** Null where the account has no contract from then on. */
  readonly schedule: FeeSchedule | null;
  /** Charged fees that differ by no more than this exact decimal of the main unit are as agreed. */
  readonly tolerance: string;
  readonly appliesFrom: Date;
  /** When the next one begins; null while none does. Equal to `appliesFrom` where another from the same moment replaced it. */
  readonly appliesTo: Date | null;
  readonly note: string | null;
  readonly createdBy: string;
  readonly createdAt: Date;
}

/** Contracts as they are stored, by account and the earliest first. Of those from one moment the last that was entered applies. */
export function toContracts(rows: readonly StoredContract[]): FeeContract[] {
  const sorted = rows.toSorted(byBeginning);
  return sorted.map((row, place): FeeContract => {
    const { id, accountId, appliesFrom, note, createdBy, createdAt } = row;
    const schedule = row.schedule === null ? null : (feeScheduleSchema.safeParse(row.schedule).data ?? null);
    const next = sorted[place + 1];
    const appliesTo = next?.accountId === accountId ? next.appliesFrom : null;
    const tolerance = row.tolerance.toFixed();
    return { contractId: id, accountId, schedule, tolerance, appliesFrom, appliesTo, note, createdBy, createdAt };
  });
}

function byBeginning(left: StoredContract, right: StoredContract): number {
  if (left.accountId !== right.accountId) return left.accountId < right.accountId ? -1 : 1;
  const since = left.appliesFrom.getTime() - right.appliesFrom.getTime() || left.createdAt.getTime() - right.createdAt.getTime();
  return since || (left.id < right.id ? -1 : 1);
}

/** An account's contract of a moment; null before its first. */
export function contractAt(contracts: readonly FeeContract[], accountId: string, moment: Date): FeeContract | null {
  return contracts.findLast((contract) => contract.accountId === accountId && contract.appliesFrom <= moment) ?? null;
}

/** Effective rates in routing's form, by account; those that cannot be read are left out. */
export function toRates(rows: readonly StoredRate[]): ReadonlyMap<string, readonly EffectiveRate[]> {
  const byAccount = Map.groupBy(rows, ({ accountId }) => accountId);
  return new Map(Array.from(byAccount, ([accountId, some]) => [accountId, some.flatMap(toRate)]));
}

function toRate({ currency, method, amountFrom, amountTo, rateMillionths }: StoredRate): EffectiveRate[] {
  const amount = { from: Number(amountFrom), to: amountTo === null ? null : Number(amountTo) };
  const parsed = effectiveRateSchema.safeParse({ currency, method, amount, rateMillionths });
  return parsed.success ? [parsed.data] : [];
}

/** Success rates in routing's form, by account; those that cannot be read are left out. */
export function toSuccessRates(rows: readonly StoredSuccess[]): ReadonlyMap<string, readonly SuccessRate[]> {
  const byAccount = Map.groupBy(rows, ({ accountId }) => accountId);
  return new Map(Array.from(byAccount, ([accountId, some]) => [accountId, some.flatMap(toSuccessRate)]));
}

function toSuccessRate({ currency, method, amountFrom, amountTo, paid, finished }: StoredSuccess): SuccessRate[] {
  const amount = { from: Number(amountFrom), to: amountTo === null ? null : Number(amountTo) };
  const parsed = successRateSchema.safeParse({ currency, method, amount, paid, finished });
  return parsed.success ? [parsed.data] : [];
}
