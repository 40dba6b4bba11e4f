'use client';

import { IconCheck, IconChevronDown } from '@tabler/icons-react';
import { type ComponentProps, useState } from 'react';
import { Badge } from '#/components/badge/badge.tsx';
import { Button } from '#/components/button/button.tsx';
import { HEALTH_LABELS, type HealthState, SEVERITY } from '#/copy/health.ts';
import { useIsBlind } from '#/liveness/blindness.ts';
import { useScope } from '#/scope/use-scope.ts';
import { gatewayTokens } from '#/theme/gateway-colours.ts';
import { useCan } from '#/trpc/use-can.ts';
import { shareOrCounts } from '../strip/strip-figures.ts';
import type { AccountOverview } from '../use-health.ts';
import { AccountBlock } from './account-block.tsx';

type BlockProps = Omit<ComponentProps<typeof AccountBlock>, 'account' | 'isNamed'>;

/** Accounts of one merchant, those in trouble first. */
export function AccountsOfMerchant({ accounts, ...rest }: BlockProps & { accounts: readonly AccountOverview[] }) {
  const [first] = accounts;
  const { troubled, healthy } = sortOut(accounts);
  return (
    <section aria-label={first?.merchantName}>
      <h2 className="sr-only">{first?.merchantName}</h2>
      {troubled.map((account) => (
        <AccountBlock key={account.accountId} account={account} {...rest} />
      ))}
      <Healthy accounts={healthy} isFolded="phone" {...rest} />
    </section>
  );
}

/** Accounts of several merchants by gateway, the gateway in the worst state first; its healthy accounts are a line. */
export function AccountsByGateway({
  accounts,
  onDrainGateway,
  ...rest
}: BlockProps & { accounts: readonly AccountOverview[]; onDrainGateway: (gateway: string) => void }) {
  const gateways = [...Map.groupBy(accounts, ({ gateway }) => gateway).values()].toSorted(
    (left, right) => worstOf(right) - worstOf(left) || titleOf(left).localeCompare(titleOf(right)),
  );
  return gateways.map((own) => <OfGateway key={own[0]?.gateway} accounts={own} onDrainGateway={onDrainGateway} {...rest} />);
}

function titleOf([first]: readonly AccountOverview[]): string {
  return first?.gatewayTitle ?? '';
}

function worstOf(accounts: readonly AccountOverview[]): number {
  return Math.max(...accounts.map((account) => (isTroubled(account) ? 1 + SEVERITY[stateOf(account)] : 0)));
}

function OfGateway({
  accounts,
  onDrainGateway,
  ...rest
}: BlockProps & { accounts: readonly AccountOverview[]; onDrainGateway: (gateway: string) => void }) {
  const mayDrain = useCan()('override:set', null);
  const { troubled, healthy } = sortOut(accounts);
  const [first] = accounts;
  if (first === undefined) return null;
  const { gateway, gatewayTitle } = first;
  const isDrained = accounts.some(({ overrides }) =>
    overrides.some((override) => override.gateway !== null && override.action === 'drain'),
  );
  return (
    <section aria-label={gatewayTitle}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 mb-1">
        <h2 className="flex items-center gap-2 text-lg font-semibold">
          <span className="w-2.5 h-2.5 rounded-[2px]" style={{ background: gatewayTokens(gateway).strong }} aria-hidden="true" />
          {gatewayTitle}
        </h2>
        <span className="flex-1 text-ink-quiet text-sm">{describeGateway(accounts, troubled)}</span>
        {mayDrain && !isDrained && troubled.length > 0 && (
          <Button onClick={() => onDrainGateway(gateway)}>Drain {gatewayTitle} for all merchants</Button>
        )}
      </div>
      {troubled.map((account) => (
        <AccountBlock key={account.accountId} account={account} isNamed {...rest} />
      ))}
      <Healthy accounts={healthy} isFolded="always" {...rest} />
    </section>
  );
}

