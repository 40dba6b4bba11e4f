import Link from 'next/link';
import { EmptyState } from '#/components/empty-state/empty-state.tsx';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useCan } from '#/trpc/use-can.ts';

/** Shown without accounts: what will appear here, and how to connect one. */
export function NoAccounts() {
  const scope = useScope();
  const can = useCan();
  return (
    <EmptyState
      title={`No ${scope.mode} accounts to watch yet`}
      example="For example: “Down since 14:02: 18 of 22 checkouts timed out in 5 min (Paystack, card).”"
      action={
        can('gateway:configure') ? (
          <Link href={hrefIn(scope, '/gateways', { do: 'connect' })}>Connect an account</Link>
        ) : (
          <p>Only operators and owners can connect one.</p>
        )
      }
    >
      Every checkout is counted here by account and method. An account that fails is tried last within seconds, and gets its place
      back once single payments have proved that it works again.
    </EmptyState>
  );
}
