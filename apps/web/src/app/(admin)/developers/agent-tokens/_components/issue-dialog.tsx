'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { Dialog, DialogActions } from '#/components/dialog/dialog.tsx';
import { CheckboxGroup, TextField } from '#/components/field/field.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { RadioGroup } from '#/components/radio-group/radio-group.tsx';
import { SecretDialog } from '#/components/shown-once/secret-dialog.tsx';
import { useTRPC } from '#/trpc/client.tsx';
import { ClientSetup } from './client-setup.tsx';

const DAY_MS = 86_400_000;
const LIFETIMES = [
  { value: '30', label: 'After 30 days' },
  { value: '90', label: 'After 90 days' },
  { value: '365', label: 'After a year' },
] as const;
const SAVE_DRAFTS = {
  value: 'drafts',
  label: 'May save drafts',
  description: 'The agent may write drafts of routing rules and request their publication, which a person decides on.',
} as const;
const NAME_EMPTY = 'must not be empty';

/** Creates a token for the signed-in person, and shows it once with the configuration of a client. */
export function IssueDialog({ publicUrl, onDone, onClose }: { publicUrl: string; onDone: () => void; onClose: () => void }) {
  const trpc = useTRPC();
  const [name, setName] = useState('');
  const [life, setLife] = useState<(typeof LIFETIMES)[number]['value']>('90');
  const [maySaveDrafts, setMaySaveDrafts] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [token, setToken] = useState<string | null>(null);
  const issue = useMutation(trpc.agentTokens.issue.mutationOptions());

  async function confirm() {
    if (name.trim() === '') {
      setProblem(NAME_EMPTY);
      return;
    }
    const expiresAt = new Date(Date.now() + Number(life) * DAY_MS);
    const outcome = await issue.mutateAsync({ name, maySaveDrafts, expiresAt });
    if (outcome.kind === 'issued') {
      setToken(outcome.token);
      onDone();
      return;
    }
    setProblem(outcome.problems[0]?.message ?? null);
  }

  if (token !== null) {
    return (
      <SecretDialog
        title={`Token “${name.trim()}” was created`}
        secret={token}
        label="the token"
        advice="Give it to the agent’s client only. Anyone who has it can read what you may read, in your name."
        onClose={onClose}
      >
        <ClientSetup publicUrl={publicUrl} token={token} />
      </SecretDialog>
    );
  }
  return (
    <Dialog title="Create agent token" dirty={name !== ''} onClose={onClose}>
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
          description="Which agent uses it; the audit log names it beside you."
          placeholder="Support assistant"
          autoFocus
          onChange={(event) => {
            setName(event.currentTarget.value);
            setProblem(null);
          }}
          onBlur={() => name.trim() === '' && setProblem(NAME_EMPTY)}
        />
        <RadioGroup label="Expires" choices={LIFETIMES} value={life} onChange={setLife} />
        <CheckboxGroup
          label="Beyond reading"
          choices={[SAVE_DRAFTS]}
          values={maySaveDrafts ? [SAVE_DRAFTS.value] : []}
          onChange={(values) => setMaySaveDrafts(values.length > 0)}
        />
        <Refusal message={issue.error?.message ?? null} />
        <DialogActions onCancel={onClose}>
          <Button variant="accent" type="submit" loading={issue.isPending}>
            Create token
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
