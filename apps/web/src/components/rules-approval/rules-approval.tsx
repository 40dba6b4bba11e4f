'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan } from '#/trpc/use-can.ts';
import { SecondPerson, type SecondPersonTexts, WaiverRequest } from '../second-person/second-person.tsx';
import { type SecondPersonState, useSecondPerson } from '../second-person/use-second-person.ts';

interface MerchantProps {
  readonly merchant: { readonly merchantId: string; readonly name: string };
}

/** The approval setting of a merchant's rules (one person publishes, or a second one approves), and the switch for it. */
export function RulesApproval({ merchant }: MerchantProps) {
  const state = useRulesApproval(merchant);
  const may = useCan()('merchant:update', merchant.merchantId);
  return <SecondPerson state={state} texts={textsOf(merchant.name)} may={may} />;
}

/** Another person's request to let one person publish, with its answers. Empty while there is none. */
export function RulesWaiverRequest({ merchant }: MerchantProps) {
  const state = useRulesApproval(merchant);
  const may = useCan()('merchant:update', merchant.merchantId);
  return <WaiverRequest state={state} texts={textsOf(merchant.name)} may={may} />;
}

function textsOf(name: string): SecondPersonTexts {
  return {
    isRequired: 'A second person has to approve rules before they are published.',
    isNotRequired: 'One person can publish rules.',
    alone: `You are the only person who can publish rules of ${name}, so no one else could approve them.`,
    requireAction: 'Require a second person',
    require: `From now on rules of ${name} are published, in test and live mode, only after a person who did not write them approved them.`,
    leftAlone: `No one else can approve rules of ${name} any more, so they cannot be published.`,
    liftAlone: `From now on you publish rules of ${name} without the approval of a second person, in test and live mode. The audit log records that no one else could have approved them.`,
    until: `a second person approves rules of ${name}.`,
    ifAgreed: `If you agree, one person can publish rules of ${name}, in test and live mode.`,
    withoutAnswer: 'a second person still has to approve them.',
    lift: 'Let one person publish',
    toLift: 'let one person publish',
    lifted: 'one person can publish rules',
    whoToInvite: 'another owner or operator',
  };
}

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