/** `2 of 8 accounts down, 1 degraded` */
function describeGateway(accounts: readonly AccountOverview[], troubled: readonly AccountOverview[]): string {
  const all = accounts.length === 1 ? '1 account' : `${accounts.length} accounts`;
  if (troubled.length === 0) return all;
  const states = (['down', 'degraded', 'probing'] as const).flatMap((state) => {
    const count = troubled.filter((account) => stateOf(account) === state).length;
    return count === 0 ? [] : [`${count} ${HEALTH_LABELS[state].word.toLowerCase()}`];
  });
  return states.length === 0 ? all : `${all}: ${states.join(', ')}`;
}

/** Accounts in trouble, out of rotation or changed by an operator, the worst first, and all others. */
function sortOut(accounts: readonly AccountOverview[]) {
  return {
    troubled: accounts.filter(isTroubled).toSorted((left, right) => SEVERITY[stateOf(right)] - SEVERITY[stateOf(left)]),
    healthy: accounts.filter((account) => !isTroubled(account)),
  };
}

function isTroubled(account: AccountOverview): boolean {
  const { enabled, fault, overrides } = account;
  return overrides.length > 0 || (enabled && (fault !== null || stateOf(account) !== 'healthy'));
}

/** The worst state of an account and its methods. */
function stateOf({ health }: AccountOverview): HealthState {
  return health.reduce<HealthState>((worst, { state }) => (SEVERITY[state] > SEVERITY[worst] ? state : worst), 'healthy');
}

/** Healthy accounts as one line with the rate of each, and their strips when they are asked for: always, or on a phone only. */
function Healthy({
  accounts,
  isFolded,
  ...rest
}: BlockProps & { accounts: readonly AccountOverview[]; isFolded: 'always' | 'phone' }) {
  const { merchantId } = useScope();
  const isBlind = useIsBlind();
  const [isShown, setShown] = useState(false);
  if (accounts.length === 0) return null;
  const isOpen = isShown || accounts.some(({ accountId }) => accountId === rest.opened);
  const words = accounts.length === 1 ? '1 account' : `${accounts.length} accounts`;
  return (
    <div className="not-first:mt-3.5">
      <div
        className={`${isOpen ? 'hidden' : SHOWN[isFolded]} flex-wrap gap-x-3 gap-y-1 items-center py-1.5 pl-1.5 border-y border-line`}
      >
        {isBlind ? (
          <Badge tone="over">{words} healthy before</Badge>
        ) : (
          <span className="inline-flex items-center gap-1.5 text-good-ink text-sm font-medium">
            <IconCheck size={14} stroke={2.2} aria-hidden="true" /> {words} healthy
          </span>
        )}
        <ul className="flex flex-wrap flex-1 gap-x-1 max-tablet:order-last max-tablet:basis-full">
          {accounts.map(({ accountId, label, merchantName, health, enabled }) => (
            <li key={accountId}>
              <button
                type="button"
                className="min-h-8 px-2 rounded-md text-ink-quiet text-sm hover:bg-ground-hover hover:text-ink"
                data-health={`${accountId}|null`}
                onClick={() => rest.onOpen(accountId, null)}
              >
                {merchantId === null ? merchantName : label}{' '}
                <span className="text-ink-faint text-xs tabular-nums">{enabled ? rateOf(health[0]) : 'disabled'}</span>
              </button>
            </li>
          ))}
        </ul>
        <Button onClick={() => setShown(true)}>
          <IconChevronDown size={14} aria-hidden="true" /> Show
        </Button>
      </div>
      {(isFolded === 'phone' || isOpen) && (
        <div className={isOpen ? '' : 'max-tablet:hidden'}>
          {accounts.map((account) => (
            <AccountBlock key={account.accountId} account={account} isNamed={merchantId === null} {...rest} />
          ))}
        </div>
      )}
    </div>
  );
}

/** Where the line stands in place of the accounts. */
const SHOWN = { always: 'flex', phone: 'hidden max-tablet:flex' };

function rateOf(health: AccountOverview['health'][number] | undefined): string {
  return health === undefined || health.succeeded + health.faulted === 0 ? '' : shareOrCounts(health);
}
