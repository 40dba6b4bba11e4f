'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Button } from '#/components/button/button.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan } from '#/trpc/use-can.ts';

/** The kinds of alerts that send no messages now. Renders nothing while there are none. */
export function MutedKinds() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const can = useCan();
  const { merchantId } = useScope();
  const { data } = useQuery(trpc.alerts.muted.queryOptions({ merchantId }, { refetchInterval: 30_000 }));
  const muteKind = useMutation(
    trpc.alerts.muteKind.mutationOptions({
      onSuccess: () => queries.invalidateQueries({ queryKey: trpc.alerts.muted.queryKey() }),
      onError: ({ message }) => void showToast({ text: message, tone: 'bad' }),
    }),
  );
  return data?.map(({ kind, title, merchantId: of, mutedUntil }) => (
    <p key={`${of ?? ''} ${kind}`} className="flex gap-3 items-center mb-2 text-ink-quiet text-sm">
      {title}: no messages until <Moment value={mutedUntil} />.
      {can('alert:acknowledge', of) && (
        <Button
          loading={muteKind.isPending}
          onClick={() => muteKind.mutate({ merchantId: of, kind, hours: 0 })}
          aria-label={`Unmute ${title}`}
        >
          Unmute
        </Button>
      )}
    </p>
  ));
}
