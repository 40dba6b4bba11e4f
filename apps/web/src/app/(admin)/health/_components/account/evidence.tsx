'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';
import { SegmentedControl } from '#/components/segmented-control/segmented-control.tsx';
import { PanelPart } from '#/components/side-panel/side-panel.tsx';
import { Moment } from '#/components/time/moment.tsx';
import type { HealthState } from '#/copy/health.ts';
import { formatMoney } from '#/format/amounts.ts';
import { clockOf } from '#/format/moments.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { latencyText } from '../strip/strip-figures.ts';
import type { MethodOverview } from '../use-health.ts';

type Counts = RouterOutputs['health']['paymentsBehind']['counts'];

const KINDS: readonly { readonly name: keyof Counts; readonly words: string }[] = [
  { name: 'timedOut', words: 'timed out' },
  { name: 'refused', words: 'could not connect' },
  { name: 'serverError', words: 'failed with HTTP 5xx' },
  { name: 'rateLimited', words: 'failed with HTTP 429' },
  { name: 'malformed', words: 'got an invalid response' },
];

/** The evidence of a state: the counts of the five minutes up to it, and the checkouts that failed in them. */
export function Evidence({
  accountId,
  method,
  state,
  since,
}: {
  accountId: string;
  method: MethodOverview['method'];
  state: HealthState;
  since: Date | null;
}) {
  const trpc = useTRPC();
  const scope = useScope();
  const [moment, setMoment] = useState<'then' | 'now'>('then');
  const begun = state !== 'healthy' && since !== null && moment === 'then';
  const { data } = useQuery(
    trpc.health.paymentsBehind.queryOptions(
      { accountId, method, at: begun ? since : null, limit: 20 },
      { refetchInterval: begun ? false : 10_000 },
    ),
  );
  const kinds = KINDS.filter(({ name }) => (data?.counts[name] ?? 0) > 0);
  return (
    <PanelPart
      title="Evidence"
      action={
        state !== 'healthy' &&
        since !== null && (
          <SegmentedControl
            label="Which moment"
            choices={[
              { value: 'then', label: 'At start' },
              { value: 'now', label: 'Now' },
            ]}
            value={moment}
            onChange={setMoment}
          />
        )
      }
    >
      {data !== undefined && (
        <p className="text-sm tabular-nums">
          {clockOf(data.from)} to {clockOf(data.to)}: <strong>{data.counts.succeeded.toLocaleString('en')}</strong> checkouts
          opened, <strong>{data.counts.faulted.toLocaleString('en')}</strong> failed because of the gateway
          {kinds.length > 0 && ` (${kinds.map(({ name, words }) => `${data.counts[name]} ${words}`).join(', ')})`}. Status checks
          and probes: {data.counts.lookupsAnswered.toLocaleString('en')} succeeded,{' '}
          {data.counts.lookupsFailed.toLocaleString('en')} failed.
        </p>
      )}
      {data !== undefined && data.attempts.length > 0 && (
        <ul className="border-t border-line" aria-label="Checkouts that failed">
          {data.attempts.map((attempt) => (
            <li
              key={attempt.attemptId}
              className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-0.5 py-2 border-b border-line text-sm tabular-nums [&_a]:truncate"
            >
              <Link href={hrefIn(scope, `/payments/${attempt.paymentId}`)}>{attempt.merchantOrderId}</Link>
              <span className="text-right whitespace-nowrap">{formatMoney(attempt.currency, attempt.amount)}</span>
              <span className="text-ink-quiet text-xs wrap-anywhere">{attempt.failureMessage ?? attempt.failureCode}</span>
              <span className="text-right whitespace-nowrap text-ink-faint text-xs">
                after {latencyText(attempt.latencyMs)}, <Moment value={attempt.createdAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {data !== undefined && data.attempts.length === 0 && (
        <p className="text-ink-faint text-xs">No checkout failed because of the gateway.</p>
      )}
    </PanelPart>
  );
}
