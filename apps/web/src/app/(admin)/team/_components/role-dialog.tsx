'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { showToast } from '#/components/toasts/toast-store.ts';
import { FormDialog } from '#/forms/form-dialog.tsx';
import { reply } from '#/forms/reply.ts';
import { useForm } from '#/forms/use-form.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { CustomRole, OfferedPermission } from './use-team.ts';

const schema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, 'must not be empty'), z.maxLength(60, 'must have at most 60 characters')),
  permissions: z.array(z.string()),
  testPermissions: z.array(z.string()),
});

/** Creates a role of the workspace's own, or changes one. */
export function RoleDialog({
  role,
  offered,
  onClose,
}: {
  /** Null to create one. */
  role: CustomRole | null;
  offered: readonly OfferedPermission[];
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const settled = { onSettled: () => queries.invalidateQueries(trpc.team.pathFilter()) };
  const create = useMutation(trpc.team.createRole.mutationOptions(settled));
  const change = useMutation(trpc.team.changeRole.mutationOptions(settled));
  const form = useForm({
    schema,
    values: {
      name: role?.name ?? '',
      permissions: [...(role?.permissions ?? [])],
      testPermissions: [...(role?.testPermissions ?? [])],
    },
    async onSubmit(fields) {
      const outcome =
        role === null ? await create.mutateAsync(fields) : await change.mutateAsync({ ...fields, roleId: role.roleId });
      return reply(outcome, {
        saved: ({ role: { name } }) => {
          showToast({ text: `Role “${name}” was ${role === null ? 'created' : 'changed'}.` });
          return null;
        },
        invalid: ({ problems }) => problems,
        name_taken: [{ field: 'name', message: 'must not be the name of another role' }],
        too_many_roles: ({ limit }) => `There are ${limit} roles already. Remove one first.`,
      });
    },
    onDone: onClose,
  });
  const choices = offered.map(({ permission, text }) => ({ value: permission, label: sentence(text) }));
  const inTestMode = choices.filter(({ value }) =>
    offered.some(({ permission, isByMode }) => permission === value && isByMode && !form.entered.permissions.includes(value)),
  );
  return (
    <FormDialog
      title={role === null ? 'New role' : `Change the role “${role.name}”`}
      form={form}
      action={role === null ? 'Create role' : 'Save changes'}
      onClose={onClose}
    >
      <form.Text name="name" label="Name" maxLength={60} />
      {role !== null && role.people > 0 && (
        <p className="text-ink-quiet text-sm">
          Applies at once to {role.people === 1 ? '1 person' : `${role.people} people`} with this role.
        </p>
      )}
      <form.Checkboxes name="permissions" label="People with this role may" choices={choices} />
      {inTestMode.length > 0 && <form.Checkboxes name="testPermissions" label="In test mode also" choices={inTestMode} />}
    </FormDialog>
  );
}

function sentence(text: string): string {
  return text.replace(/^[a-z]/, (letter) => letter.toUpperCase());
}
