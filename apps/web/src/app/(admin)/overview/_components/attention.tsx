'use client';

import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import Link from 'next/link';
import { type ReactNode, useState } from 'react';
import { Moment } from '#/components/time/moment.tsx';
import { healthReasonText } from '#/copy/health.ts';
import { useOutage } from '#/incidents/use-outage.ts';
import { hrefIn, type Scope } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { type Permission, useMay } from '#/trpc/use-may.ts';
import classes from './attention.module.css';

type Listed = RouterOutputs['attention']['list'];
type AttentionItem = Listed['items'][number];

/** Items shown at first, so that the day's figures stay in view; a few more are shown at once. */
const SHOWN = 6;
const A_FEW = 2;

/** Kinds that say that something does not work now; all others are work to be done. */
const INCIDENTS: ReadonlySet<AttentionItem['kind']> = new Set(['configuration', 'account', 'endpoint']);

/** Kinds that wait for a decision without a fault. */
const WAITING: ReadonlySet<AttentionItem['kind']> = new Set(['draft', 'approval', 'approval_waiver']);

/** Incidents, then the work that needs attention, each with a link to it, or a line that there is none. */
export function Attention({
  attention,
  health,
  failed,
}: {
  attention: Listed | undefined;
  health: RouterOutputs['system']['health'] | undefined;
  failed: boolean;
}) {
  const outage = useOutage();
  const troubles = troublesOf(health, failed, attention?.incomplete === true);
  if (attention === undefined && troubles.length === 0) {
    return <div className="h-24 rounded-md bg-ground-hover" role="status" aria-label="Loading what needs attention" />;
  }
  const items = attention?.items ?? [];
  // The banner says what is wrong with these.
  const inBanner = new Set(outage?.accounts.map(({ accountId }) => accountId));
  const incidents = items.filter(({ kind, objectId }) => INCIDENTS.has(kind) && !(kind === 'account' && inBanner.has(objectId)));
  const chores = items.filter(({ kind }) => !INCIDENTS.has(kind));
  return (
    <div className="grid gap-6">
      {(incidents.length > 0 || troubles.length > 0) && (
        <Items id="incidents" title="Incidents" items={incidents}>
          {troubles.map((trouble) => (
            <li key={trouble} className={classes.item}>
              <IconAlertTriangle size={16} stroke={1.8} className={classes.glyph} aria-hidden="true" />
              <span className={classes.description}>{trouble}</span>
            </li>
          ))}
        </Items>
      )}
      <Items id="needs-attention" title="Needs attention" items={chores}>
        {chores.length === 0 && (
          <li className={classes.item} data-tone="good">
            <IconCheck size={16} stroke={2} className={classes.glyph} aria-hidden="true" />
            <span className={classes.description}>Nothing needs attention</span>
          </li>
        )}
      </Items>
    </div>
  );
}

/** A list of items after its other lines; a few at first. */
function Items({
  id,
  title,
  items,
  children,
}: {
  id: string;
  title: string;
  items: readonly AttentionItem[];
  children: ReactNode;
}) {
  const scope = useScope();
  const [all, setAll] = useState(false);
  const shown = all || items.length <= SHOWN + A_FEW ? items : items.slice(0, SHOWN);
  return (
    <section aria-labelledby={id}>
      <h2 className="flex items-center gap-2 mb-2 text-lg font-semibold" id={id}>
        {title} {items.length > 0 && <span className="text-ink-faint text-sm font-normal">{items.length}</span>}
      </h2>
      <ul className="border-t border-line">
        {children}
        {shown.map((item) => (
          <AttentionLine key={keyOf(item)} item={item} scope={scope} />
        ))}
      </ul>
      {shown.length < items.length && (
        <button type="button" className="mt-2 py-1 text-accent-ink text-sm hover:underline" onClick={() => setAll(true)}>
          Show the other {items.length - shown.length}
        </button>
      )}
    </section>
  );
}

