import type { ParsedNaira } from './amounts.ts';
import { type Fields, findUnknown } from './order.ts';
import { type Problem, type Read, read, refused } from './problem.ts';

/** Whole naira to refund, or `full` for all that is left. */
export type AskedNaira = number | 'full';

const UNKNOWN_WHY = 'a refund has no such field, and without an amount it would be of all that is left';

/**
 * The amount of a refund. The gateways refund all that is left when the field is left out. That is taken only where every other field is a
 * `known` one: another may be the amount under a wrong name, and one that is there and empty is an amount that was lost.
 */
export function readRefundAmount(
  sent: Fields,
  known: readonly string[],
  readAmount: (value: unknown) => ParsedNaira,
  problemOf: (why: Extract<ParsedNaira, string>) => Problem,
): Read<AskedNaira> {
  if (sent.amount === undefined) {
    const unknown = findUnknown(sent, known, UNKNOWN_WHY);
    return unknown === null ? read('full') : refused(unknown);
  }
  const amount = readAmount(sent.amount);
  return typeof amount === 'string' ? refused(problemOf(amount)) : read(amount);
}
