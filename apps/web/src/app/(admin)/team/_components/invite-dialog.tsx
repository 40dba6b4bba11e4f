'use client';

import { staffEmail, staffName } from '@switchyard/api/entered-fields';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { Dialog } from '#/components/dialog/dialog.tsx';
import { FormDialog } from '#/forms/form-dialog.tsx';
import { useForm } from '#/forms/use-form.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { LinkShown } from './link-shown.tsx';
import { RoleChoices } from './role-choices.tsx';
import type { ShownLink, Team } from './use-team.ts';

const schema = z.object({
  email: staffEmail,
  name: staffName,
  grants: z
    .array(z.object({ merchantId: z.nullable(z.string()), role: z.string() }))
    .check(z.minLength(1, 'must hold at least one role')),
  twoFactorRequired: z.boolean(),
});

/** Invites a person with a role. Ends with the invitation link. */
export function InviteDialog({ merchantScope, onClose }: { merchantScope: Team['merchantScope']; onClose: () => void }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [link, setLink] = useState<ShownLink | null>(null);
  const invite = useMutation(
    trpc.team.invite.mutationOptions({
      onSettled: () => queries.invalidateQueries({ queryKey: trpc.team.list.queryKey() }),
    }),
  );
  const form = useForm({
    schema,
    values: {
      email: '',
      name: '',
      grants: [{ merchantId: merchantScope.everywhere ? null : (merchantScope.merchantIds[0] ?? null), role: 'viewer' }],
      twoFactorRequired: true,
    },
    async onSubmit(invitation) {
      const outcome = await invite.mutateAsync(invitation);
      switch (outcome.kind) {
        case 'invited':
          setLink(outcome);
          return null;
        case 'invalid':
          return outcome.problems;
        case 'unknown_merchant':
          return 'One of the merchants does not exist any more.';
        case 'unknown_role':
          return 'One of the roles does not exist any more.';
        case 'exists':
          return `${outcome.name} is on the team with this address already. Give them a role under their name instead.`;
        default:
          return outcome satisfies never;
      }
    },
  });

  if (link !== null) {
    return (
      <Dialog title={`${link.name} is invited`} locked onClose={onClose}>
        <LinkShown link={link} purpose="invitation" onDone={onClose} />
      </Dialog>
    );
  }
  return (
    <FormDialog title="Invite a person" form={form} action="Create invitation" onClose={onClose}>
      <form.Text name="email" label="E-mail address" type="email" maxLength={254} />
      <form.Text name="name" label="Name" maxLength={100} description="They can change it." />
      <RoleChoices
        roles={form.entered.grants}
        merchantScope={merchantScope}
        onChange={(grants) => form.enter({ grants: [...grants] })}
      />
      <form.Checkbox
        name="twoFactorRequired"
        label="Require two-factor sign-in"
        description="They must set it up before they can do anything else."
      />
    </FormDialog>
  );
}
