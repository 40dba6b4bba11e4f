'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { describeRole } from '#/copy/roles.ts';
import { reportRefusal } from '#/forms/reply.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan } from '#/trpc/use-can.ts';
import { type CustomRole, useRoles } from './use-team.ts';

const RoleDialog = dynamic(() => import('./role-dialog.tsx').then((module) => module.RoleDialog));

/** The roles of the workspace's own, as sentences; who manages the team of all merchants creates, changes and removes them. */
export function RoleList() {
  const { own, offered } = useRoles();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const may = useCan()('team:manage', null);
  const [edited, setEdited] = useState<CustomRole | 'new' | null>(null);
  const remove = useMutation(
    trpc.team.removeRole.mutationOptions({ onSettled: () => queries.invalidateQueries(trpc.team.pathFilter()) }),
  );
  async function onRemove({ roleId, name }: CustomRole): Promise<string | null> {
    const outcome = await remove.mutateAsync({ roleId });
    if (outcome.kind === 'in_use') return describeUse(outcome);
    showToast({ text: `Role “${name}” was removed.` });
    return null;
  }
  if (own.length === 0 && !may) return null;
  return (
    <section className="mt-8" aria-labelledby="own-roles">
      <div className="flex flex-wrap gap-2 items-center justify-between mb-2">
        <h2 className="text-lg font-semibold" id="own-roles">
          Roles of your own
        </h2>
        {may && <Button onClick={() => setEdited('new')}>New role</Button>}
      </div>
      {own.length === 0 && (
        <p className="text-ink-quiet text-sm">
          None. Make one where no role fits: choose what its people may do, for each merchant or all.
        </p>
      )}
      <ul className="grid gap-4">
        {own.map((role) => (
          <li key={role.roleId} className="grid gap-1 border-t border-line pt-3">
            <div className="flex flex-wrap gap-2 items-center">
              <strong className="flex-1 min-w-0 wrap-anywhere font-medium">{role.name}</strong>
              <span className="text-ink-faint text-xs">{role.people === 1 ? '1 person' : `${role.people} people`}</span>
              {may && (
                <>
                  <Button onClick={() => setEdited(role)} aria-label={`Change the role ${role.name}`}>
                    Change
                  </Button>
                  <Button
                    loading={remove.isPending}
                    onClick={() => void reportRefusal(onRemove(role))}
                    aria-label={`Remove the role ${role.name}`}
                  >
                    Remove
                  </Button>
                </>
              )}
            </div>
            <p className="max-w-[90ch] text-ink-quiet text-sm">May {describeRole(role, offered).may}.</p>
          </li>
        ))}
      </ul>
      {edited !== null && (
        <RoleDialog role={edited === 'new' ? null : edited} offered={offered} onClose={() => setEdited(null)} />
      )}
    </section>
  );
}

/** Why a role is not removed. */
function describeUse({ people, invitations, groups }: Readonly<Record<'people' | 'invitations' | 'groups', number>>): string {
  const uses = [
    ...(people > 0 ? [people === 1 ? '1 person has it' : `${people} people have it`] : []),
    ...(invitations > 0 ? [invitations === 1 ? '1 invitation gives it' : `${invitations} invitations give it`] : []),
    ...(groups > 0
      ? [groups === 1 ? '1 group of a sign-in provider gives it' : `${groups} groups of sign-in providers give it`]
      : []),
  ];
  return `The role is in use: ${uses.join(' and ')}. Give them another role first.`;
}
