'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { formatTimestamp } from '#/format/moments.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { showToast } from '../toasts/toast-store.ts';

type Outcome = RouterOutputs['routing']['versions']['requireApproval'];

const REFRESH_MS = 15_000;

/** The approval setting of a merchant's rules, the people who can approve, and the actions on the setting. */
export function useRulesApproval({ merchantId, name }: { readonly merchantId: string; readonly name: string }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { data: access } = useQuery(trpc.routing.access.queryOptions({ merchantId }, { refetchInterval: REFRESH_MS }));
  const { data: me } = useQuery(trpc.me.queryOptions(undefined, { staleTime: 60_000 }));
  const change = useMutation(trpc.routing.versions.requireApproval.mutationOptions());
  const others = (access?.approvers ?? []).filter(({ staffId }) => staffId !== me?.staffId).map((person) => person.name);

  async function set(required: boolean): Promise<Outcome> {
    const outcome = await change.mutateAsync({ merchantId, required });
    await Promise.all([
      queries.invalidateQueries(trpc.routing.access.queryFilter({ merchantId })),
      queries.invalidateQueries(trpc.attention.pathFilter()),
      queries.invalidateQueries(trpc.merchants.pathFilter()),
    ]);
    return outcome;
  }

  /** Applies the setting and reports the result; throws the reason when it was refused. */
  async function setWithToast(required: boolean): Promise<null> {
    const outcome = await set(required);
    switch (outcome.kind) {
      case 'needs_second_person':
        showToast({
          text: `Request sent. A second person still has to approve rules of ${name} until ${describeApprovers(others)} agrees, by ${formatTimestamp(outcome.until)}.`,
          action: { label: 'Withdraw the request', run: () => setWithToast(true) },
        });
        return null;
      case 'changed':
      case 'unchanged':
        showToast(
          outcome.required
            ? { text: `A second person has to approve rules of ${name}.` }
            : {
                text: `Rules of ${name} are published without a second person.`,
                ...(others.length > 0 && { action: { label: 'Undo', run: () => setWithToast(true) } }),
              },
        );
        return null;
      case 'no_second_person':
        throw new Error(`No one else can approve rules of ${name}. Invite another owner or operator first.`);
      case 'not_a_person':
        throw new Error('Only people decide this.');
      case 'not_found':
        throw new Error('There is no such merchant any more.');
      default:
        return outcome satisfies never;
    }
  }

  const waiver = access?.waiver ?? null;
  return {
    /** Undefined while it is not known yet. */
    required: access?.needsApproval,
    others,
    waiver: waiver && {
      ...waiver,
      isMine: waiver.requestedBy === `staff:${me?.staffId}`,
      requesterName: access?.people.find(({ staffId }) => waiver.requestedBy === `staff:${staffId}`)?.name ?? 'A colleague',
    },
    busy: change.isPending,
    setWithToast,
  };
}

/** State and actions of a merchant's approval requirement. */
export type RulesApprovalState = ReturnType<typeof useRulesApproval>;

const NAMED = 3;

/** `Bola Ade or Chi Obi`, `Bola Ade, Chi Obi or 4 others`: of whom one is enough. */
export function describeApprovers(names: readonly string[]): string {
  if (names.length === 0) return 'another person';
  const named = names.slice(0, names.length > NAMED ? NAMED - 1 : NAMED);
  const more = names.length - named.length;
  const all = more === 0 ? named : [...named, `${more} others`];
  return all.length === 1 ? (all[0] ?? '') : `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`;
}
