import type { Traffic } from '../queries/use-traffic.ts';
import { conditionsText, counted, trafficShareText } from '../rules/copy.ts';
import { type Account, isComplete, type Rule } from '../rules/document.ts';
import { Route } from './route-chips.tsx';
import classes from './rule-summary.module.css';

/** A rule in three lines: its name, its conditions, its accounts. */
export function RuleSummary({ rule, accounts }: { rule: Rule; accounts: readonly Account[] }) {
  const isIncomplete = !isComplete(rule);
  return (
    <span className={classes.summary} data-off={!rule.enabled || isIncomplete}>
      <span className={classes.name}>
        {rule.name === '' ? 'Unnamed rule' : rule.name}
        {!rule.enabled && <span className={classes.off}>Off</span>}
        {isIncomplete && <span className={classes.off}>Incomplete: not in force</span>}
      </span>
      <span className={classes.conditions}>{conditionsText(rule)}</span>
      <span className={classes.route}>
        <Route target={rule.then} accounts={accounts} />
      </span>
    </span>
  );
}

/** Its share of last week's payments, by the rules shown. */
export function Share({ traffic, ruleId }: { traffic: Traffic; ruleId: string | null }) {
  const count = traffic.countOf(ruleId);
  if (count === null || traffic.payments === 0) return <span className={classes.share} />;
  return (
    <span className={classes.share} title={`${counted(count, 'payment')} of the last 7 days, decided by ${traffic.decidedBy}`}>
      {trafficShareText(count, traffic.payments)}
      <span className="visually-hidden"> of the payments of the last 7 days, decided by {traffic.decidedBy}</span>
      <i className={classes.bar} aria-hidden="true">
        <i style={{ width: `${(count / traffic.payments) * 100}%` }} />
      </i>
    </span>
  );
}
