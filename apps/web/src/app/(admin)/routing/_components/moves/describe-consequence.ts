import type { RouterOutputs } from '#/trpc/outputs.ts';
import { counted } from '../rules/copy.ts';

type ReplayStep = RouterOutputs['routing']['replay'] extends AsyncIterable<infer Step> ? Step : never;

/** The last step of a replay. */
export type ReplayDone = Extract<ReplayStep, { kind: 'done' }>;

/** The figures of a replay. */
export type ReplayResult = ReplayDone['result'];

/** `of the last 7 days` */
export function describePeriod(days: number): string {
  return days === 1 ? 'of the last day' : `of the last ${days} days`;
}

const MOVES_NAMED_MAX = 3;

/**
 * Effect of a publication on payments, in sentences: `312 payments a day move from paystack-main to flutterwave-main.`
 * Where there are too few for a day, the number of the whole period is shown.
 */
export function describeConsequence(
  { payments, moved, moves, unroutable }: Pick<ReplayResult, 'payments' | 'moved' | 'moves' | 'unroutable'>,
  days: number,
  labelOf: (accountId: string | null) => string,
): string[] {
  const period = days === 1 ? 'the last day' : `the last ${days} days`;
  if (payments === 0) return [`There were no payments in ${period}, so the impact is unknown.`];
  if (moved === 0) return [`Of the ${counted(payments, 'payment')} of ${period}, none would have gone to another account.`];
  const sentences = moves.slice(0, MOVES_NAMED_MAX).map((move) => {
    const perDay = Math.round(move.payments / days);
    const how =
      days > 1 && perDay >= 1 ? `${counted(perDay, 'payment')} a day` : `${counted(move.payments, 'payment')} of ${period}`;
    const verb = (days > 1 && perDay >= 1 ? perDay : move.payments) === 1 ? 'moves' : 'move';
    return `${how} ${verb} from ${labelOf(move.from)} to ${labelOf(move.to)}.`;
  });
  const rest = moves.slice(MOVES_NAMED_MAX).reduce((sum, move) => sum + move.payments, 0);
  if (rest > 0) sentences.push(`${counted(rest, 'more payment')} of ${period} move between other accounts.`);
  if (unroutable.payments > 0) {
    sentences.push(`${counted(unroutable.payments, 'payment')} of ${period} would have had no listed account.`);
  }
  return sentences;
}
