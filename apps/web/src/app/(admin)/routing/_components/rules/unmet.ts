import type { Takeovers } from './takeovers.ts';

type Finding = Takeovers['unmet'][number];
type Takeover = Pick<Takeovers['takeovers'][number], 'from' | 'to'>;

/** The same for a finding in every answer about the same rules. */
export function subjectOfFinding({ kind, ruleIds, accountIds, gap, limit }: Finding): string {
  return JSON.stringify([kind, ruleIds, accountIds, gap, limit]);
}

/** The same for a takeover in every answer about the same rules. */
export function subjectOfTakeover({ from, to }: Takeover): string {
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
