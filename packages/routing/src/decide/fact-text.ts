import { describeHealthReason } from '../health-text.ts';
import { formatHundredths, formatMoney, groupDigits } from '../money.ts';
import type { RoutingReason } from '../types.ts';
import type {
  ConvertingAccount,
  FallbackAccount,
  FallbackFact,
  HealthFact,
  HealthPlace,
  OverrideFact,
  PathFact,
  PricedAccount,
  RationaleFact,
  RoutingFact,
  StrategyFact,
  Subject,
  UnavailableReason,
  ValuedAccount,
} from './facts.ts';
import { asSentence, describeObstacle, describeShare } from './sentence.ts';

type Category = RoutingReason['category'];
type Severity = RoutingReason['severity'];

function reason(code: string, title: string, message: string, category: Category, severity: Severity): RoutingReason {
  return { code, title, message, category, severity };
}

/** A fact as the documented reason. */
export function describeFact(fact: RoutingFact, subject: Subject): RoutingReason {
  const { payment, text, clock } = subject;
  switch (fact.code) {
    case 'canary': {
      const message = `Version ${fact.version} decides for ${fact.percent}% of customers, and this is one of them.`;
      return reason(fact.code, 'Trial version', message, 'rule', 'info');
    }
    case 'rule_matched':
    case 'requested_gateway':
    case 'no_rule_matched':
    case 'no_method':
    case 'held_out':
      return describePath(fact, subject);
    case 'weighted_split':
    case 'success_rate_exploration':
    case 'success_rate_unmeasured':
    case 'success_rate_best':
    case 'lowest_cost_unknown':
    case 'lowest_cost':
    case 'expected_value_unknown':
    case 'expected_value':
      return describeStrategy(fact, subject);
    case 'rule_account_missing': {
      const message = 'The rule names an account that this merchant does not have; it is skipped.';
      return reason(fact.code, 'Unknown account', message, 'capability', 'warning');
    }
    case 'override_drain':
    case 'override_disable':
    case 'override_force':
    case 'override_force_ineffective':
      return describeOverride(fact, subject);
    case 'not_configured':
    case 'disabled':
    case 'currency_not_supported':
    case 'method_not_supported':
    case 'amount_out_of_range': {
      const message = `${fact.account.label} ${describeObstacle(fact.code, fact.account, payment, clock)}.`;
      const severity = fact.code === 'disabled' || fact.code === 'not_configured' ? 'warning' : 'info';
      return reason(fact.code, 'Account skipped', message, 'capability', severity);
    }
    case 'account_degraded':
    case 'account_recovering':
    case 'account_down':
    case 'probe_payment':
      return describeHealthFact(fact, subject);
    case 'requested_gateway_unavailable':
    case 'rule_accounts_unavailable':
    case 'unlisted_account':
      return describeFallback(fact);
    case 'no_healthy_account': {
      const message = `No account that can take ${text} is healthy; all of them are tried, ${fact.first.label} first, because its chances are best.`;
      return reason(fact.code, 'No healthy account', message, 'health', fact.severity);
    }
    case 'no_eligible_provider': {
      const message = `No account of this merchant can take ${text}.`;
      return reason(fact.code, 'No account available', message, 'capability', 'critical');
    }
    default:
      return fact satisfies never;
  }
}

function describePath(fact: PathFact, { text }: Subject): RoutingReason {
  switch (fact.code) {
    case 'rule_matched':
      return reason(fact.code, 'Rule matched', `${text} matches ${fact.rule.text}.`, 'rule', 'info');
    case 'requested_gateway': {
      const message = `The merchant asked for ${fact.gateway}, so the rules are bypassed.`;
      return reason(fact.code, 'Requested gateway', message, 'rule', 'info');
    }
    case 'no_rule_matched':
      return reason(fact.code, 'No rule matched', `No rule covers ${text}, so the default order applies.`, 'rule', 'info');
    case 'no_method': {
      const message = 'No payment method was given, so no rule can match and the default order applies.';
      return reason(fact.code, 'No method given', message, 'rule', 'info');
    }
    case 'held_out': {
      const message = 'This customer is held out, to measure what the rules earn, so the default order applies.';
      return reason(fact.code, 'Held out', message, 'rule', 'info');
    }
    default:
      return fact satisfies never;
  }
}

