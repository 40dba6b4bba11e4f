'use client';

import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { hrefIn } from '../../../../scope/scope.ts';
import { useScope } from '../../../../scope/use-scope.ts';
import { useTRPC } from '../../../../trpc/client.tsx';
import type { RouterOutputs } from '../../../../trpc/outputs.ts';
import classes from './attention.module.css';

interface Matter {
  readonly text: string;
  readonly href: string | null;
}

/** More are told of by their number. */
const ENDPOINTS_NAMED = 3;

/** What somebody has to look at, first of all; that there is nothing, when there is nothing. */
export function Attention({
  today,
  health,
  failed,
}: {
  today: RouterOutputs['payments']['today'] | undefined;
  health: RouterOutputs['system']['health'] | undefined;
  failed: boolean;
}) {
  const trpc = useTRPC();
  const scope = useScope();
  const { data: failing } = useQuery(trpc.webhooks.failing.queryOptions(scope, { refetchInterval: 30_000 }));
  const matters: Matter[] = [];
  if (failed) matters.push({ text: 'The server does not answer; what is shown may be old.', href: null });
  if (health?.database.up === false) matters.push({ text: 'The database does not answer.', href: null });
  if (health?.configuration.current === false)
    matters.push({ text: 'Configuration has not been read again for more than 5 s.', href: null });
  const forReview = today?.underReview ?? 0;
  if (forReview > 0) {
    const text =
      forReview === 1
        ? '1 payment is for review: what was received is not what was asked for'
        : `${forReview} payments are for review: what was received is not what was asked for`;
    matters.push({ text, href: hrefIn(scope, '/payments', { review: 'true' }) });
  }
  for (const { url, enabled, merchantId, endpointId } of failing?.slice(0, ENDPOINTS_NAMED) ?? []) {
    const text = enabled ? `Webhooks to ${url} fail` : `Webhooks to ${url} were switched off, because they failed`;
    matters.push({ text, href: hrefIn({ ...scope, merchantId }, `/webhooks/endpoints/${endpointId}`) });
  }
  const unnamed = (failing?.length ?? 0) - ENDPOINTS_NAMED;
  if (unnamed > 0) matters.push({ text: `${unnamed} more webhook endpoints fail`, href: hrefIn(scope, '/webhooks') });
  if (today === undefined && !failed) return null;
  return (
    <ul className={classes.matters} aria-label="Needs attention">
      {matters.map(({ text, href }) => (
        <li key={text} className={classes.matter} data-tone="bad">
          <IconAlertTriangle size={16} stroke={1.8} aria-hidden="true" />
          {href === null ? text : <Link href={href}>{text}</Link>}
        </li>
      ))}
      {matters.length === 0 && (
        <li className={classes.matter} data-tone="good">
          <IconCheck size={16} stroke={2} aria-hidden="true" />
          Nothing needs attention
        </li>
      )}
    </ul>
  );
}
