'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '#/trpc/client.tsx';

/** Closes, reviews and signs off months, and posts what arrived late; the pages show it at once. */
export function useMonthChanges() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries(trpc.monthClose.pathFilter());
  return {
    close: useMutation(trpc.monthClose.close.mutationOptions({ onSuccess })),
    review: useMutation(trpc.monthClose.review.mutationOptions({ onSuccess })),
    makeLateJournal: useMutation(trpc.monthClose.makeLateJournal.mutationOptions({ onSuccess })),
    signOff: useMutation(trpc.monthClose.signOff.mutationOptions({ onSuccess })),
  };
}