function describeStrategy(fact: StrategyFact, { payment }: Subject): RoutingReason {
  const rule = (title: string, message: string) => reason(fact.code, title, message, 'rule', 'info');
  switch (fact.code) {
    case 'weighted_split': {
      const shares = fact.shares.map(({ account, percent }) => `${percent}% ${account.label}`).join(', ');
      return rule('Split by percentage', `The split is ${shares}; this payment's draw fell on ${fact.drawn.label}.`);
    }
    case 'success_rate_exploration':
      return rule(
        'Exploration',
        `${fact.explorationPercent}% of payments try an account other than the best, to keep measuring; this one tries ${fact.explored.label}.`,
      );
    case 'success_rate_unmeasured':
      return rule(
        'Too few payments to compare',
        `No account that can take this payment has ${groupDigits(fact.minSamples)} finished payments yet, so the order written applies.`,
      );
    case 'success_rate_best': {
      const share = ({ paid, finished }: ConvertingAccount) => describeShare(paid, finished);
      const others = fact.others.map((other) => `${other.account.label} ${share(other)}`);
      return rule('Best conversion', `${fact.best.account.label} converts best: ${share(fact.best)}${describeOthers(others)}.`);
    }
    case 'lowest_cost_unknown': {
      const message = `No account that can take ${formatMoney(payment.currency, payment.amount)} has a fee schedule, so the order written applies.`;
      return rule('No fees to compare', message);
    }
    case 'lowest_cost': {
      const price = ({ feeInHundredths }: PricedAccount) => formatHundredths(payment.currency, feeInHundredths);
      const others = fact.others.map((other) => `${price(other)} at ${other.account.label}`);
      const cheapest = `${fact.cheapest.account.label} costs least for ${formatMoney(payment.currency, payment.amount)}: ${price(fact.cheapest)}`;
      const basis = fact.basis === 'effective' ? ', by what was charged lately' : '';
      return rule('Lowest cost', `${cheapest}${describeOthers(others)}${basis}.`);
    }
    case 'expected_value_unknown': {
      const message = `No account that can take ${formatMoney(payment.currency, payment.amount)} has a fee schedule, so the order written applies.`;
      return rule('No fees to compare', message);
    }
    case 'expected_value': {
      const { best, others } = fact;
      const worth = ({ account, worthInHundredths }: ValuedAccount) =>
        `${formatHundredths(payment.currency, worthInHundredths)} at ${account.label}`;
      const factors = [best, ...others].map((each) => describeFactors(each, payment.currency));
      const fees = fact.basis === 'effective' ? 'as charged lately' : 'by contract';
      return rule(
        'Highest expected value',
        `${formatMoney(payment.currency, payment.amount)} is expected to bring ${worth(best)}${describeOthers(others.map(worth))}: ${factors.join('; ')}. Success by finished payments of the last 28 days, few of them drawn to the average; fees ${fees}.`,
      );
    }
    default:
      return fact satisfies never;
  }
}

/** `paystack-main 91.2% (912 of 1,000 of this method and size), fee NGN 37.50`. */
function describeFactors({ account, success, feeInHundredths }: ValuedAccount, currency: string): string {
  const { chance, paid, finished } = success;
  const share = `${(Math.round(chance * 1000) / 10).toFixed(1)}%`;
  const known =
    finished === 0
      ? 'none of this method and size yet'
      : `${groupDigits(paid)} of ${groupDigits(finished)} of this method and size`;
  return `${account.label} ${share} (${known}), fee ${formatHundredths(currency, feeInHundredths)}`;
}

function describeOthers(others: readonly string[]): string {
  return others.length === 0 ? '' : `, against ${others.join(', ')}`;
}

function describeOverride(fact: OverrideFact, subject: Subject): RoutingReason {
  const { payment, clock } = subject;
  const { account, override } = fact;
  const because = `${describeExpiry(override.expiresAt, subject)}: ${asSentence(override.reason)}`;
  if (fact.code === 'override_force_ineffective') {
    const obstacle = describeObstacle(fact.obstacle, account, payment, clock);
    const message = `An operator puts ${account.label} first${because} This has no effect here: ${account.label} ${obstacle}.`;
    return reason(fact.code, 'Override without effect', message, 'override', 'warning');
  }
  const deed = { drain: 'drains', disable: 'disables', force: 'puts first' }[override.action];
  const all = override.gateway === undefined ? '' : ` and all other accounts at ${override.gateway}`;
  return reason(fact.code, 'Operator override', `An operator ${deed} ${account.label}${all}${because}`, 'override', 'warning');
}

