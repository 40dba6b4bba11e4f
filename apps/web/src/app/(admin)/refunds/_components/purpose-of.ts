import { describeReason } from '#/copy/refunds.ts';
import type { ApprovalRow } from './use-refunds.ts';

/** The reason of a refund that needs a second person, or what kind of money it returns. */
export function purposeOf({ kind, note, ...reason }: ApprovalRow): string {
  if (kind === 'duplicate') return 'Duplicate payment';
  if (kind === 'mismatched') return note === null ? 'Amount mismatch' : `Amount mismatch, ${note}`;
  return describeReason(reason) ?? 'No reason given';
}
