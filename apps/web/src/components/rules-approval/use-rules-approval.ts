'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '#/trpc/client.tsx';
import { type SecondPersonState, useSecondPerson } from '../second-person/use-second-person.ts';

const REFRESH_MS = 15_000;

/** The approval setting of a merchant's rules, the people who can approve, and the actions on the setting. */
export function useRulesApproval({
  merchantId,
  name,
}: {
  readonly merchantId: string;
  readonly name: string;
}): SecondPersonState {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { data: access } = useQuery(trpc.routing.access.queryOptions({ merchantId }, { refetchInterval: REFRESH_MS }));
  const change = useMutation(
    trpc.routing.versions.requireApproval.mutationOptions({
      onSuccess: () =>
        Promise.all([
          queries.invalidateQueries(trpc.routing.access.queryFilter({ merchantId })),
          queries.invalidateQueries(trpc.attention.pathFilter()),
          queries.invalidateQueries(trpc.merchants.pathFilter()),
        ]),
    }),
  );
  const waiver = access?.waiver ?? null;
  const nameOf = (actor: string) => access?.people.find(({ staffId }) => actor === `staff:${staffId}`)?.name ?? null;
  return useSecondPerson({
    rule: access && {
      required: access.needsApproval,
      people: access.approvers,
      waiver: waiver && { ...waiver, requesterName: nameOf(waiver.requestedBy) },
    },
    change: (required) => change.mutateAsync({ merchantId, required }),
    isBusy: change.isPending,
    reports: {
      isRequired: `A second person has to approve rules of ${name}.`,
      isNotRequired: `Rules of ${name} are published without a second person.`,
      isStillRequired: `A second person still has to approve rules of ${name}`,
      noSecondPerson: `No one else can approve rules of ${name}. Invite another owner or operator first.`,
    },
  });
}
