'use client';

import { useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import Link from 'next/link';
import { useQueryStates } from 'nuqs';
import { useCallback, useMemo, useState } from 'react';
import { Badge } from '#/components/badge/badge.tsx';
import { StateBadge } from '#/components/badge/state-badge.tsx';
import { Button } from '#/components/button/button.tsx';
import { EmptyState } from '#/components/empty-state/empty-state.tsx';
import { PageHead } from '#/components/page/page-head.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { SearchField } from '#/components/search-field/search-field.tsx';
import { WithPanel } from '#/components/side-panel/side-panel.tsx';
import { Freshness } from '#/components/time/freshness.tsx';
import { FAULT_LABELS, gatewayTitle, methodTitle } from '#/copy/gateways.ts';
import { type HealthState, SEVERITY } from '#/copy/health.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { gatewayTokens } from '#/theme/gateway-colours.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCanHere } from '#/trpc/use-can.ts';
import { gatewaysParsers, NO_ACCOUNT } from '../address.ts';
import { type Account, describeFees, describeLimits } from './copy.ts';
import classes from './gateways-page.module.css';

const AccountPanel = dynamic(() => import('./account/account-panel.tsx').then((module) => module.AccountPanel));
const ConnectDialog = dynamic(() => import('./connect-dialog.tsx').then((module) => module.ConnectDialog));

const REFRESH_MS = 15_000;

/** All gateway accounts: limits, fees, health and volume, and the panel of the selected account. */
export function GatewaysPage() {
  const trpc = useTRPC();
  const scope = useScope();
  const [{ account, do: doing }, setAddress] = useQueryStates(gatewaysParsers, { history: 'push' });
  const accounts = useQuery(trpc.gateways.list.queryOptions(scope, { refetchInterval: REFRESH_MS }));
  const use = useQuery(trpc.gateways.use.queryOptions(scope, { refetchInterval: REFRESH_MS }));
  const health = useQuery(trpc.health.overview.queryOptions(scope, { refetchInterval: REFRESH_MS }));
  const states = useMemo(
    () => new Map(health.data?.accounts.map((one) => [one.accountId, worstOf(one.health.map(({ state }) => state))])),
    [health.data],
  );
  const payments = useMemo(() => new Map(use.data?.map((one) => [one.accountId, one.payments])), [use.data]);
  const open = useCallback((accountId: string) => void setAddress({ ...NO_ACCOUNT, account: accountId }), [setAddress]);
  const opened = accounts.data?.find(({ id }) => id === account);
  const mayConnect = useCanHere()('gateway:configure');
  const [search, setSearch] = useState('');
  const found = useMemo(() => accounts.data?.filter((one) => isFound(one, search)) ?? [], [accounts.data, search]);

  return (
    <WithPanel
      wide
      panel={
        opened !== undefined && (
          <AccountPanel
            key={opened.id}
            account={opened}
            health={health.data?.accounts.find(({ accountId }) => accountId === opened.id)}
            doing={doing}
            onDo={(next) => void setAddress({ do: next })}
            onClose={() => void setAddress(NO_ACCOUNT)}
          />
        )
      }
    >
      <PageHead title="Gateways">
        <Freshness
          updatedAt={accounts.dataUpdatedAt}
          fetching={accounts.isFetching}
          onRefresh={() => void Promise.all([accounts.refetch(), use.refetch(), health.refetch()])}
        />
        <Link href={hrefIn(scope, '/gateways/error-codes')}>Error codes</Link>
        {mayConnect && (
          <Button variant="accent" onClick={() => void setAddress({ ...NO_ACCOUNT, do: 'connect' })}>
            Connect an account
          </Button>
        )}
      </PageHead>
      {accounts.isPending && <GatewaysSkeleton />}
      {accounts.isError && accounts.data === undefined && <Refusal message={accounts.error.message} />}
      {accounts.data?.length === 0 && <NoGateways mayConnect={mayConnect} onConnect={() => void setAddress({ do: 'connect' })} />}
      {accounts.data !== undefined && accounts.data.length > SEARCHED_FROM && (
        <div className="mb-3">
          <SearchField
            label="Search accounts"
            placeholder="Merchant, label or gateway"
            value={search}
            onSearch={setSearch}
            isInstant
          />
        </div>
      )}
      {found.length === 0 && search !== '' && <p className="py-4 text-ink-quiet text-sm">No account matches.</p>}
      {groupsOf(found, scope.merchantId === null).map(({ title, own }) => (
        <section key={title ?? 'all'} className={title === null ? '' : 'mb-6'} aria-label={title ?? 'Accounts'}>
          {title !== null && (
            <h2 className="flex items-baseline gap-2 mb-1 text-base font-semibold">
              {title}
              <span className="text-ink-faint text-xs font-normal">
                {own.length === 1 ? '1 account' : `${own.length} accounts`}
              </span>
            </h2>
          )}
          <ul className="border-t border-line" aria-label={title === null ? 'Accounts' : `Accounts at ${title}`}>
            {own.map((one) => (
              <Row
                key={one.id}
                account={one}
                named={scope.merchantId === null}
                state={states.get(one.id) ?? null}
                payments={payments.get(one.id) ?? 0}
                open={one.id === account}
                onOpen={open}
              />
            ))}
          </ul>
        </section>
      ))}
      {!mayConnect && <p className="mt-4 text-ink-faint text-sm">Only operators and owners can connect and change accounts.</p>}
      {doing === 'connect' && mayConnect && (
        <ConnectDialog accounts={accounts.data ?? []} onConnected={open} onClose={() => void setAddress({ do: null })} />
      )}
    </WithPanel>
  );
}

/** With fewer accounts the list is faster than typing. */
const SEARCHED_FROM = 8;

function isFound({ label, merchantName, gateway }: Account, search: string): boolean {
  const words = search.trim().toLowerCase().split(/\s+/);
  const text = `${label} ${merchantName} ${gatewayTitle(gateway)}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

/** Accounts of several merchants under their gateways by name, those of one merchant as one group. */
function groupsOf(
  accounts: readonly Account[],
  isOfSeveral: boolean,
): readonly { title: string | null; own: readonly Account[] }[] {
  if (!isOfSeveral) return accounts.length === 0 ? [] : [{ title: null, own: accounts }];
  return [...Map.groupBy(accounts, ({ gateway }) => gatewayTitle(gateway))]
    .map(([title, own]) => ({ title, own }))
    .toSorted((left, right) => left.title.localeCompare(right.title));
}

function Row({
  account,
  named,
  state,
  payments,
  open,
  onOpen,
}: {
  account: Account;
  named: boolean;
  state: HealthState | null;
  payments: number;
  open: boolean;
  onOpen: (accountId: string) => void;
}) {
  const { id, label, gateway, merchantName, methods, currencies, fees } = account;
  return (
    <li className={classes.row} data-open={open}>
      <span className={classes.identity}>
        <span className="w-2 h-2 rounded-[2px]" style={{ background: gatewayTokens(gateway).strong }} aria-hidden="true" />
        <button
          type="button"
          className="row-link justify-self-start max-w-full text-inherit font-semibold text-left truncate"
          data-account={id}
          onClick={() => onOpen(id)}
          aria-pressed={open}
        >
          {named ? merchantName : label}
        </button>
        <span className={classes.muted}>{named ? label : gatewayTitle(gateway)}</span>
      </span>
      <span className="[grid-area:state] justify-self-end @min-[900px]/page:justify-self-start">
        <Eligibility account={account} state={state} />
      </span>
      <span className={classes.description}>
        {methods.map((method) => methodTitle(method)).join(', ')}
        <span className={classes.muted}>
          {currencies.join(', ')} {describeLimits(account)}
        </span>
      </span>
      <span className="[grid-area:fees] min-w-0 text-ink-quiet text-xs tabular-nums">
        <span className="@min-[900px]/page:hidden">Fees: </span>
        {describeFees(fees)}
      </span>
      <span className="[grid-area:use] text-right tabular-nums whitespace-nowrap">
        {payments.toLocaleString('en')}
        <span className={classes.muted}> {payments === 1 ? 'payment' : 'payments'} in 24 h</span>
      </span>
    </li>
  );
}

/** Enabled, credentials and fault of the account, or its health while it takes payments. */
function Eligibility({ account: { enabled, hasCredentials, fault }, state }: { account: Account; state: HealthState | null }) {
  if (!enabled) return <Badge tone="over">Disabled</Badge>;
  if (!hasCredentials) {
    return (
      <Badge tone="bad" warns>
        No credentials
      </Badge>
    );
  }
  if (fault !== null) {
    return (
      <Badge tone="bad" warns title={fault.sentence}>
        {FAULT_LABELS[fault.kind]}
      </Badge>
    );
  }
  if (state === null) return <Badge tone="good">Enabled</Badge>;
  return <StateBadge state={state} />;
}

function worstOf(states: readonly HealthState[]): HealthState {
  return states.reduce<HealthState>((worst, state) => (SEVERITY[state] > SEVERITY[worst] ? state : worst), 'healthy');
}

const ROWS = [0, 1, 2, 3, 4];

/** Placeholder of the list while it loads. */
function GatewaysSkeleton() {
  return (
    <div role="status" aria-label="Loading gateways">
      {ROWS.map((row) => (
        <div
          key={row}
          className="grid grid-cols-[220px_minmax(0,1fr)_120px] gap-6 items-center h-14 border-b border-line"
          style={{ opacity: 1 - row / (ROWS.length + 1) }}
        >
          <span className="h-3.5 rounded-sm bg-ground-hover" />
          <span className="h-3.5 rounded-sm bg-ground-hover" />
          <span className="h-3.5 rounded-sm bg-ground-hover" />
        </div>
      ))}
    </div>
  );
}

/** Shown without accounts: what an account is and what is needed. */
function NoGateways({ mayConnect, onConnect }: { mayConnect: boolean; onConnect: () => void }) {
  const { mode } = useScope();
  return (
    <EmptyState
      title={`No ${mode} accounts yet`}
      example="For example: paystack-main, card and transfer, 1.5% + 100 capped at 2,000."
      action={
        mayConnect && (
          <Button variant="accent" onClick={onConnect}>
            Connect an account
          </Button>
        )
      }
    >
      An account is the merchant's own at a payment gateway. With two of them, payments continue when one gateway is down. To
      connect one, enter its secret key from the gateway's dashboard here, and our webhook address there.
    </EmptyState>
  );
}
