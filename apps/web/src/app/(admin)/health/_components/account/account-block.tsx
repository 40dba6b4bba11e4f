import { methodWord } from '@switchyard/routing';
import { IconClock, IconHandStop } from '@tabler/icons-react';
import { Badge } from '#/components/badge/badge.tsx';
import { FAULT_LABELS, methodTitle } from '#/copy/gateways.ts';
import { HEALTH_LABELS, healthReasonText, OVERRIDE_LABELS } from '#/copy/health.ts';
import { gatewayTokens } from '#/theme/gateway-colours.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { MethodRow, type MethodRowProps } from '../strip/method-row.tsx';
import { TimeAxis } from '../strip/time-axis.tsx';
import type { AccountOverview } from '../use-health.ts';
import classes from './account-block.module.css';

/** An account with its strips and states; both undefined until loaded. `over` names the period shown. */
export interface AccountBlockProps {
  readonly account: AccountOverview;
  readonly strips: RouterOutputs['health']['strips'] | undefined;
  readonly states: RouterOutputs['health']['states'] | undefined;
  readonly over: string;
  readonly opened: string | null;
  readonly openedMethod: string | null;
  readonly onOpen: (accountId: string, method: string | null) => void;
}

/** One account: the whole of it first, then each method, a row each. */
export function AccountBlock({ account, strips, states, over, opened, openedMethod, onOpen }: AccountBlockProps) {
  const { accountId, label, gateway, gatewayTitle, enabled, fault, overrides, planned } = account;
  const rows = account.health.map((health) => ({
    health,
    strip: strips?.strips.find((strip) => strip.accountId === accountId && strip.method === health.method),
    // The state in the row is that of all methods where the method alone has too little data.
    spans: spansOf(states, accountId, health.judgedBy === 'account' ? null : health.method),
    open: opened === accountId && (openedMethod ?? null) === health.method,
  }));
  const quiet = rows.filter((row) => isQuiet(row));
  return (
    <article className={classes.account} aria-label={`${label} at ${gatewayTitle}`}>
      <h3 className="flex flex-wrap items-center gap-x-2 gap-y-1 min-h-8 text-base font-semibold">
        <span className="w-2 h-2 rounded-[2px]" style={{ background: gatewayTokens(gateway).strong }} aria-hidden="true" />
        <span>{label}</span>
        <span className="mr-2 text-ink-faint font-normal">{gatewayTitle}</span>
        {!enabled && <Badge tone="over">Disabled</Badge>}
        {enabled && fault !== null && (
          <Badge tone="bad" warns title={fault.sentence}>
            {FAULT_LABELS[fault.kind]}
          </Badge>
        )}
        {overrides.map(({ overrideId, action, method }) => (
          <span key={overrideId} className={classes.override} title="An operator's override">
            <IconHandStop size={13} stroke={2} aria-hidden="true" />
            {OVERRIDE_LABELS[action].past}, {methodWord(method)}
          </span>
        ))}
        {planned.length > 0 && (
          <span className={classes.override} data-planned="true">
            <IconClock size={13} stroke={2} aria-hidden="true" />
            {planned.length === 1 ? '1 planned override' : `${planned.length} planned overrides`}
          </span>
        )}
      </h3>
      <p className={classes.columns} aria-hidden="true">
        <span className="@min-[960px]/account:text-left @min-[960px]/account:col-[1_/_4] @min-[960px]/account:pl-1.5">Now</span>
        <span className="@min-[960px]/account:text-left">
          {strips !== undefined && <TimeAxis from={strips.from} to={strips.to} />}
        </span>
        <span>Success</span>
        <span>Latency</span>
        <span>Checkouts</span>
      </p>
      <ul className="border-t border-line">
        {rows
          .filter((row) => !quiet.includes(row))
          .map(({ health, ...row }) => (
            <MethodRow
              key={health.method ?? 'all'}
              health={health}
              {...row}
              time={strips}
              over={over}
              onOpen={() => onOpen(accountId, health.method)}
              mark={`${accountId}|${health.method}`}
              account={label}
            />
          ))}
      </ul>
      {quiet.length > 0 && (
        <div className="flex flex-wrap items-center gap-x-2 gap-y-0.5 min-h-9 py-1 pl-1.5 border-b border-line text-ink-faint text-xs">
          <span id={`${accountId}-quiet`}>No checkouts in {over}, same state as all methods:</span>
          <ul className="flex flex-wrap" aria-labelledby={`${accountId}-quiet`}>
            {quiet.map(({ health }) => (
              <li key={health.method}>
                <button
                  type="button"
                  className="h-7 px-2 rounded-md text-ink-quiet font-medium hover:bg-ground-hover hover:text-ink"
                  data-health={`${accountId}|${health.method}`}
                  onClick={() => onOpen(accountId, health.method)}
                  aria-label={`${methodTitle(health.method ?? '')}, ${label}: ${healthReasonText(health)}`}
                >
                  {methodTitle(health.method ?? '')}
                </button>
                <span className="sr-only">{HEALTH_LABELS[health.state].word}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </article>
  );
}

function spansOf(states: AccountBlockProps['states'], accountId: string, method: string | null) {
  return states?.series.find((series) => series.accountId === accountId && series.method === method)?.spans ?? null;
}

/** A method without figures of its own: it opened no checkout, and goes by all methods. */
function isQuiet({ health, strip, open }: Pick<MethodRowProps, 'health' | 'strip' | 'open'>): boolean {
  return (
    health.method !== null &&
    health.judgedBy === 'account' &&
    !open &&
    (strip === undefined || [...strip.succeeded, ...strip.faulted].every((count) => count === 0))
  );
}
