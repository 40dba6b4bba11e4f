'use client';

import { methodWord } from '@switchyard/routing';
import dynamic from 'next/dynamic';
import Link from 'next/link';
import { useState } from 'react';
import { StateBadge } from '#/components/badge/state-badge.tsx';
import { PanelPart } from '#/components/side-panel/side-panel.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { methodTitle } from '#/copy/gateways.ts';
import { healthReasonText, OVERRIDE_LABELS } from '#/copy/health.ts';
import { DrainButton } from '#/overrides/drain-button.tsx';
import { isPlanned } from '#/overrides/use-overrides.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';

const OverrideDialog = dynamic(() => import('#/overrides/override-dialog.tsx').then((module) => module.OverrideDialog));

/** The present health of one account. */
export type AccountOverview = RouterOutputs['health']['overview']['accounts'][number];

/** The present health of an account by method, its overrides, and draining it. */
export function AccountHealth({ account }: { account: AccountOverview }) {
  const scope = useScope();
  const { merchantId, merchantName, accountId, label, health, overrides, planned, enabled } = account;
  const [isDraining, setIsDraining] = useState(false);
  const [whole, ...methods] = health;
  const own = methods.filter(({ judgedBy }) => judgedBy !== 'account');
  const others = methods.filter(({ judgedBy }) => judgedBy === 'account').map(({ method }) => methodTitle(method ?? ''));
  const drain = overrides.find(({ action, method }) => action !== 'force' && method === null) ?? null;
  return (
    <PanelPart
      title="Health"
      action={
        enabled && (
          <DrainButton
            account={{ merchantId, merchantName, accountId, label }}
            drain={drain}
            onDrain={() => setIsDraining(true)}
          />
        )
      }
    >
      {isDraining && <OverrideDialog account={account} reason="" onClose={() => setIsDraining(false)} />}
      <ul className="grid gap-2" aria-label="Health by method">
        {[...(whole === undefined ? [] : [whole]), ...own].map((one) => (
          <li
            key={one.method ?? 'all'}
            className="grid grid-cols-[92px_minmax(0,1fr)] gap-x-3 gap-y-1 text-sm leading-5.5 [&>:first-child]:justify-self-start"
          >
            <StateBadge state={one.state} why={one.why} />
            <p className="text-ink-quiet wrap-anywhere">
              <Link
                href={hrefIn(scope, '/health', { account: accountId, method: one.method })}
                className="mr-1 text-ink font-medium"
              >
                {one.method === null ? 'All methods' : methodTitle(one.method)}
              </Link>{' '}
              {healthReasonText(one)}
            </p>
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <p className="text-ink-faint text-xs mt-2">Too few checkouts for a state of their own: {others.join(', ')}.</p>
      )}
      {[...overrides, ...planned].map((override) => (
        <p
          key={override.overrideId}
          className="mt-2 py-2 px-3 border-l-3 border-wait bg-wait-soft text-sm [&_strong]:font-semibold"
        >
          <strong>
            {isPlanned(account, override)
              ? `Planned: ${OVERRIDE_LABELS[override.action].verb.toLowerCase()}`
              : OVERRIDE_LABELS[override.action].past}
            , {methodWord(override.method)}
          </strong>{' '}
          {override.reason}
          <span className="text-ink-faint text-xs">
            {isPlanned(account, override) && override.startsAt !== null && (
              <>
                {' '}
                starts <Moment value={override.startsAt} tense="upcoming" />
              </>
            )}
            {override.expiresAt !== null && (
              <>
                {' '}
                ends <Moment value={override.expiresAt} tense="upcoming" />
              </>
            )}
          </span>
        </p>
      ))}
    </PanelPart>
  );
}
