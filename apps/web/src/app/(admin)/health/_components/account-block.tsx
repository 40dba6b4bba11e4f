import { IconHandStop } from '@tabler/icons-react';
import { Badge } from '../../../../components/badge.tsx';
import { gatewayTokens } from '../../../../theme/gateway-colours.ts';
import type { RouterOutputs } from '../../../../trpc/outputs.ts';
import { methodClause, OVERRIDE_WORDS } from '../../../../words/health.ts';
import classes from './account-block.module.css';
import { MethodRow } from './method-row.tsx';
import type { AccountOverview } from './use-health.ts';

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
  const { accountId, label, gateway, gatewayTitle, enabled, overrides } = account;
  return (
    <article className={classes.account} aria-label={`${label} at ${gatewayTitle}`}>
      <h3 className={classes.head}>
        <span className={classes.dot} style={{ background: gatewayTokens(gateway).strong }} aria-hidden="true" />
        <span className={classes.label}>{label}</span>
        <span className={classes.gateway}>{gatewayTitle}</span>
        {!enabled && <Badge tone="over">Switched off</Badge>}
        {overrides.map(({ overrideId, action, method }) => (
          <span key={overrideId} className={classes.hand} title="An operator's override">
            <IconHandStop size={13} stroke={2} aria-hidden="true" />
            {OVERRIDE_WORDS[action].past}, {methodClause(method)}
          </span>
        ))}
      </h3>
      <p className={classes.columns} aria-hidden="true">
        <span>Success</span>
        <span>Latency</span>
        <span>Calls</span>
      </p>
      <ul className={classes.rows}>
        {account.health.map((health) => (
          <MethodRow
            key={health.method ?? 'all'}
            health={health}
            strip={strips?.strips.find((strip) => strip.accountId === accountId && strip.method === health.method)}
            time={strips}
            spans={spansOf(states, accountId, health.method)}
            over={over}
            open={opened === accountId && (openedMethod ?? null) === health.method}
            onOpen={() => onOpen(accountId, health.method)}
            account={label}
          />
        ))}
      </ul>
    </article>
  );
}

function spansOf(states: AccountBlockProps['states'], accountId: string, method: string | null) {
  return states?.series.find((series) => series.accountId === accountId && series.method === method)?.spans ?? null;
}
