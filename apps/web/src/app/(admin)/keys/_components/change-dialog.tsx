'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { Dialog, DialogActions } from '#/components/dialog/dialog.tsx';
import { TextField } from '#/components/field/field.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { onlyChanged } from '#/forms/only-changed.ts';
import { useEdits } from '#/forms/use-edits.ts';
import { useTRPC } from '#/trpc/client.tsx';
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
  const stored = enteredFrom(known);
  const { draft, edit } = useEdits(stored);
  const changes = onlyChanged(settingsOf(stored), settingsOf(draft));
  const [problem, setProblem] = useState<string | null>(null);
  const [problems, setProblems] = useState(NO_PROBLEMS);
  const change = useMutation(trpc.keys.change.mutationOptions());

  async function confirm() {
    const { merchantId, keyId } = known;
    const outcome = await change.mutateAsync({ merchantId, keyId, changes });
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
    <Dialog title={`Change “${known.name}”`} dirty={Object.keys(changes).length > 0} onClose={onClose}>
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
          value={draft.name}
          maxLength={100}
          error={problem}
          onChange={(event) => {
            edit({ name: event.currentTarget.value });
            setProblem(null);
          }}
        />
        <RestrictionFields
          entered={draft}
          problems={problems}
          onChange={(changed) => {
            edit(onlyChanged<EnteredRestrictions>(draft, changed));
            setProblems(NO_PROBLEMS);
          }}
        />
        <Refusal message={change.error?.message ?? null} />
        <DialogActions onCancel={onClose}>
          <Button variant="accent" type="submit" loading={change.isPending}>
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** A key's settings as they are entered. */
function enteredFrom(key: KeyRow): EnteredRestrictions & { readonly name: string } {
  return { name: key.name, scopes: scopesOf(key), addresses: key.allowedAddresses.join('\n') };
}

function settingsOf({ name, ...restrictions }: EnteredRestrictions & { readonly name: string }) {
  return { name, ...restrictionsOf(restrictions) };
}
