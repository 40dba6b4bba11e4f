'use client';

import { useMutation } from '@tanstack/react-query';
import { Moment } from '#/components/time/moment.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { ConfirmDialog } from '#/forms/confirm-dialog.tsx';
import { useTRPC } from '#/trpc/client.tsx';
import type { Token } from './use-tokens.ts';

/** Confirmation before a token is revoked permanently. */
export function RevokeDialog({
  token: { tokenId, name, lastFour, staffName, lastUsedAt },
  onDone,
  onClose,
}: {
  token: Token;
  onDone: () => void;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const revoke = useMutation(trpc.machineTokens.revoke.mutationOptions({ onSuccess: onDone }));
  async function confirm() {
    await revoke.mutateAsync({ tokenId });
    showToast({ text: `Token “${name}” was revoked.` });
    return null;
  }
  return (
    <ConfirmDialog title={`Revoke “${name}”?`} action={`Revoke “${name}”`} variant="danger" onConfirm={confirm} onClose={onClose}>
      <p>
        The token of {staffName} that ends in <code>{lastFour}</code> stops working immediately. Drafts that an agent saved with
        it remain. This cannot be undone; you can create a new one.
      </p>
      <p>
        {lastUsedAt === null ? (
          'It has never been used.'
        ) : (
          <>
            It was last used <Moment value={lastUsedAt} />.
          </>
        )}
      </p>
    </ConfirmDialog>
  );
}
