'use client';

import type { Traffic } from '../queries/use-routing.ts';
import type { Account, RuleDocument } from '../rules/document.ts';
import { AccountOrder, RuleSummary, Share } from './rule-summary.tsx';

/** The rules in order, read-only; the first that matches decides, the default order comes last. */
export function RuleList({
  document,
  accounts,
  traffic,
  lit,
  onLight,
}: {
  document: RuleDocument;
  accounts: readonly Account[];
  traffic: Traffic;
  lit: string | null;
  onLight: (ruleId: string | null) => void;
}) {
  return (
    <ol className="border-t border-line" aria-label="Rules, first match decides">
      {document.rules.map((rule, position) => (
        <li
          key={rule.ruleId}
          className="flex gap-3 items-start pt-2.5 pr-2 pb-[11px] border-b border-line data-[lit=true]:bg-ground-hover data-[lit=true]:shadow-[-8px_0_0_var(--ground-hover)]"
          data-lit={rule.ruleId === lit}
          onPointerEnter={() => onLight(rule.ruleId)}
          onPointerLeave={() => onLight(null)}
        >
          <span className="rule-number" data-off={!rule.enabled}>
            {position + 1}
          </span>
          <RuleSummary rule={rule} accounts={accounts} keys={document.keys ?? []} />
          <span className="flex-1" />
          <Share traffic={traffic} ruleId={rule.ruleId} />
        </li>
      ))}
      <li className="flex gap-3 items-start pt-2.5 pr-2 pb-[11px] border-b border-line">
        <span className="rule-number" data-last="true">
          <span aria-hidden="true">–</span>
        </span>
        <DefaultOrder document={document} accounts={accounts} />
        <span className="flex-1" />
        <Share traffic={traffic} ruleId={null} />
      </li>
    </ol>
  );
}

function DefaultOrder({ document: { rules, defaultOrder }, accounts }: { document: RuleDocument; accounts: readonly Account[] }) {
  return (
    <span className="grid gap-px text-sm">
      <span className="text-base font-medium">
        {rules.length === 0 ? 'Every payment: default order' : 'Everything else: default order'}
      </span>
      <span className="text-ink-quiet">
        {rules.length === 0 ? 'There are no rules' : 'No rule matches, or the payment names no method'}; also tried after a rule's
        own accounts
      </span>
      <AccountOrder accountIds={defaultOrder} accounts={accounts} />
    </span>
  );
}
