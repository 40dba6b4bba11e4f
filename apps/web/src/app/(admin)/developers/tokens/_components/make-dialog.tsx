'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../../../components/button.tsx';
import { Dialog, DialogActions } from '../../../../../components/dialog/dialog.tsx';
import { TextField, TickField } from '../../../../../components/field/field.tsx';
import { Command } from '../../../../../components/first-payment.tsx';
import { RadioGroup } from '../../../../../components/radio-group/radio-group.tsx';
import { Refusal } from '../../../../../components/refusal.tsx';
import { SecretDialog } from '../../../../../components/shown-once/secret-dialog.tsx';
import { useScope } from '../../../../../scope/use-scope.ts';
import { useTRPC } from '../../../../../trpc/client.tsx';
import { volumeCommand } from '../volume-command.ts';

const DAY_MS = 86_400_000;
const LIFETIMES = [
  { value: '30', label: 'After 30 days' },
  { value: '90', label: 'After 90 days' },
  { value: '365', label: 'After a year' },
] as const;
const MODES = [
  { value: 'test', label: 'Test' },
  { value: 'live', label: 'Live' },
] as const;

type Field = 'name' | 'merchantIds' | 'modes';
const EMPTY: Readonly<Record<Field, string>> = {
  name: 'must not be empty',
  merchantIds: 'must name at least one merchant',
  modes: 'must name test, live or both',
};

/** Creates a token, and shows it once. */
export function MakeDialog({ publicUrl, onDone, onClose }: { publicUrl: string; onDone: () => void; onClose: () => void }) {
  const trpc = useTRPC();
  const { mode, merchantId } = useScope();
  const { data: merchants } = useQuery(trpc.merchants.list.queryOptions(undefined, { staleTime: 60_000 }));
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<readonly string[]>(merchantId === null ? [] : [merchantId]);
  const [modes, setModes] = useState<readonly ('test' | 'live')[]>([mode]);
  const [life, setLife] = useState<(typeof LIFETIMES)[number]['value']>('90');
  const [problems, setProblems] = useState<Partial<Record<Field, string>>>({});
  const [token, setToken] = useState<string | null>(null);
  const issue = useMutation(trpc.financeTokens.issue.mutationOptions());
  const clearProblem = (field: Field) => setProblems(({ [field]: _, ...rest }) => rest);

  async function confirm() {
    const missing = [
      ...(name.trim() === '' ? ['name' as const] : []),
      ...(chosen.length === 0 ? ['merchantIds' as const] : []),
      ...(modes.length === 0 ? ['modes' as const] : []),
    ];
    if (missing.length > 0) {
      setProblems(Object.fromEntries(missing.map((field) => [field, EMPTY[field]])));
      return;
    }
    const expiresAt = new Date(Date.now() + Number(life) * DAY_MS);
    const outcome = await issue.mutateAsync({ name, merchantIds: [...chosen], modes: [...modes], expiresAt });
    if (outcome.kind === 'issued') {
      setToken(outcome.token);
      onDone();
      return;
    }
    setProblems(Object.fromEntries(outcome.problems.map(({ field, message }) => [field, message])));
  }

  if (token !== null) {
    const command = volumeCommand(publicUrl, { mode: modes.includes(mode) ? mode : (modes[0] ?? mode), now: Date.now() });
    return (
      <SecretDialog
        title={`Token “${name.trim()}” was made`}
        secret={token}
        label="the token"
        advice="Put it where the program keeps its secrets. Anyone who has it can read these merchants’ reports and payments."
        onClose={onClose}
      >
        <Command text={command.replace('fin_…', token)} label="A first question with it" />
      </SecretDialog>
    );
  }
  return (
    <Dialog title="Make a finance token" keep={name !== ''} onClose={onClose}>
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
          problem={problems.name ?? null}
          hint="What will use it, to distinguish it from the others."
          placeholder="Month-end workbook"
          autoFocus
          onChange={(event) => {
            setName(event.currentTarget.value);
            clearProblem('name');
          }}
          onBlur={() => name.trim() === '' && setProblems((known) => ({ ...known, name: EMPTY.name }))}
        />
        <TickField
          label="Merchants"
          choices={(merchants ?? []).map(({ merchantId: value, name: label }) => ({ value, label }))}
          values={chosen}
          problem={problems.merchantIds ?? null}
          onChange={(values) => {
            setChosen(values);
            clearProblem('merchantIds');
          }}
        />
        <TickField
          label="Modes"
          choices={MODES}
          values={modes}
          problem={problems.modes ?? null}
          onChange={(values) => {
            setModes(values);
            clearProblem('modes');
          }}
        />
        <RadioGroup label="Ends" choices={LIFETIMES} value={life} onChange={setLife} />
        <Refusal message={issue.error?.message ?? null} />
        <DialogActions>
          <Button tone="accent" type="submit" busy={issue.isPending}>
            Make token
          </Button>
          <Button onMouseDown={(event) => event.preventDefault()} onClick={onClose}>
            Cancel
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
