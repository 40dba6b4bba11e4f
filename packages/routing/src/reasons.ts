import type { Standing } from './eligibility.ts';
import type { LineUp, Path } from './line-up.ts';
import type { Plan } from './plan.ts';
import { asSentence, describeObstacle } from './sentence.ts';
import type { RoutablePayment, RoutingOverride, RoutingReason } from './types.ts';

/** The payment, and the words for it, which several sentences repeat. */
export interface Subject {
  readonly payment: RoutablePayment;
  /** `NGN 2,500 CARD` */
  readonly text: string;
}

/** Everything that shaped a decision, as sentences: the path first, then the operators' hands, then each account that moved. */
export function reasonsFor(path: Path, line: LineUp, plan: Plan, subject: Subject): RoutingReason[] {
  const reasons = [pathReason(path, subject)];
  if (line.strategyReason) reasons.push(line.strategyReason);
  for (const accountId of line.missing) {
    const message = `The rule names account ${accountId}, which this merchant does not have; it is passed over.`;
    reasons.push({
      code: 'rule_account_missing',
      title: 'Unknown account',
      message,
      category: 'capability',
      severity: 'warning',
    });
  }
  let place = 0;
  for (const standing of line.all) {
    for (const override of standing.overrides) pushIfSome(reasons, overrideReason(standing, override, subject));
    if (place < line.listed) pushIfSome(reasons, accountReason(standing, plan, subject));
    place += 1;
  }
  pushIfSome(reasons, turnReason(path, line, plan));
  pushIfSome(reasons, lastReason(plan, subject));
  return reasons;
}

/** Overrides that changed what happened to this payment; one that met an account unable anyway did not. */
export function touched(standing: Standing, override: RoutingOverride): boolean {
  return override.action === 'force' ? standing.forced : standing.ineligible === 'disabled_by_operator';
}

/** One sentence: who takes the payment, and on what ground. */
export function rationaleFor(path: Path, line: LineUp, plan: Plan, subject: Subject): string {
  const first = plan.order[0];
  if (!first) return `No account can take ${subject.text}.`;
  const who = `${first.account.label} takes ${subject.text}`;
  if (plan.lastResort) return `${who}: every able account is unhealthy, and it did best lately.`;
  if (first.forced) return `${who}: an operator puts it first.`;
  const place = line.all.indexOf(first);
  if (place >= line.leading) {
    const ground = place >= line.listed ? 'no listed account can' : 'the first of the default order that can';
    return `${who}: ${ground}${path.kind === 'default' ? '' : `, after ${describePath(path)}`}.`;
  }
  switch (path.kind) {
    case 'rule':
      return `${who} under ${path.rule.text}.`;
    case 'requested':
      return `${who}: the merchant asked for ${path.gateway}.`;
    case 'default':
      return `${who} in the default order.`;
    default:
      return path satisfies never;
  }
}

function describePath(path: Exclude<Path, { kind: 'default' }>): string {
  return path.kind === 'rule' ? `rule "${path.rule.name}"` : `the request for ${path.gateway}`;
}

function pathReason(path: Path, { text }: Subject): RoutingReason {
  switch (path.kind) {
    case 'rule': {
      const message = `${text} matches ${path.rule.text}.`;
      return { code: 'rule_matched', title: 'Rule matched', message, category: 'rule', severity: 'info' };
    }
    case 'requested': {
      const message = `The merchant asked for ${path.gateway}, so the rules are bypassed.`;
      return { code: 'requested_gateway', title: 'Requested gateway', message, category: 'rule', severity: 'info' };
    }
    case 'default': {
      const [code, title] =
        path.because === 'no_rule' ? ['no_rule_matched', 'No rule matched'] : ['no_method', 'No method given'];
      const message =
        path.because === 'no_rule'
          ? `No rule covers ${text}, so the default order applies.`
          : 'No payment method was given, so no rule can match and the default order applies.';
      return { code, title, message, category: 'rule', severity: 'info' };
    }
    default:
      return path satisfies never;
  }
}

function overrideReason(standing: Standing, override: RoutingOverride, { payment }: Subject): RoutingReason | null {
  const { label } = standing.account;
  const until = override.expiresAt === null ? '' : ` until ${override.expiresAt}`;
  const because = `${until}: ${asSentence(override.reason)}`;
  if (touched(standing, override)) {
    const deed = { drain: 'drains', disable: 'takes out', force: 'puts first' }[override.action];
    const message = `${override.actor} ${deed} ${label}${because}`;
    return {
      code: `override_${override.action}`,
      title: 'Operator override',
      message,
      category: 'override',
      severity: 'warning',
    };
  }
  if (override.action !== 'force' || standing.ineligible === null) return null;
  const obstacle = describeObstacle(standing.ineligible, standing.account, payment);
  const message = `${override.actor} puts ${label} first${because} This has no effect here: ${label} ${obstacle}.`;
  return {
    code: 'override_force_ineffective',
    title: 'Override without effect',
    message,
    category: 'override',
    severity: 'warning',
  };
}

