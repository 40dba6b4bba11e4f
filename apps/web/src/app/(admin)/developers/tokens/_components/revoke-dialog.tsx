'use client';

import { useMutation } from '@tanstack/react-query';
import { RevokeTokenDialog } from '#/app/(admin)/developers/_components/revoke-token-dialog.tsx';
import { useTRPC } from '#/trpc/client.tsx';
import type { TokenRow } from './token-row.ts';

/** Confirmation before a token is revoked permanently. */
export function RevokeDialog({ known, onDone, onClose }: { known: TokenRow; onDone: () => void; onClose: () => void }) {
  const trpc = useTRPC();
  const revoke = useMutation(trpc.financeTokens.revoke.mutationOptions({ onSuccess: onDone }));
  return (
    <RevokeTokenDialog token={known} revoke={() => revoke.mutateAsync({ tokenId: known.tokenId })} onClose={onClose}>
      <code>fin_…{known.lastFour}</code> stops working immediately. This cannot be undone; you can create a new one.
    </RevokeTokenDialog>
  );
}