/** A payment may have several refunds that failed. */
function keyOf({ kind, objectId, since }: AttentionItem): string {
  return `${kind}/${objectId}/${since?.getTime() ?? ''}`;
}

function AttentionLine({ item, scope }: { item: AttentionItem; scope: Scope }) {
  const may = useMay();
  const { href, verb: act, needs } = actionOf(item, scope);
  const verb = needs === undefined || may(needs, item.merchantId) ? act : 'View';
  return (
    <li className={classes.item} data-tone={WAITING.has(item.kind) ? 'wait' : 'bad'}>
      <IconAlertTriangle size={16} stroke={1.8} className={classes.glyph} aria-hidden="true" />
      <span className={classes.description}>
        <strong>{item.title}</strong> {healthReasonText(item)}
        <span className="ml-2 text-ink-faint text-xs">
          {scope.merchantId === null && `${item.merchantName}, `}
          {item.since !== null && <Moment value={item.since} />}
        </span>
      </span>
      <Link
        href={href}
        className="flex-none text-accent-ink text-sm no-underline hover:underline max-tablet:ml-7"
        aria-label={`${verb}: ${item.title}`}
      >
        {verb}
      </Link>
    </li>
  );
}

interface ItemAction {
  readonly href: string;
  readonly verb: string;
  /** The permission to act on it; without it the item is only shown. */
  readonly needs?: Permission;
}

function actionOf({ kind, objectId, merchantId }: AttentionItem, scope: Scope): ItemAction {
  const own = { ...scope, merchantId };
  switch (kind) {
    case 'configuration':
      return { href: hrefIn(scope, '/gateways', { account: objectId }), verb: 'Fix', needs: 'gateway:configure' };
    case 'account':
      return { href: hrefIn(scope, '/health', { account: objectId }), verb: 'View health' };
    case 'review':
      return { href: hrefIn(scope, '/payments', { review: 'true', payment: objectId }), verb: 'Review', needs: 'payment:review' };
    case 'dispute':
      return { href: hrefIn(scope, '/payments', { disputed: 'true', payment: objectId }), verb: 'View dispute' };
    case 'reversal':
      return { href: hrefIn(scope, '/payments', { reversed: 'true', payment: objectId }), verb: 'View payment' };
    case 'duplicate_charge':
      return { href: hrefIn(scope, '/refunds', { tab: 'duplicates' }), verb: 'Refund', needs: 'payment:refund' };
    case 'failed_refund':
      return { href: hrefIn(scope, '/payments', { payment: objectId }), verb: 'Fix refund', needs: 'payment:refund' };
    case 'refund':
      return { href: hrefIn(scope, '/payments', { payment: objectId }), verb: 'Fix refund', needs: 'payment:refund' };
    case 'endpoint':
      return { href: hrefIn(own, `/webhooks/endpoints/${objectId}`), verb: 'View deliveries' };
    case 'discrepancy':
      return {
        href: hrefIn(scope, '/reconciliation', { discrepancy: objectId }),
        verb: 'Resolve',
        needs: 'reconciliation:resolve',
      };
    case 'approval':
      return { href: hrefIn(own, '/routing'), verb: 'Review changes' };
    case 'approval_waiver':
      return { href: hrefIn(own, '/routing'), verb: 'Review' };
    case 'no_second_person':
      return { href: hrefIn(own, '/routing'), verb: 'View options' };
    case 'draft':
      return { href: hrefIn(own, `/routing/drafts/${objectId}`), verb: 'Open draft' };
    default:
      return kind satisfies never;
  }
}

function troublesOf(health: RouterOutputs['system']['health'] | undefined, failed: boolean, incomplete: boolean): string[] {
  return [
    ...(failed ? ['The server does not answer; the figures may be out of date.'] : []),
    ...(health?.database.up === false ? ['The database does not answer.'] : []),
    ...(health?.configuration.current === false ? ['Configuration has not been refreshed for more than 5 s.'] : []),
    ...(incomplete ? ['Some checks failed; this list may be incomplete.'] : []),
  ];
}
