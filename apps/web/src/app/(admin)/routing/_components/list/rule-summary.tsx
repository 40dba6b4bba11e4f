import type { Traffic } from '../queries/use-traffic.ts';
import { conditionsText, counted, trafficShareText } from '../rules/copy.ts';
import { type Account, isComplete, type Rule } from '../rules/document.ts';
import { Route } from './route-chips.tsx';

/** A rule in three lines: its name, its conditions, its accounts. */
export function RuleSummary({ rule, accounts }: { rule: Rule; accounts: readonly Account[] }) {
  const isIncomplete = !isComplete(rule);
  return (
    <span className="group/summary grid gap-px min-w-0 text-sm" data-off={!rule.enabled || isIncomplete}>
      <span className="flex gap-2 items-baseline text-base font-medium wrap-anywhere group-data-[off=true]/summary:text-ink-faint">
        {rule.name === '' ? 'Unnamed rule' : rule.name}
        {!rule.enabled && (
          <span className="px-1.5 border border-line-strong rounded-[9px] text-ink-quiet text-xs font-normal">Off</span>
        )}
        {isIncomplete && (
          <span className="px-1.5 border border-line-strong rounded-[9px] text-ink-quiet text-xs font-normal">
            Incomplete: not active
          </span>
        )}
      </span>
      <span className="text-ink-quiet">{conditionsText(rule)}</span>
      <span className="group-data-[off=true]/summary:text-ink-faint">
        <Route target={rule.then} accounts={accounts} />
      </span>
    </span>
  );
}

/** Its share of last week's payments, by the rules shown. */
export function Share({ traffic, ruleId }: { traffic: Traffic; ruleId: string | null }) {
  const count = traffic.countOf(ruleId);
  if (count === null || traffic.payments === 0) return <span className="flex-none w-13 text-sm tabular-nums text-right" />;
  return (
    <span
      className="flex-none w-13 text-sm tabular-nums text-right"
      title={`${counted(count, 'payment')} of the last 7 days, decided by ${traffic.decidedBy}`}
    >
      {trafficShareText(count, traffic.payments)}
      <span className="sr-only"> of payments in the last 7 days, decided by {traffic.decidedBy}</span>
      <i className="block h-[3px] mt-1 rounded-[2px] bg-line" aria-hidden="true">
        <i className="block h-full rounded-[2px] bg-ink-faint" style={{ width: `${(count / traffic.payments) * 100}%` }} />
      </i>
    </span>
  );
}
