'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../../components/button.tsx';
import { Dialog, DialogActions } from '../../../../components/dialog/dialog.tsx';
import { TextField } from '../../../../components/field/field.tsx';
import { Refusal } from '../../../../components/refusal.tsx';
import { showToast } from '../../../../components/toasts/toast-store.ts';
import { useTRPC } from '../../../../trpc/client.tsx';
import type { KeyRow } from './key-row.ts';
import { scopesOf } from './key-scopes.ts';
import classes from './keys-page.module.css';
import { shortKey } from './keys-table.tsx';
import {
  type EnteredRestrictions,
  NO_PROBLEMS,
  RestrictionFields,
  restrictionProblems,
  restrictionsOf,
} from './restriction-fields.tsx';

/** Changes a key's name, what it may do and from where. The key itself stays. */
export function ChangeDialog({ known, onDone, onClose }: { known: KeyRow; onDone: () => void; onClose: () => void }) {
  const trpc = useTRPC();
  const [name, setName] = useState(known.name);
  const [stored] = useState<EnteredRestrictions>({ scopes: scopesOf(known), addresses: known.allowedAddresses.join('\n') });
  const [entered, setEntered] = useState(stored);
  const isChanged =
    name !== known.name || entered.addresses !== stored.addresses || entered.scopes.join() !== stored.scopes.join();
  const [problem, setProblem] = useState<string | null>(null);
  const [problems, setProblems] = useState(NO_PROBLEMS);
  const change = useMutation(trpc.keys.change.mutationOptions());

  async function confirm() {
    const { merchantId, keyId } = known;
    const outcome = await change.mutateAsync({ merchantId, keyId, name, ...restrictionsOf(entered) });
    switch (outcome.kind) {
      case 'changed':
      case 'unchanged':
        onDone();
        onClose();
        showToast({ text: `Key “${outcome.key.name}” was ${outcome.kind === 'changed' ? 'changed' : 'left as it was'}.` });
        return;
      case 'invalid':
        setProblem(outcome.problems.find(({ field }) => field === 'name')?.message ?? null);
        setProblems(restrictionProblems(outcome.problems));
        return;
      case 'ended':
        setProblem('cannot be changed: the key has ended meanwhile');
        return;
      default:
        return outcome satisfies never;
    }
  }

  return (
    <Dialog title={`Change “${known.name}”`} keep={isChanged} onClose={onClose}>
      <form
        style={{ display: 'contents' }}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void confirm().catch(() => undefined);
        }}
      >
        <p>
          <span className={classes.mono}>{shortKey(known)}</span> stays as it is. Requests outside these limits are refused within
          about a second.
        </p>
        <TextField
          label="Name"
          value={name}
          maxLength={100}
          problem={problem}
          onChange={(event) => {
            setName(event.currentTarget.value);
            setProblem(null);
          }}
        />
        <RestrictionFields
          entered={entered}
          problems={problems}
          onChange={(changed) => {
            setEntered(changed);
            setProblems(NO_PROBLEMS);
          }}
        />
        <Refusal message={change.error?.message ?? null} />
        <DialogActions onCancel={onClose}>
          <Button tone="accent" type="submit" busy={change.isPending}>
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
