import { useQuery } from '@tanstack/react-query';
import { describeRole, ROLES } from '#/copy/roles.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';

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
