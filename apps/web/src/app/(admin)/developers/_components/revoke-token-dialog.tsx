'use client';

import type { ReactNode } from 'react';
import { Button } from '#/components/button/button.tsx';
import { Dialog, DialogActions } from '#/components/dialog/dialog.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import type { Token } from './use-tokens.ts';

/** Confirmation before a token is revoked permanently; its children say what that means. */
export function RevokeTokenDialog({
  token: { name, lastUsedAt },
  revoke,
  isBusy,
  problem,
  onClose,
  children,
}: {
  token: Pick<Token, 'name' | 'lastUsedAt'>;
  /** Rejects where the token was not revoked; `problem` says why. */
  revoke: () => Promise<unknown>;
  isBusy: boolean;
  problem: string | null;
  onClose: () => void;
  children: ReactNode;
}) {
  async function confirm() {
    await revoke();
    onClose();
    showToast({ text: `Token “${name}” was revoked.` });
  }
  return (
    <Dialog title={`Revoke “${name}”?`} onClose={onClose}>
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
      <Refusal message={problem} />
      <DialogActions onCancel={onClose}>
        <Button variant="danger" onClick={() => void confirm().catch(() => undefined)} loading={isBusy}>
          Revoke “{name}”
        </Button>
      </DialogActions>
    </Dialog>
  );
}
