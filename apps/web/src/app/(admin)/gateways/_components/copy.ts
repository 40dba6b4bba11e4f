import { groupDecimal } from '#/format/amounts.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';

/** A gateway account, as the server lists it. */
export type Account = RouterOutputs['gateways']['list'][number];

/** A gateway that accounts can be connected at. */
export type Kind = RouterOutputs['gateways']['kinds'][number];

/** A fee schedule. */
export type Fees = NonNullable<Account['fees']>;

/** Fees in one line: `1.5% + 100, capped at 2,000, 7.5% VAT on top`. */
export function describeFees(fees: Fees | null): string {
  if (fees === null) return 'Not set';
  const { percentBasisPoints, flat, flatWaivedBelow, cap, vatBasisPoints, stampDuty, exceptions = [] } = fees;
  const parts = [
    `${percentBasisPoints / 100}%${flat > 0 ? ` + ${group(flat)}` : ''}`,
    flat > 0 && flatWaivedBelow !== null ? `the ${group(flat)} waived below ${group(flatWaivedBelow)}` : '',
    cap === null ? '' : `capped at ${group(cap)}`,
    vatBasisPoints > 0 ? `${vatBasisPoints / 100}% VAT on top` : '',
    stampDuty === undefined ? '' : `${group(stampDuty.amount)} stamp duty from ${group(stampDuty.from)}`,
    exceptions.length === 0 ? '' : `${exceptions.length} ${exceptions.length === 1 ? 'exception' : 'exceptions'}`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** Limits in one line: `50 to 1,000,000`, `from 50`. */
export function describeLimits({ minAmount, maxAmount }: Pick<Account, 'minAmount' | 'maxAmount'>): string {
  return maxAmount === null ? `from ${groupDecimal(minAmount)}` : `${groupDecimal(minAmount)} to ${groupDecimal(maxAmount)}`;
}

/** Credentials as they may be shown: `····3f9a` for each that is long enough to have four characters shown. */
export function describeCredential(hint: Readonly<Record<string, string>>, name: string): string {
  const last = hint[name];
  return last === undefined ? 'set, too short to show its end' : `····${last}`;
}

const REFUSALS: Readonly<Record<string, string>> = {
  bad_signature: 'Wrong signature',
  missing_signature: 'Missing signature',
  whole_body_signature: 'Signed over the whole body, which the gateway does not document',
  malformed: 'Unreadable',
  stale: 'Too old',
  replayed: 'Replayed',
  unknown_account: 'Unknown account',
  unreadable_account: 'Credentials not readable here',
};

/** Why a webhook was refused, as a short label; the code itself where there is none. */
export function describeRefusal(why: string): string {
  return REFUSALS[why] ?? why.replaceAll('_', ' ');
}

const DELIVERIES: Readonly<Record<string, { readonly word: string; readonly tone: 'good' | 'wait' | 'over' }>> = {
  RECEIVED: { word: 'To process', tone: 'wait' },
  PROCESSED: { word: 'Processed', tone: 'good' },
  IGNORED: { word: 'Ignored', tone: 'over' },
};

/** The state of a stored webhook. */
export function deliveryLabel(state: string): { readonly word: string; readonly tone: 'good' | 'wait' | 'over' } {
  return DELIVERIES[state] ?? { word: state, tone: 'over' };
}

function group(amount: number): string {
  return amount.toLocaleString('en');
}
