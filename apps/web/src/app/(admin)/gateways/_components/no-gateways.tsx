'use client';

import { Button } from '#/components/button/button.tsx';
import { EmptyState } from '#/components/empty-state/empty-state.tsx';
import { useScope } from '#/scope/use-scope.ts';

/** Shown without accounts: what an account is and what is needed. */
export function NoGateways({ mayConnect, onConnect }: { mayConnect: boolean; onConnect: () => void }) {
  const { mode } = useScope();
  return (
    <EmptyState
      title={`No ${mode} accounts yet`}
      example="For example: paystack-main, card and transfer, 1.5% + 100 capped at 2,000."
      action={
        mayConnect && (
          <Button variant="accent" onClick={onConnect}>
            Connect an account
          </Button>
        )
      }
    >
      An account is the merchant's own at a payment gateway. With two of them, payments continue when one gateway is down. To
      connect one, enter its secret key from the gateway's dashboard here, and our webhook address there.
    </EmptyState>
  );
}
