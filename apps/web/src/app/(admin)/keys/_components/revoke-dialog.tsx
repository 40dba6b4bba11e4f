'use client';

import { useMutation } from '@tanstack/react-query';
import { showToast } from '#/components/toasts/toast-store.ts';
import { ConfirmDialog } from '#/forms/confirm-dialog.tsx';
import { useTRPC } from '#/trpc/client.tsx';
import { KeyUse } from './key-use.tsx';
import { type KeyRow, shortKey } from './keys-table.tsx';

/** Confirmation before a key is revoked permanently, with its recent use. */
export function RevokeDialog({
  known,
  others,
  merchantName,
  onDone,
  onClose,
}: {
  known: KeyRow;
  /** Other active keys of the merchant and mode. */
  others: number;
  merchantName: string;
  onDone: () => void;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const revoke = useMutation(trpc.keys.revoke.mutationOptions());

  async function confirm() {
    await revoke.mutateAsync({ merchantId: known.merchantId, keyId: known.keyId });
    onDone();
    showToast({ text: `Key “${known.name}” was revoked.` });
    return null;
  }

  const rest =
    others === 0
      ? `${merchantName} has no other ${known.mode} key: its servers could start no payments at all.`
      : `${others} other ${known.mode} ${others === 1 ? 'key goes' : 'keys go'} on working.`;
  return (
    <ConfirmDialog
      title={`Revoke “${known.name}”?`}
      action={`Revoke “${known.name}”`}
      variant="danger"
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>
        <span className="text-ink-quiet font-mono text-xs">{shortKey(known)}</span> is refused everywhere within about a second.
        This cannot be undone; you can create a new one.
      </p>
      <p className="py-2.5 px-3 border-l-3 border-wait bg-wait-soft text-sm">
        <KeyUse of={known} /> {rest}
      </p>
    </ConfirmDialog>
  );
}
