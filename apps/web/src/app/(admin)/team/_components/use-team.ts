'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { showToast } from '#/components/toasts/toast-store.ts';
import { describeRole, ROLES } from '#/copy/roles.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';

/** Staff users and invitations. */
export type Team = RouterOutputs['team']['list'];

/** A staff user of the team. */
export type Person = Team['people'][number];

/** An open invitation. */
export type Invitation = Team['invitations'][number];
/** A link just made, as it is shown once. */
export type ShownLink = RouterOutputs['team']['makeResetLink'];

const LAST_OWNER =
  'No one else owns the whole workspace, or this is the break-glass owner. Put another owner of all merchants in their place first.';

interface Outcome {
  readonly kind: string;
  /** The provider that deactivated the person. */
  readonly provider?: string;
  readonly neededFor?: readonly NeededDecision[];
}

type Disabled = Extract<RouterOutputs['team']['setDisabled'], { kind: 'changed' }>;
type NeededDecision = NonNullable<Disabled['neededFor']>[number];

/** The message of a refusal that is not an error; null for success. */
function refusalIn(outcome: Outcome): string | null {
  if (outcome.kind === 'last_owner') return LAST_OWNER;
  if (outcome.kind === 'break_glass') return 'This is the break-glass owner. Name another one under Single sign-on first.';
  if (outcome.kind === 'oneself') return 'You cannot disable yourself. Another owner can.';
  if (outcome.kind === 'inactive_at_provider') return `${outcome.provider} deactivated this person. Activate them there.`;
  if (outcome.kind === 'unknown_merchant') return 'There is no such merchant.';
  if (outcome.kind === 'unknown_role') return 'There is no such role any more.';
  return null;
}

/**
 * Every action on staff users. Each confirms what was done, and offers to undo it where that is possible; it returns why it was refused,
 * or null.
 */
export function usePersonActions(person: Person, merchantName: (merchantId: string | null) => string) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const refresh = async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: trpc.team.list.queryKey() }),
      queries.invalidateQueries({ queryKey: trpc.team.sessions.queryKey() }),
    ]);
  };
  const settled = { onSettled: refresh };
  const grant = useMutation(trpc.team.grantRole.mutationOptions(settled));
  const revoke = useMutation(trpc.team.revokeRole.mutationOptions(settled));
  const disable = useMutation(trpc.team.setDisabled.mutationOptions(settled));
  const require = useMutation(trpc.team.requireTwoFactor.mutationOptions(settled));
  const reset = useMutation(trpc.team.resetTwoFactor.mutationOptions(settled));
  const end = useMutation(trpc.team.endSessions.mutationOptions(settled));
  const { staffId, name } = person;
  const { describe } = useRoles();

  type Role = Person['roles'][number]['role'];
  return {
    busy: [grant, revoke, disable, require, reset, end].some(({ isPending }) => isPending),
    giveRole(merchantId: string | null, role: Role) {
      const before = person.roles.find((each) => each.merchantId === merchantId)?.role;
      const undo = () =>
        before === undefined
          ? revoke.mutateAsync({ staffId, merchantId })
          : grant.mutateAsync({ staffId, merchantId, role: before });
      return confirmDone(
        grant.mutateAsync({ staffId, merchantId, role }),
        `${name} is ${describe(role).name} for ${merchantName(merchantId)}.`,
        undo,
      );
    },
    takeRole(merchantId: string | null, role: Role) {
      const undo = () => grant.mutateAsync({ staffId, merchantId, role });
      return confirmDone(
        revoke.mutateAsync({ staffId, merchantId }),
        `${name} is no longer ${describe(role).name} for ${merchantName(merchantId)}.`,
        undo,
      );
    },
    setDisabled(disabled: boolean) {
      const text = disabled ? `${name} can no longer sign in, and is signed out everywhere.` : `${name} can sign in again.`;
      const done = ({ neededFor = [] }: Outcome) => [text, ...neededFor.map((one) => describeNeeded(one, name))].join(' ');
      return confirmDone(disable.mutateAsync({ staffId, disabled }), done, () =>
        disable.mutateAsync({ staffId, disabled: !disabled }),
      );
    },
    requireTwoFactor(required: boolean) {
      const text = required ? `${name} has to use two-factor sign-in.` : `${name} may choose whether to use two-factor sign-in.`;
      return confirmDone(require.mutateAsync({ staffId, required }), text, () =>
        require.mutateAsync({ staffId, required: !required }),
      );
    },
    resetTwoFactor: () =>
      confirmDone(
        reset.mutateAsync({ staffId }),
        `Two-factor sign-in of ${name} was reset: the next sign-in asks for the password only.`,
      ),
    endSessions: (sessionId: string | null) =>
      confirmDone(
        end.mutateAsync({ staffId, sessionId }),
        sessionId === null ? `${name} is signed out everywhere.` : 'The session was ended.',
      ),
  };
}

/** Confirms what was done, and offers to undo it. */
async function confirmDone(
  doing: Promise<Outcome>,
  done: string | ((outcome: Outcome) => string),
  undo?: () => Promise<Outcome>,
): Promise<string | null> {
  const outcome = await doing;
  const refusal = refusalIn(outcome);
  const text = typeof done === 'string' ? done : done(outcome);
  if (refusal === null) showToast({ text, ...(undo && { action: { label: 'Undo', run: () => orThrow(undo()) } }) });
  return refusal;
}

async function orThrow(doing: Promise<Outcome>): Promise<void> {
  const refusal = refusalIn(await doing);
  if (refusal !== null) throw new Error(refusal);
}

const DECISIONS = { refunds: 'approve refunds', rules: 'approve rules', months: 'review and sign off months' } as const;

/** The decision that no one can take any more without a person who was disabled. */
export function describeNeeded({ of, merchantName, waiting }: NeededDecision, name: string): string {
  const requests = waiting === 1 ? '1 request waits' : `${waiting} requests wait`;
  return `Without ${name}, too few people can ${DECISIONS[of]} of ${merchantName}${waiting > 0 ? `: ${requests}` : ''}.`;
}

/** Reads again what follows a provider of sign-in: the providers, who may provision people, and the roles that people have. */
export function useRefreshProviders(): () => Promise<unknown> {
  const trpc = useTRPC();
  const queries = useQueryClient();
  return () =>
    Promise.all([trpc.singleSignOn, trpc.provisioning, trpc.team].map((of) => queries.invalidateQueries(of.pathFilter())));
}

/** Names of merchants by their ids; null is all of them. */
export function useMerchants() {
  const trpc = useTRPC();
  const { data = [] } = useQuery(trpc.merchants.list.queryOptions(undefined, { staleTime: 60_000 }));
  const name = (merchantId: string | null) =>
    merchantId === null ? 'all merchants' : (data.find((each) => each.merchantId === merchantId)?.name ?? 'another merchant');
  return { merchants: data, name };
}

type Answer = RouterOutputs['team']['roles'];

/** A role of the workspace's own. */
export type CustomRole = Answer['roles'][number];

/** A permission that such a role may have, as a sentence without its subject. */
export type OfferedPermission = Answer['offered'][number];

/** The roles that people may have, by their keys: those of all workspaces, and the workspace's own. */
export function useRoles() {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.team.roles.queryOptions(undefined, { staleTime: 60_000 }));
  const own = data?.roles ?? [];
  const offered = data?.offered ?? [];
  const describe = (key: string) => describeRole(own.find(({ roleId }) => roleId === key) ?? key, offered);
  const keys = [...ROLES, ...own.map(({ roleId }) => roleId)];
  return { own, offered, describe, options: keys.map((value) => ({ value, label: describe(value).name })) };
}
