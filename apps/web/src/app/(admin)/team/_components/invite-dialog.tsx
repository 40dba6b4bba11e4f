'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { Dialog, DialogActions } from '#/components/dialog/dialog.tsx';
import { TextField } from '#/components/field/field.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { useTRPC } from '#/trpc/client.tsx';
import classes from './invite-dialog.module.css';
import { LinkShown } from './link-shown.tsx';
import { RoleChoices } from './role-choices.tsx';
import type { Person, ShownLink, Team } from './use-team.ts';

type RoleFor = Person['roles'][number];

/** Invites a person with a role. Ends with the invitation link. */
export function InviteDialog({ merchantScope, onClose }: { merchantScope: Team['merchantScope']; onClose: () => void }) {
  const [link, setLink] = useState<ShownLink | null>(null);
  const [isEntered, setIsEntered] = useState(false);
  if (link !== null) {
    return (
      <Dialog title={`${link.name} is invited`} locked onClose={onClose}>
        <LinkShown link={link} purpose="invitation" onDone={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog title="Invite a person" dirty={isEntered} onClose={onClose}>
      <InviteForm merchantScope={merchantScope} onEnter={() => setIsEntered(true)} onInvited={setLink} onClose={onClose} />
    </Dialog>
  );
}

function InviteForm({
  merchantScope,
  onEnter,
  onInvited,
  onClose,
}: {
  merchantScope: Team['merchantScope'];
  /** Something was entered that would be lost. */
  onEnter: () => void;
  onInvited: (link: ShownLink) => void;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [left, setLeft] = useState({ email: false, name: false });
  const [roles, setRoles] = useState<readonly RoleFor[]>([
    { merchantId: merchantScope.everywhere ? null : (merchantScope.merchantIds[0] ?? null), role: 'viewer' },
  ]);
  const [required, setRequired] = useState(true);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const invite = useMutation(
    trpc.team.invite.mutationOptions({
      onError: ({ message }) => setRefusal(message),
      onSuccess(outcome) {
        if (outcome.kind === 'invited') return onInvited(outcome);
        if (outcome.kind === 'invalid') {
          return setProblems(Object.fromEntries(outcome.problems.map(({ field, message }) => [field, message])));
        }
        if (outcome.kind === 'unknown_merchant') return setRefusal('One of the merchants does not exist any more.');
        return setRefusal(`${outcome.name} is on the team with this address already. Give them a role under their name instead.`);
      },
      onSettled: () => queries.invalidateQueries({ queryKey: trpc.team.list.queryKey() }),
    }),
  );
  const emailProblem = /^\S+@\S+\.\S+$/.test(email.trim()) ? (problems.email ?? null) : 'must be an e-mail address';
  const nameProblem = name.trim() === '' ? 'must not be empty' : (problems.name ?? null);

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setLeft({ email: true, name: true });
    setRefusal(null);
    if (invite.isPending || emailProblem !== null || nameProblem !== null || roles.length === 0) return;
    invite.mutate({ email: email.trim(), name: name.trim(), grants: [...roles], twoFactorRequired: required });
  }

  return (
    <form className={classes.form} method="post" noValidate onInput={onEnter} onSubmit={submit}>
      <Refusal message={refusal} />
      <TextField
        label="E-mail address"
        type="email"
        name="email"
        value={email}
        maxLength={254}
        onChange={(event) => {
          setEmail(event.currentTarget.value);
          setProblems({});
        }}
        onBlur={() => setLeft((before) => ({ ...before, email: email !== '' }))}
        error={left.email ? emailProblem : null}
      />
      <TextField
        label="Name"
        name="name"
        value={name}
        maxLength={100}
        onChange={(event) => setName(event.currentTarget.value)}
        onBlur={() => setLeft((before) => ({ ...before, name: name !== '' }))}
        error={left.name ? nameProblem : null}
        description="They can change it."
      />
      <RoleChoices roles={roles} merchantScope={merchantScope} onChange={setRoles} />
      <label className={classes.tick}>
        <input type="checkbox" checked={required} onChange={(event) => setRequired(event.currentTarget.checked)} />
        <span>
          Require two-factor sign-in
          <small>They must set it up before they can do anything else.</small>
        </span>
      </label>
      <DialogActions onCancel={onClose}>
        <Button type="submit" variant="accent" loading={invite.isPending}>
          Create invitation
        </Button>
      </DialogActions>
    </form>
  );
}
