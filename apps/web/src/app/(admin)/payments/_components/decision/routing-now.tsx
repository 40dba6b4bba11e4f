'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Badge } from '#/components/badge/badge.tsx';
import { Button } from '#/components/button/button.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan } from '#/trpc/use-can.ts';
import type { Payment } from '../detail/payment-head.tsx';

/** Comparison with present rules, accounts and health (the same route or not), and recomputation of the recorded decision. */
export function RoutingNow({ payment }: { payment: Payment }) {
  const trpc = useTRPC();
  const can = useCan();
  const [asked, setAsked] = useState(false);
  const { data, error, isFetching, refetch } = useQuery(
    trpc.routing.explain.queryOptions({ paymentId: payment.paymentId }, { enabled: asked, staleTime: 0 }),
  );
  if (!can('routing:read', payment.merchantId)) return null;
  return (
    <div className="grid gap-3 justify-items-start mt-4">
      <Button loading={isFetching} onClick={() => (asked ? void refetch() : setAsked(true))}>
        Would it be routed the same way now?
      </Button>
      {error !== null && <Refusal message={error.message} />}
      {data !== undefined && (
        <div className="grid gap-2" aria-live="polite">
          {data.now !== null && (
            <Verdict good={data.now.comparison.same} message={data.now.message} differences={data.now.comparison.differences} />
          )}
          <Verdict
            good={data.recomputed.kind === 'same'}
            message={data.recomputed.message}
            differences={data.recomputed.differences}
          />
        </div>
      )}
    </div>
  );
}

function Verdict({ good, message, differences }: { good: boolean; message: string; differences: readonly string[] }) {
  return (
    <div>
      <p className="text-sm">
        <Badge tone={good ? 'good' : 'wait'}>{good ? 'Same' : 'Differs'}</Badge> {message}
      </p>
      {differences.length > 0 && (
        <ul className="pl-5 mt-1 text-ink-quiet text-sm">
          {differences.map((difference) => (
            <li key={difference}>{difference}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