/** What moved a listed account, or nothing when it stands where the order put it. */
function accountReason(standing: Standing, plan: Plan, { payment }: Subject): RoutingReason | null {
  const { account, health, ineligible } = standing;
  if (ineligible === 'unhealthy') return illnessReason(standing);
  if (ineligible === 'disabled_by_operator') return null;
  if (ineligible !== null) {
    const severity = ineligible === 'disabled' || ineligible === 'not_configured' ? 'warning' : 'info';
    const message = `${account.label} ${describeObstacle(ineligible, account, payment)}.`;
    return { code: ineligible, title: 'Account passed over', message, category: 'capability', severity };
  }
  if (standing.forced || health === null) return null;
  if (standing.state === 'probing') {
    const message = `${account.label} is being probed with ${health.probePercent}% of payments, and this is one of them. ${health.why}`;
    return { code: 'probe', title: 'Probe', message, category: 'health', severity: 'info' };
  }
  if (plan.demoted.includes(standing)) {
    const message = `${account.label} goes behind healthy accounts. ${health.why}`;
    return { code: 'degraded', title: 'Degraded account moved back', message, category: 'health', severity: 'warning' };
  }
  if (standing.state === 'degraded' && plan.order[0] === standing) {
    const message = `No healthy account can take this payment in place of ${account.label}. ${health.why}`;
    return { code: 'degraded_recommended', title: 'Degraded account', message, category: 'health', severity: 'warning' };
  }
  return null;
}

function illnessReason({ account, health, state }: Standing): RoutingReason {
  const why = health === null ? '' : ` ${health.why}`;
  if (state === 'probing') {
    const message = `${account.label} is being probed with ${health?.probePercent ?? 0}% of payments, and this is not one of them.${why}`;
    return { code: 'probe_held_back', title: 'Account in recovery', message, category: 'health', severity: 'info' };
  }
  const message = `${account.label} is passed over.${why}`;
  return { code: 'unhealthy', title: 'Account down', message, category: 'health', severity: 'warning' };
}

/** Said when the payment went on to accounts that the path did not lead with. */
function turnReason(path: Path, line: LineUp, plan: Plan): RoutingReason | null {
  const first = plan.order[0];
  if (!first || first.forced || plan.lastResort) return null;
  const place = line.all.indexOf(first);
  if (place < line.leading) return null;
  const unlisted = place >= line.listed;
  const next = unlisted ? `${first.account.label}, which no order lists,` : 'the default order';
  const reason = (code: string, title: string, message: string): RoutingReason => {
    return { code, title, message, category: 'fallback', severity: 'warning' };
  };
  if (path.kind === 'requested') {
    const lack = line.leading === 0 ? 'this merchant has no account there' : 'no account there can take this payment';
    const message = `The merchant asked for ${path.gateway}, but ${lack}; ${next} serves instead.`;
    return reason('requested_gateway_unavailable', 'Requested gateway unavailable', message);
  }
  if (path.kind === 'rule') {
    const lack = line.all.slice(0, line.leading).some((standing) => standing.ineligible === null)
      ? 'is healthy'
      : 'can take this payment';
    const message = `No account of rule "${path.rule.name}" ${lack}; ${next} serves instead.`;
    return reason('rule_accounts_unavailable', "The rule's accounts are unavailable", message);
  }
  if (!unlisted) return null;
  return reason('unlisted_account', 'Unlisted account', `No account of the default order can take this payment; ${next} serves.`);
}

function lastReason(plan: Plan, { text }: Subject): RoutingReason | null {
  if (plan.lastResort) {
    const message = `Every account that can take ${text} is unhealthy; ${plan.lastResort.account.label} did best lately and is tried all the same.`;
    return { code: 'all_unhealthy', title: 'All accounts unhealthy', message, category: 'health', severity: 'critical' };
  }
  if (plan.order.length > 0) return null;
  const message = `No account of this merchant can take ${text}.`;
  return { code: 'no_eligible_provider', title: 'No account available', message, category: 'capability', severity: 'critical' };
}

function pushIfSome(reasons: RoutingReason[], reason: RoutingReason | null): void {
  if (reason) reasons.push(reason);
}
