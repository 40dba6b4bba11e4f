import type { MetadataKey } from '@switchyard/routing';
import { memo } from 'react';
import { gatewayTokens } from '#/theme/gateway-colours.ts';
import type { Traffic } from '../queries/use-routing.ts';
import { conditionsText, counted, labelIn, STRATEGY_LABELS, trafficShareText } from '../rules/copy.ts';
import { type Account, isComplete, type Rule, type Target } from '../rules/document.ts';

/** A rule in three lines: its name, its conditions, its accounts. */
export const RuleSummary = memo(function RuleInThreeLines({
  rule,
  accounts,
  keys = [],
}: {
  rule: Rule;
  accounts: readonly Account[];
  /** Declarations of the metadata keys that rules compare. */
  keys?: readonly MetadataKey[];
}) {
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
      <span className="text-ink-quiet">{conditionsText(rule, keys)}</span>
      <span className="group-data-[off=true]/summary:text-ink-faint">
        <Route target={rule.then} accounts={accounts} />
      </span>
    </span>
  );
});

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

/** An account with its gateway's colour. */
export function AccountChip({ accountId, accounts }: { accountId: string; accounts: readonly Account[] }) {
  const account = accounts.find((each) => each.accountId === accountId);
  const isOff = account !== undefined && (!account.enabled || !account.configured);
  return (
    <span
      className="inline-flex gap-1.5 items-baseline whitespace-nowrap max-phone:whitespace-normal max-phone:wrap-anywhere data-[gone=true]:text-bad-ink"
      data-gone={account === undefined}
      title={account?.gatewayTitle}
    >
      <i
        className="flex-none w-2.25 h-2.25 rounded-[2px] bg-over"
        style={account ? { background: gatewayTokens(account.gateway).strong } : undefined}
        aria-hidden="true"
      />
      {labelIn(accounts, accountId)}
      {isOff && <span className="px-1.25 border border-line-strong rounded-[3px] text-ink-faint text-2xs">off</span>}
    </span>
  );
}

/** Accounts in the order in which they are tried. */
export function AccountOrder({ accountIds, accounts }: { accountIds: readonly string[]; accounts: readonly Account[] }) {
  if (accountIds.length === 0) return <span className="text-ink-quiet">No account yet</span>;
  return (
    <span className="inline-flex flex-wrap gap-x-3 gap-y-0.5 items-baseline">
      {accountIds.map((accountId, at) => (
        <span key={accountId} className="inline-flex gap-1.5 items-baseline">
          {at > 0 && <Then />}
          <AccountChip accountId={accountId} accounts={accounts} />
        </span>
      ))}
    </span>
  );
}

/** Where a rule sends payments. */
function Route({ target, accounts }: { target: Target; accounts: readonly Account[] }) {
  switch (target.strategy) {
    case 'priority':
      return <AccountOrder accountIds={target.accounts} accounts={accounts} />;
    case 'weighted':
      return (
        <span className="inline-flex flex-wrap gap-x-3 gap-y-0.5 items-baseline">
          {target.split.map(({ account, percent }) => (
            <span key={account} className="inline-flex gap-1.5 items-baseline">
              <b className="tabular-nums font-semibold">{percent}%</b>
              <AccountChip accountId={account} accounts={accounts} />
            </span>
          ))}
        </span>
      );
    case 'success_rate':
    case 'lowest_cost':
    case 'expected_value':
      return (
        <span className="inline-flex flex-wrap gap-x-3 gap-y-0.5 items-baseline">
          <span className="text-ink-faint">{STRATEGY_LABELS[target.strategy].name} of</span>
          {target.accounts.map((accountId) => (
            <AccountChip key={accountId} accountId={accountId} accounts={accounts} />
          ))}
        </span>
      );
    default:
      return target satisfies never;
  }
}

function Then() {
  return (
    <span className="-ml-1.5 text-ink-faint">
      <span aria-hidden="true">→</span>
      <span className="sr-only">then</span>
    </span>
  );
}
