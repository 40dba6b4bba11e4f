'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { Dialog, DialogActions } from '../components/dialog/dialog.tsx';
import { TextField } from '../components/field/field.tsx';
import { Refusal } from '../components/refusal.tsx';
import { showToast } from '../components/toasts/toast-store.ts';
import { useScope } from '../scope/use-scope.ts';
import { useTRPC } from '../trpc/client.tsx';
import { useMay } from '../trpc/use-may.ts';
import { describeImpact } from './describe-impact.ts';
import classes from './drain-button.module.css';
import { nameAccount } from './name-account.ts';
import { useOverrides } from './use-overrides.ts';

const DRAINED_FOR_HOURS = 2;

interface DrainedAccount {
  readonly merchantId: string;
  readonly merchantName: string;
  readonly accountId: string;
  readonly label: string;
}

/** Drains all methods of an account after a confirmation, or ends that; renders nothing for those who may not. */
export function DrainButton({
  account,
  drain,
  reason,
}: {
  account: DrainedAccount;
  /** The override that drains it now; null while there is none. */
  drain: { readonly overrideId: string } | null;
  /** The reason that the dialog proposes. */
  reason: string;
}) {
  const may = useMay();
  const [asking, setAsking] = useState(false);
  const { set, end } = useOverrides();
  const name = nameAccount(account, useScope());
  const { merchantId, accountId } = account;
  if (!may('override:set', merchantId)) return null;

  async function undo(overrideId: string) {
    await end.mutateAsync({ merchantId, overrideId });
    showToast({ text: `${name} takes payments again, as rules and health say.` });
  }

  async function confirm(why: string) {
    const expiresAt = new Date(Date.now() + DRAINED_FOR_HOURS * 3_600_000);
    const outcome = await set.mutateAsync({ merchantId, accountId, method: null, action: 'drain', reason: why, expiresAt });
    if (outcome.kind === 'invalid') return outcome.problems.map(({ message }) => message).join('; ');
    setAsking(false);
    if (outcome.kind === 'not_found') showToast({ text: `${name} does not exist any more.`, tone: 'bad' });
    else showToast({ text: `${name} is drained.`, action: { label: 'Undo', run: () => undo(outcome.override.id) } });
    return null;
  }

  return (
    <>
      {drain === null ? (
        <Button onClick={() => setAsking(true)} aria-label={`Drain ${name}`}>
          Drain
        </Button>
      ) : (
        <Button
          onClick={() => void undo(drain.overrideId).catch(() => undefined)}
          busy={end.isPending}
          aria-label={`End drain of ${name}`}
        >
          End drain
        </Button>
      )}
      {asking && (
        <DrainDialog
          account={account}
          name={name}
          reason={reason}
          busy={set.isPending}
          failure={set.error?.message ?? null}
          onConfirm={confirm}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

function DrainDialog({
  account: { accountId, label },
  name,
  reason: proposed,
  busy,
  failure,
  onConfirm,
  onClose,
}: {
  account: DrainedAccount;
  /** What the title calls the account. */
  name: string;
  reason: string;
  busy: boolean;
  failure: string | null;
  /** Returns what is wrong with the reason, or null. */
  onConfirm: (reason: string) => Promise<string | null>;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const [reason, setReason] = useState(proposed);
  const [problem, setProblem] = useState<string | null>(null);
  const { data: use } = useQuery(trpc.gateways.usage.queryOptions({ accountId }));

  async function submit() {
    if (reason.trim() === '') setProblem('must not be empty');
    else setProblem(await onConfirm(reason.trim()));
  }

  return (
    <Dialog title={`Drain ${name}?`} onClose={onClose}>
      <p className={classes.impact}>
        {describeImpact('drain', use, 'any method', null)} It ends in {DRAINED_FOR_HOURS} hours, or as soon as you end it.
      </p>
      <TextField
        label="Reason"
        value={reason}
        maxLength={500}
        problem={problem}
        hint="Shown in the routing record of each payment it affects."
        onChange={(event) => {
          setReason(event.currentTarget.value);
          setProblem(null);
        }}
      />
      <Refusal message={failure} />
      <DialogActions onCancel={onClose}>
        <Button tone="accent" onClick={() => void submit().catch(() => undefined)} busy={busy} autoFocus>
          Drain {label}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
