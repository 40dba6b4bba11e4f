'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { DialogActions } from '#/components/dialog/dialog.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { onlyChanged } from '#/forms/only-changed.ts';
import { useTRPC } from '#/trpc/client.tsx';
import classes from '../connect-dialog.module.css';
import type { Account, Kind } from '../copy.ts';
import { draftOf, readDraft } from './account-draft.ts';
import { AccountFields, CredentialFields } from './account-fields.tsx';
import { toSettings, useAccountForm } from './use-account-form.ts';

/** Changes the settings of an account, or replaces its credentials as a whole. */
export function EditForm({
  account,
  kind,
  what,
  onClose,
}: {
  account: Account;
  kind: Kind;
  what: 'settings' | 'credentials';
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [begin] = useState(() => draftOf(account));
  const form = useAccountForm(begin, kind, what === 'credentials');
  const update = useMutation(
    trpc.gateways.update.mutationOptions({
      onSuccess: () => queries.invalidateQueries({ queryKey: trpc.gateways.list.pathKey() }),
    }),
  );
  const [refusal, setRefusal] = useState<string | null>(null);

  async function submit() {
    setRefusal(null);
    if (!form.check()) return;
    const credentials = Object.fromEntries(Object.entries(form.draft.credentials).filter(([, value]) => value !== ''));
    const opened = toSettings(begin, readDraft(begin, kind, false).read, kind);
    const changes = what === 'credentials' ? { credentials } : onlyChanged(opened, toSettings(form.draft, form.read, kind));
    const outcome = await update.mutateAsync({ merchantId: account.merchantId, accountId: account.id, changes });
    switch (outcome.kind) {
      case 'updated':
        onClose();
        showToast({
          text:
            what === 'credentials'
              ? `Credentials of "${account.label}" are replaced. Test the connection.`
              : `Account "${outcome.account.label}" is changed.`,
        });
        return;
      case 'invalid':
        return form.refuse(outcome.problems);
      case 'label_taken':
        return form.refuse([{ field: 'label', message: 'is taken by another account of this merchant' }]);
      case 'not_found':
        return setRefusal('The account does not exist any more.');
      default:
        return outcome satisfies never;
    }
  }

  const fields = {
    kind,
    mode: account.mode,
    draft: form.draft,
    read: form.read,
    problems: form.problems,
    onChange: form.change,
    onLeave: form.leave,
  };
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit().catch(() => undefined);
      }}
    >
      {what === 'credentials' ? <CredentialFields {...fields} /> : <AccountFields {...fields} />}
      {what === 'credentials' && (
        <p className={classes.note}>New payments use them at once. The old credentials are overwritten; this cannot be undone.</p>
      )}
      <Refusal message={refusal ?? update.error?.message ?? null} />
      <DialogActions onCancel={onClose}>
        <Button type="submit" variant="accent" loading={update.isPending} disabled={!form.isDirty}>
          {what === 'credentials' ? `Replace credentials of ${account.label}` : `Save ${form.draft.label}`}
        </Button>
      </DialogActions>
    </form>
  );
}
