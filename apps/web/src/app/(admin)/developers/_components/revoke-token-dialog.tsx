'use client';

import type { ReactNode } from 'react';
import { Moment } from '#/components/time/moment.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { ConfirmDialog } from '#/forms/confirm-dialog.tsx';
import type { Token } from './use-tokens.ts';

/** Confirmation before a token is revoked permanently; its children say what that means. */
export function RevokeTokenDialog({
  token: { name, lastUsedAt },
  revoke,
  onClose,
  children,
}: {
  token: Pick<Token, 'name' | 'lastUsedAt'>;
  /** Rejects where the token was not revoked. */
  revoke: () => Promise<unknown>;
  onClose: () => void;
  children: ReactNode;
}) {
  async function confirm() {
    await revoke();
    showToast({ text: `Token “${name}” was revoked.` });
    return null;
  }
  return (
    <ConfirmDialog title={`Revoke “${name}”?`} action={`Revoke “${name}”`} variant="danger" onConfirm={confirm} onClose={onClose}>
      <p>{children}</p>
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
