'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { Dialog, DialogActions } from '#/components/dialog/dialog.tsx';
import { TextField } from '#/components/field/field.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { RadioGroup } from '#/components/radio-group/radio-group.tsx';
import { SecretDialog } from '#/components/shown-once/secret-dialog.tsx';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import {
  type EnteredRestrictions,
  NO_PROBLEMS,
  RestrictionFields,
  restrictionProblems,
  restrictionsOf,
} from './restriction-fields.tsx';

const DAY_MS = 86_400_000;
const LIFETIMES = [
  { value: 'never', label: 'When it is revoked' },
  { value: '30', label: 'After 30 days' },
  { value: '90', label: 'After 90 days' },
  { value: '365', label: 'After a year' },
] as const;
type Lifetime = (typeof LIFETIMES)[number]['value'];

/** Creates a key, and shows it once. */
export function IssueDialog({
  merchantId,
  merchantName,
  onDone,
  onClose,
}: {
  merchantId: string;
  merchantName: string;
  onDone: () => void;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const { mode } = useScope();
  const [name, setName] = useState('');
  const [life, setLife] = useState<Lifetime>('never');
  const [entered, setEntered] = useState<EnteredRestrictions>({ scopes: [], addresses: '' });
  const [problem, setProblem] = useState<string | null>(null);
  const [problems, setProblems] = useState(NO_PROBLEMS);
  const [secret, setSecret] = useState<string | null>(null);
  const issue = useMutation(trpc.keys.issue.mutationOptions());

  async function confirm() {
    if (name.trim() === '') {
      setProblem('must not be empty');
      return;
    }
    const expiresAt = life === 'never' ? null : new Date(Date.now() + Number(life) * DAY_MS);
    const outcome = await issue.mutateAsync({ merchantId, mode, name, expiresAt, ...restrictionsOf(entered) });
    switch (outcome.kind) {
      case 'issued':
        setSecret(outcome.secretKey);
        onDone();
        return;
      case 'invalid':
        setProblems(restrictionProblems(outcome.problems));
        setProblem(
          outcome.problems
            .filter(({ field }) => field === 'name' || field === 'expiresAt')
            .map(({ message }) => message)
            .join('; ') || null,
        );
        return;
      case 'too_many_keys':
        setProblem(`cannot be one more: ${outcome.most} ${mode} keys are in use. Revoke one first`);
        return;
      default:
        return outcome satisfies never;
    }
  }

  if (secret !== null) {
    return (
      <SecretDialog
        title={`Key “${name.trim()}” was created`}
        secret={secret}
        label="the key"
        advice="Put it where the merchant’s server keeps its secrets, never in a browser or an app. Anyone who has it can act for the merchant."
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog title={`Create a ${mode} key for ${merchantName}`} dirty={name !== ''} onClose={onClose}>
      <form
        style={{ display: 'contents' }}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void confirm().catch(() => undefined);
        }}
      >
        <TextField
          label="Name"
          value={name}
          maxLength={100}
          error={problem}
          description="What will use it, to distinguish it from the others."
          placeholder="Checkout server"
          autoFocus
          onChange={(event) => {
            setName(event.currentTarget.value);
            setProblem(null);
          }}
          onBlur={() => name.trim() === '' && setProblem('must not be empty')}
        />
        <RadioGroup label="Expires" choices={LIFETIMES} value={life} onChange={setLife} />
        <RestrictionFields
          entered={entered}
          problems={problems}
          onChange={(changed) => {
            setEntered(changed);
            setProblems(NO_PROBLEMS);
          }}
        />
        <Refusal message={issue.error?.message ?? null} />
        <DialogActions onCancel={onClose}>
          <Button variant="accent" type="submit" loading={issue.isPending}>
            Create key
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
