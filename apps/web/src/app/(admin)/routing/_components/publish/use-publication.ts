'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { showToast } from '#/components/toasts/toast-store.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { usePeople, useRoutingScope } from '../queries/use-routing.ts';

type RollBackOutcome = RouterOutputs['routing']['versions']['rollBack'];

/** Refetches everything that a publication changes. */
export function useRefreshRouting() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  return async () => {
    await Promise.all([
      queries.invalidateQueries(trpc.routing.live.pathFilter()),
      queries.invalidateQueries(trpc.routing.versions.pathFilter()),
      queries.invalidateQueries(trpc.routing.canaries.pathFilter()),
      queries.invalidateQueries(trpc.routing.drafts.list.pathFilter()),
      queries.invalidateQueries(trpc.attention.pathFilter()),
    ]);
  };
}

/** Puts an earlier version back; throws a sentence when that is refused. */
export function useRollBack() {
  const trpc = useTRPC();
  const scope = useRoutingScope();
  const refresh = useRefreshRouting();
  const { nameOf } = usePeople();
  const rollBack = useMutation(trpc.routing.versions.rollBack.mutationOptions());
  return async (command: {
    readonly version: number;
    readonly baseVersion: number;
    readonly reason: string;
  }): Promise<Extract<RollBackOutcome, { kind: 'published' | 'needs_approval' }>> => {
    const outcome = await rollBack.mutateAsync({ ...scope, ...command });
    await refresh();
    if (outcome.kind === 'published' || outcome.kind === 'needs_approval') return outcome;
    throw new Error(refusalText(outcome, nameOf));
  };
}

/** Rolls back, and says what came of it: from a message's own button, which goes with the message. Throws why it was refused. */
export function useRollBackWithToast() {
  const rollBack = useRollBack();
  return async (command: Parameters<typeof rollBack>[0]): Promise<void> => {
    const { version } = command;
    const outcome = await rollBack(command);
    showToast({
      text:
        outcome.kind === 'needs_approval'
          ? `A draft of version ${version} waits for approval by a second person.`
          : `The rules of version ${version} are active again, as version ${outcome.ruleSet.version}.`,
    });
  };
}

function refusalText(
  outcome: Exclude<RollBackOutcome, { kind: 'published' | 'needs_approval' }>,
  nameOf: (actor: string | null) => string,
): string {
  switch (outcome.kind) {
    case 'accounts_gone':
      return 'These rules name accounts that no longer exist. Edit the version as a draft and choose others.';
    case 'already_in_force':
      return 'It is already active.';
    case 'unknown_version':
      return 'This version no longer exists.';
    case 'stale_base':
      return `${nameOf(outcome.publishedBy)} published version ${outcome.currentVersion} meanwhile. Review it first.`;
    case 'broken_expectations':
      return outcome.broken[0]?.message ?? 'An expectation does not hold.';
    case 'invalid':
      return outcome.problems.map(({ field, message }) => `${field} ${message}`).join('; ');
    case 'not_found':
      return 'This merchant no longer exists.';
    default:
      return outcome satisfies never;
  }
}
