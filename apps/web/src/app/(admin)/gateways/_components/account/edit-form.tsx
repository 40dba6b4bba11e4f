'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { showToast } from '#/components/toasts/toast-store.ts';
import { Form, FormActions } from '#/forms/form.tsx';
import { onlyChanged } from '#/forms/only-changed.ts';
import { useForm } from '#/forms/use-form.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { Account, Kind } from '../copy.ts';
import { ACCOUNT_ALIASES, accountSchema, draftOf, readDraft, settingsOf } from './account-draft.ts';
import { AccountFields, CredentialFields } from './account-fields.tsx';

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
  // Values it was opened with: only what differs from it is sent.
  const [opened] = useState(() => draftOf(account));
  const update = useMutation(
    trpc.gateways.update.mutationOptions({
      onSuccess: () => queries.invalidateQueries({ queryKey: trpc.gateways.list.pathKey() }),
    }),
  );
  const form = useForm({
    schema: accountSchema(kind, what === 'credentials'),
    values: opened,
    aliases: ACCOUNT_ALIASES,
    async onSubmit({ settings, credentials }) {
      const before = settingsOf(opened, readDraft(opened, kind, false).read, kind);
      const changes = what === 'credentials' ? { credentials } : onlyChanged(before, settings);
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
          return null;
        case 'invalid':
          return outcome.problems;
        case 'label_taken':
          return [{ field: 'label', message: 'is taken by another account of this merchant' }];
        case 'not_found':
          return 'The account does not exist any more.';
        default:
          return outcome satisfies never;
      }
    },
  });
  return (
    <Form form={form} className="grid gap-4">
      {what === 'credentials' ? (
        <CredentialFields kind={kind} form={form} />
      ) : (
        <AccountFields kind={kind} mode={account.mode} form={form} />
      )}
      {what === 'credentials' && (
        <p className="text-ink-faint text-xs">
          New payments use them at once. The old credentials are overwritten; this cannot be undone.
        </p>
      )}
      <FormActions
        action={what === 'credentials' ? `Replace credentials of ${account.label}` : `Save ${form.entered.label}`}
        disabled={!form.isDirty}
        onCancel={onClose}
      />
    </Form>
  );
}
