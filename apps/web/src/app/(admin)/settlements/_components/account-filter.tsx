'use client';

import { CheckboxGroup } from '#/components/field/field.tsx';
import { FilterMenu } from '#/components/filter-bar/filter-bar.tsx';
import { useSettlementAccounts } from './use-settlements.ts';

/** The gateway accounts to show. */
export function AccountFilter({
  chosen,
  onChange,
}: {
  chosen: readonly string[];
  onChange: (change: { account: string[] }) => void;
}) {
  const accounts = useSettlementAccounts().rows;
  const merchants = new Set(accounts.map(({ merchantId }) => merchantId)).size;
  const choices = accounts.map(({ accountId, accountLabel, merchantName }) => ({
    value: accountId,
    label: merchants > 1 ? `${accountLabel} · ${merchantName}` : accountLabel,
  }));
  const names = choices.filter(({ value }) => chosen.includes(value)).map(({ label }) => label);
  return (
    <FilterMenu label="Account" value={names.length > 2 ? `${names.length} accounts` : names.join(', ')}>
      <CheckboxGroup label="Account" choices={choices} values={chosen} onChange={(account) => onChange({ account })} />
    </FilterMenu>
  );
}
