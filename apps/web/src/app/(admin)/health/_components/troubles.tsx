import { IconAlertTriangle, IconCheck, IconHandStop } from '@tabler/icons-react';
import { sayInZone } from '../../../../time/in-zone.ts';
import { OVERRIDE_WORDS, whyOf } from '../../../../words/health.ts';
import { StateBadge } from './state-badge.tsx';
import classes from './troubles.module.css';
import type { AccountOverview, HealthOverview, MethodOverview } from './use-health.ts';

/** What somebody has to know before anything else: one sentence for each thing that is wrong; that nothing is, when nothing is. */
export function Troubles({
  overview,
  onOpen,
}: {
  overview: HealthOverview;
  onOpen: (accountId: string, method: string | null) => void;
}) {
  const troubled = overview.accounts.flatMap((account) => tellOf(account).map((health) => ({ account, health })));
  const held = overview.accounts.filter(({ overrides }) => overrides.length > 0);
  const methods = overview.accounts.reduce((sum, { health }) => sum + health.length - 1, 0);
  return (
    <section className={classes.troubles} aria-label="What is wrong">
      <ul>
        {overview.trouble.map(({ message, since }) => (
          <li key={message} className={classes.item} data-kind="shared">
            <IconAlertTriangle size={16} stroke={1.8} className={classes.glyph} aria-hidden="true" />
            <span>{sayInZone(message, new Date(since))}</span>
          </li>
        ))}
        {troubled.map(({ account, health }) => (
          <li key={`${account.accountId}|${health.method}`} className={classes.item} data-kind="trouble">
            <span className={classes.state}>
              <StateBadge state={health.state} />
            </span>
            <button
              type="button"
              className={classes.open}
              onClick={() => onOpen(account.accountId, health.method)}
              title="Show what it stands on"
            >
              <span className={classes.why}>{whyOf(health)}</span> <span className={classes.account}>{account.label}</span>
            </button>
          </li>
        ))}
        {troubled.length === 0 && (
          <li className={classes.item} data-kind="well">
            <IconCheck size={16} stroke={2} className={classes.glyph} aria-hidden="true" />
            {overview.accounts.length === 1 ? 'The account is healthy' : `All ${overview.accounts.length} accounts are healthy`},{' '}
            {methods} {methods === 1 ? 'method' : 'methods'} between them
          </li>
        )}
        {held.map(({ accountId, label, overrides }) => (
          <li key={accountId} className={classes.item} data-kind="held">
            <IconHandStop size={16} stroke={1.8} className={classes.glyph} aria-hidden="true" />
            <button type="button" className={classes.open} onClick={() => onOpen(accountId, overrides[0]?.method ?? null)}>
              <span className={classes.why}>
                {overrides.map(({ action, reason }) => `${OVERRIDE_WORDS[action].past} by hand: ${reason}`).join(' · ')}
              </span>{' '}
              <span className={classes.account}>{label}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Of an account all of whose methods are in the same trouble, the account alone is told of. */
function tellOf({ enabled, health }: AccountOverview): readonly MethodOverview[] {
  if (!enabled) return [];
  const [whole, ...methods] = health;
  const own = methods.filter(({ state, judgedBy }) => state !== 'healthy' && judgedBy === 'method');
  if (own.length > 0) return own;
  return whole !== undefined && whole.state !== 'healthy' ? [whole] : [];
}
