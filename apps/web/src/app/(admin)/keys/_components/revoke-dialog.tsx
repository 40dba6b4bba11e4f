'use client';

import { useMutation } from '@tanstack/react-query';
import { Button } from '#/components/button/button.tsx';
import { Dialog, DialogActions } from '#/components/dialog/dialog.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { describeUse } from './describe-use.ts';
import type { KeyRow } from './key-row.ts';
import { shortKey } from './keys-table.tsx';

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
    onClose();
    showToast({ text: `Key “${known.name}” was revoked.` });
  }

  const rest =
    others === 0
      ? `${merchantName} has no other ${known.mode} key: its servers could start no payments at all.`
      : `${others} other ${known.mode} ${others === 1 ? 'key goes' : 'keys go'} on working.`;
  return (
    <Dialog title={`Revoke “${known.name}”?`} onClose={onClose}>
      <p>
        <span className="text-ink-quiet font-mono text-xs">{shortKey(known)}</span> is refused everywhere within about a second.
        This cannot be undone; you can create a new one.
      </p>
      <p className="py-2.5 px-3 border-l-3 border-wait bg-wait-soft text-sm">
        {describeUse(known)} {rest}
      </p>
      <Refusal message={revoke.error?.message ?? null} />
      <DialogActions onCancel={onClose}>
        <Button variant="danger" onClick={() => void confirm().catch(() => undefined)} loading={revoke.isPending}>
          Revoke “{known.name}”
        </Button>
      </DialogActions>
    </Dialog>
  );
}
