import type { Contract, ContractAccount } from '#/copy/fees.ts';

/** The contract that applies at a moment; null before the first. */
export function currentContract({ contracts }: ContractAccount, now: number): Contract | null {
  return contracts.findLast(({ appliesFrom }) => appliesFrom.getTime() <= now) ?? null;
}
