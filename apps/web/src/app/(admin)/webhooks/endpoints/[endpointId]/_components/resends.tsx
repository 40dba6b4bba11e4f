'use client';

import { useQuery } from '@tanstack/react-query';
import { Moment } from '#/components/time/moment.tsx';
import { formatTimestamp } from '#/format/moments.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import classes from './endpoint-page.module.css';

type Resend = RouterOutputs['webhooks']['deliveries']['resends'][number];

const SHOWN = 3;

/** Resends of periods, with their progress. */
export function Resends(key: { merchantId: string; endpointId: string }) {
  const trpc = useTRPC();
  const { data } = useQuery(
    trpc.webhooks.deliveries.resends.queryOptions(key, {
      refetchInterval: ({ state }) => (state.data?.some((one) => !isOver(one)) ? 1_000 : 15_000),
    }),
  );
  if (data === undefined || data.length === 0) return null;
  return (
    <section className="mt-8" aria-label="Resends">
      <h2 className="mb-2 text-base font-semibold">Resends</h2>
      <ul className="grid gap-3 max-w-[720px] text-sm">
        {data.slice(0, SHOWN).map((resend) => (
          <li key={resend.id}>
            <span title={`${formatTimestamp(resend.fromAt)} to ${formatTimestamp(resend.toAt)}`}>
              What happened between <Moment value={resend.fromAt} /> and <Moment value={resend.toAt} />
            </span>
            <progress
              className={classes.progress}
              max={Math.max(1, resend.total)}
              value={Math.min(resend.total, resend.delivered + resend.failed)}
              aria-label="Events processed"
            />
            <span className="text-ink-faint text-xs">
              {resend.delivered.toLocaleString('en')} of {resend.total.toLocaleString('en')} delivered
              {resend.failed > 0 && `, ${resend.failed.toLocaleString('en')} failed`}
              {resend.waiting > 0 && `, ${resend.waiting.toLocaleString('en')} waiting`}
              {resend.finishedAt === null && `, ${resend.queued.toLocaleString('en')} in the queue so far`}; requested{' '}
              <Moment value={resend.createdAt} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function isOver({ finishedAt, waiting }: Resend): boolean {
  return finishedAt !== null && waiting === 0;
}