function describeExpiry(expiresAt: string | null, { clock }: Subject): string {
  return expiresAt === null ? '' : ` until ${clock.dateAndTimeOf(expiresAt)}`;
}

const HEALTH_TITLES = {
  account_degraded: 'Account degraded',
  account_recovering: 'Account in recovery',
  account_down: 'Account down',
} as const;

function describeHealthFact(fact: HealthFact, { text, clock }: Subject): RoutingReason {
  const { account, health } = fact;
  const why = health.why === null ? '' : ` ${describeHealthReason(health.why, clock)}`;
  if (fact.code === 'probe_payment') {
    const behind = fact.behind === null ? 'no other account can take it' : `${fact.behind.label} takes over if it fails`;
    const message = `${account.label} is in recovery and takes this payment as a probe payment; ${behind}.${why}`;
    return reason(fact.code, 'Probe payment', message, 'health', 'info');
  }
  const message = `${account.label} ${describePlace(fact.place, text)}.${why}`;
  return reason(fact.code, HEALTH_TITLES[fact.code], message, 'health', fact.place === 'kept' ? 'info' : 'warning');
}

function describePlace(place: HealthPlace, text: string): string {
  switch (place) {
    case 'last':
      return 'goes behind the healthy accounts';
    case 'best_chance':
      return `has the best chance to take ${text}`;
    case 'by_chance':
      return 'goes behind accounts with better chances';
    case 'kept':
      return 'is in recovery and keeps its place as a fallback';
    default:
      return place satisfies never;
  }
}

function describeFallback(fact: FallbackFact): RoutingReason {
  const fallback = (title: string, message: string) => reason(fact.code, title, message, 'fallback', 'warning');
  const next = describeFallbackAccount(fact.next);
  switch (fact.code) {
    case 'requested_gateway_unavailable': {
      const unavailable =
        fact.unavailable === 'no_account'
          ? 'this merchant has no account there'
          : `no account there ${describeAvailable(fact.unavailable)}`;
      const message = `The merchant asked for ${fact.gateway}, but ${unavailable}; ${next} serves instead.`;
      return fallback('Requested gateway unavailable', message);
    }
    case 'rule_accounts_unavailable': {
      const message = `No account of rule "${fact.rule.name}" ${describeAvailable(fact.unavailable)}; ${next} serves instead.`;
      return fallback("The rule's accounts are unavailable", message);
    }
    case 'unlisted_account':
      return fallback(
        'Unlisted account',
        `No account of the default order ${describeAvailable(fact.unavailable)}; ${next} serves.`,
      );
    default:
      return fact satisfies never;
  }
}

function describeFallbackAccount({ account, listed }: FallbackAccount): string {
  return listed ? 'the default order' : `${account.label}, which no order lists,`;
}

function describeAvailable(unavailable: UnavailableReason): string {
  return unavailable === 'unhealthy' ? 'is healthy' : 'can take this payment';
}

/** One sentence: which account takes the payment, and why. */
export function describeRationale(fact: RationaleFact, { text }: Subject): string {
  if (fact.basis === 'no_account') return `No account can take ${text}.`;
  const account = fact.basis === 'fallback' ? fact.next.account : fact.account;
  return `${account.label} takes ${text}${describeBasis(fact)}.`;
}

function describeBasis(fact: Exclude<RationaleFact, { basis: 'no_account' }>): string {
  switch (fact.basis) {
    case 'override':
      return ': an operator puts it first';
    case 'best_chance':
      return ': no account that can take it is healthy, and its chances are best';
    case 'rule':
      return ` under ${fact.rule.text}`;
    case 'requested':
      return `: the merchant asked for ${fact.gateway}`;
    case 'fallback': {
      const can = fact.unavailable === 'unhealthy' ? 'is healthy' : 'can';
      const who = fact.next.listed ? `the first of the default order that ${can}` : `no listed account ${can}`;
      if (fact.after === null) return `: ${who}`;
      return `: ${who}, after ${'rule' in fact.after ? `rule "${fact.after.rule.name}"` : `the request for ${fact.after.gateway}`}`;
    }
    default:
      return fact satisfies never;
  }
}
