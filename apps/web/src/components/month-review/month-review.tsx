'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Mode } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan } from '#/trpc/use-can.ts';
import { SecondPerson, type SecondPersonTexts, WaiverRequest } from '../second-person/second-person.tsx';
import { useSecondPerson } from '../second-person/use-second-person.ts';

const REFRESH_MS = 15_000;

interface Books {
  readonly merchantId: string;
  readonly mode: Mode;
}

/**
 * The rule that another person has to review a month of the merchant's books before it is signed off: its switch, and requests to lift it.
 */
export function MonthReview({ merchantId, mode }: Books) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const may = useCan()('month:close', merchantId);
  const { data: rule } = useQuery(trpc.monthClose.reviewRule.queryOptions({ merchantId, mode }, { refetchInterval: REFRESH_MS }));
  const change = useMutation(
    trpc.monthClose.requireReview.mutationOptions({
      onSuccess: () =>
        Promise.all([
          queries.invalidateQueries(trpc.monthClose.pathFilter()),
          queries.invalidateQueries(trpc.attention.pathFilter()),
        ]),
    }),
  );
  const state = useSecondPerson({
    rule,
    change: (required) => change.mutateAsync({ merchantId, mode, required }),
    isBusy: change.isPending,
    reports: {
      isRequired: 'A second person has to review months.',
      isNotRequired: 'Months are signed off without a second person.',
      isStillRequired: 'A second person still has to review months',
      noSecondPerson: 'No one else can review months. Invite another owner or person of finance first.',
    },
  });
  const texts = textsOf(mode);
  return (
    <>
      <WaiverRequest state={state} texts={texts} may={may} />
      <SecondPerson state={state} texts={texts} may={may} />
    </>
  );
}

function textsOf(mode: Mode): SecondPersonTexts {
  return {
    isRequired: 'A second person has to review a month before it is signed off.',
    isNotRequired: 'One person can close a month and sign it off.',
    alone: 'You are the only person who can close months here, so no one else could review them.',
    requireAction: 'Require a second person’s review',
    require: `From now on a month in ${mode} mode is signed off only after a person who does not sign it has reviewed it.`,
    leftAlone: 'No one else can review months any more, so they cannot be signed off.',
    liftAlone: `From now on you sign months in ${mode} mode off without the review of a second person. The audit log records that no one else could have reviewed them.`,
    until: 'a second person reviews months.',
    ifAgreed: `If you agree, one person can sign off months in ${mode} mode.`,
    withoutAnswer: 'a second person still has to review them.',
    lift: 'Let one person sign off',
    toLift: 'let one person sign off',
    lifted: 'one person can sign off months',
    whoToInvite: 'another owner or person of finance',
  };
}
