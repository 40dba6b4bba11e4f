'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearchParams } from 'next/navigation';
import { useEffect, useRef } from 'react';
import { Button } from '#/components/button/button.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { SessionList } from '#/components/session-list/session-list.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { useTRPC } from '#/trpc/client.tsx';

/** The viewer's sessions, with a button to end others. */
export function OwnSessions() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { data, error } = useQuery(trpc.account.sessions.queryOptions());
  const place = useRef<HTMLDivElement>(null);
  const wanted = useSearchParams().get('at') === 'sessions';
  useEffect(() => {
    if (wanted) place.current?.scrollIntoView({ block: 'center' });
  }, [wanted]);
  const end = useMutation(
    trpc.account.endSessions.mutationOptions({
      onSuccess: ({ count }) => showToast({ text: count === 1 ? '1 session was ended.' : `${count} sessions were ended.` }),
      onError: ({ message }) => showToast({ text: message, tone: 'bad' }),
      onSettled: () => queries.invalidateQueries({ queryKey: trpc.account.sessions.queryKey() }),
    }),
  );
  const others = (data ?? []).filter(({ current }) => !current).length;
  return (
    <div ref={place} className="grid gap-3">
      <p className="max-w-[560px] text-ink-quiet">
        Sessions end after 30 minutes without activity, and after 12 hours at the latest.
      </p>
      {error !== null && data === undefined && <Refusal message={error.message} />}
      <SessionList sessions={data} busy={end.isPending} onEnd={(sessionId) => end.mutate({ sessionId })} />
      {others > 0 && (
        <div className="flex flex-wrap gap-2">
          <Button variant="danger" loading={end.isPending} onClick={() => end.mutate({ sessionId: null })}>
            {others === 1 ? 'Sign out of the other session' : `Sign out of ${others} other sessions`}
          </Button>
        </div>
      )}
    </div>
  );
}
