import { describePayment } from '@switchyard/routing';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { counted } from './copy.ts';

/** The payments of the last seven days that the rules of a draft take over, and from which rules, as the server computes it. */
export type Takeovers = Extract<RouterOutputs['routing']['takeovers'], { kind: 'compared' }>;
type Takeover = Takeovers['takeovers'][number];

/** Each takeover with a sentence that follows the name of the rule, or is complete where the default order takes over. */
export function describeTakeovers(compared: Takeovers): { readonly takeover: Takeover; readonly message: string }[] {
  return compared.takeovers.map((takeover) => ({ takeover, message: describeTakeover(takeover, compared) }));
}

/** `Takes 412 payments a week from rule 3 “Large cards” of version 7, such as NGN 6,000.00 by card.` */
function describeTakeover(
  { from, to, payments, example }: Takeover,
  { liveVersion, cut }: Pick<Takeovers, 'liveVersion' | 'cut'>,
): string {
  const source = from === null ? 'the default order' : `rule ${from.position + 1} “${from.name}” of version ${liveVersion}`;
  const shown = describePayment(example);
  const number = `${cut ? 'at least ' : ''}${counted(payments, 'payment')} a week`;
  if (payments === 0) {
    const target = to === null ? 'the default order would take' : 'takes over';
    return `${sentenceCase(target)} ${shown} from ${source}, but no such payment came in the last 7 days.`;
  }
  if (to === null) return `${sentenceCase(number)} would go from ${source} to the default order, such as ${shown}.`;
  return `Takes ${number} from ${source}, such as ${shown}.`;
}

/** How many payments a week match both rules; null where none of the last seven days did. */
export function countOverlap(
  { overlaps, cut }: Pick<Takeovers, 'overlaps' | 'cut'>,
  positions: readonly number[],
): string | null {
  const found = overlaps.find(({ winner, loser }) => positions.at(-1) === loser.position && positions.includes(winner.position));
  return found === undefined ? null : `${cut ? 'at least ' : ''}${counted(found.payments, 'payment')} a week`;
}

/** The takeovers of the last seven days' payments as sentences that name the rule that takes them; at most `limit`. */
export function listTakeovers(takeovers: Takeovers, limit: number): string[] {
  const met = describeTakeovers(takeovers).filter(({ takeover }) => takeover.payments > 0);
  const sentences = met
    .slice(0, limit)
    .map(({ takeover: { to }, message }) =>
      to === null ? message : `Rule ${to.position + 1} “${to.name}” ${message.charAt(0).toLowerCase()}${message.slice(1)}`,
    );
  const more = met.length - sentences.length;
  const others = more === 1 ? '1 more pair of rules trades payments.' : `${more} more pairs of rules trade payments.`;
  return more > 0 ? [...sentences, others] : sentences;
}

function sentenceCase(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

type Finding = Takeovers['unmet'][number];
type TakeoverPair = Pick<Takeovers['takeovers'][number], 'from' | 'to'>;

/** The same for a finding in every answer about the same rules. */
export function subjectOfFinding({ kind, ruleIds, accountIds, gap, limit }: Finding): string {
  return JSON.stringify([kind, ruleIds, accountIds, gap, limit]);
}

/** The same for a takeover in every answer about the same rules. */
export function subjectOfTakeover({ from, to }: TakeoverPair): string {
  return JSON.stringify(['takeover', from?.ruleId ?? null, to?.ruleId ?? null]);
}

/** Findings and takeovers that no payment met, and how many payments of which days that is known of. */
export interface Unmet {
  readonly subjects: ReadonlySet<string>;
  /** `no payment of the last 30 days`. */
  readonly payments: string;
}

/** Findings that no payment of the last days met, by the takeovers computed for them. */
export function unmetIn({ unmet, takeovers, payments, cut }: Takeovers, days: number): Unmet {
  const untaken = takeovers.filter((takeover) => takeover.payments === 0);
  return {
    subjects: new Set([...unmet.map(subjectOfFinding), ...untaken.map(subjectOfTakeover)]),
    payments: cut ? `none of the newest ${payments.toLocaleString('en')} payments` : `no payment of the last ${days} days`,
  };
}
