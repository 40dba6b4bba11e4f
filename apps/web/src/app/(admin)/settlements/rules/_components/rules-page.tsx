'use client';

import { useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { useSettlementAccounts, useSettlementActions } from '#/app/(admin)/settlements/_components/use-settlements.ts';
import { Badge } from '#/components/badge/badge.tsx';
import { Button } from '#/components/button/button.tsx';
import type { DataColumn } from '#/components/data-table/columns.tsx';
import { EmptyState } from '#/components/empty-state/empty-state.tsx';
import { NounTable } from '#/components/list/noun-table.tsx';
import { wholeList } from '#/components/list/use-noun-list.ts';
import { BackLink, PageHead } from '#/components/page/page-head.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { type IgnoreRule, LINE_LABELS, SETTLEMENT_DISCREPANCY_LABELS } from '#/copy/settlements.ts';
import { groupDecimal } from '#/format/amounts.ts';
import { hrefIn, type Scope, scopeFilter } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan } from '#/trpc/use-can.ts';

const ConfirmDialog = dynamic(() => import('#/forms/form-dialog.tsx').then((module) => module.ConfirmDialog));
const RuleDialog = dynamic(() => import('./rule-dialog.tsx').then((module) => module.RuleDialog));

/** The kinds of discrepancies that are closed when they are found: what each covers, why, and how often it did. */
export function RulesPage({ scope }: { scope: Scope }) {
  const trpc = useTRPC();
  const can = useCan();
  const { merchantIds } = scopeFilter(scope);
  const query = useQuery(trpc.settlements.rules.list.queryOptions({ merchantIds, ended: true }));
  const accounts = useSettlementAccounts().rows.filter(({ merchantId }) => can('reconciliation:resolve', merchantId));
  const { endRule } = useSettlementActions();
  const [isCreating, setIsCreating] = useState(false);
  const [ended, setEnded] = useState<IgnoreRule | null>(null);
  const columns = columnsOf((merchantId) => can('reconciliation:resolve', merchantId), setEnded);
  return (
    <>
      <BackLink href={hrefIn(scope, '/settlements', { view: 'discrepancies' })}>Settlements</BackLink>
      <PageHead title="Ignore rules">
        {accounts.length > 0 && <Button onClick={() => setIsCreating(true)}>Create rule…</Button>}
      </PageHead>
      <p className="max-w-[90ch] -mt-2 mb-4 text-ink-quiet">
        A discrepancy that a rule covers is closed when it is found, under the rule’s name and with its reason. It stays in the
        list of closed ones.
      </p>
      <NounTable
        label="Ignore rules"
        name="ignore-rules"
        list={wholeList(query, query.data)}
        columns={columns}
        rowKey={({ ruleId }) => ruleId}
        noun={['rule', 'rules']}
        empty={
          <EmptyState title="No rule yet">
            Create one for what comes again every day and needs no attention, such as stamp duty that no payment explains.
          </EmptyState>
        }
      />
      {isCreating && <RuleDialog accounts={accounts} onClose={() => setIsCreating(false)} />}
      {ended !== null && (
        <ConfirmDialog
          title="Disable this rule"
          action="Disable"
          onConfirm={async () => {
            await endRule.mutateAsync({ merchantId: ended.merchantId, ruleId: ended.ruleId });
            return null;
          }}
          onClose={() => setEnded(null)}
        >
          <p className="mb-4 text-ink-quiet text-sm">
            {coverOf(ended)} up to {groupDecimal(ended.amountMax)} is open again when it is found. What was closed under the rule,{' '}
            {ended.resolved.toLocaleString('en')} so far, stays closed.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

const NUMBER = 'tabular-nums text-end card:text-start';

function columnsOf(may: (merchantId: string) => boolean, onEnd: (rule: IgnoreRule) => void): DataColumn<IgnoreRule>[] {
  return [
    { id: 'cover', header: 'Discrepancy', fixed: true, look: 'strong', card: 'main', cell: coverOf },
    {
      id: 'account',
      header: 'Account',
      labelled: true,
      cell: ({ accountLabel, merchantName }) => (
        <>
          {accountLabel ?? 'Every account'} <span className="text-ink-quiet">· {merchantName}</span>
        </>
      ),
    },
    {
      id: 'amount',
      header: 'Up to',
      labelled: true,
      className: NUMBER,
      sortable: 'descending',
      sortValue: ({ amountMax }) => Number(amountMax),
      cell: ({ amountMax }) => groupDecimal(amountMax),
    },
    { id: 'reason', header: 'Reason', labelled: true, wraps: true, cell: ({ reason }) => reason },
    {
      id: 'resolved',
      header: 'Closed under it',
      labelled: true,
      className: NUMBER,
      sortable: 'descending',
      sortValue: ({ resolved }) => resolved,
      cell: ({ resolved }) => resolved.toLocaleString('en'),
    },
    {
      id: 'created',
      header: 'Created',
      labelled: true,
      sortable: 'descending',
      sortValue: ({ createdAt }) => createdAt,
      cell: ({ createdAt, createdByName }) => (
        <>
          <Moment value={createdAt} />
          {createdByName !== null && <span className="block text-ink-quiet text-xs">{createdByName}</span>}
        </>
      ),
    },
    {
      id: 'status',
      header: 'Status',
      fixed: true,
      labelled: true,
      cell: (rule) => {
        if (rule.endedAt !== null) return <Badge tone="over">Off</Badge>;
        return may(rule.merchantId) ? <Button onClick={() => onEnd(rule)}>Disable…</Button> : <Badge tone="good">Active</Badge>;
      },
    },
  ];
}

function coverOf({ kind, lineKind }: IgnoreRule): string {
  const { word } = SETTLEMENT_DISCREPANCY_LABELS[kind];
  return lineKind === null ? word : `${word}: ${LINE_LABELS[lineKind].word.toLowerCase()}`;
}
