import Link from 'next/link';
import { hrefIn } from '../../../../scope/scope.ts';
import { useScope } from '../../../../scope/use-scope.ts';
import { useMay } from '../../../../trpc/use-may.ts';
import classes from './no-accounts.module.css';

/** No account is connected yet: what will be here, and what brings it. */
export function NoAccounts() {
  const scope = useScope();
  const may = useMay();
  return (
    <div className={classes.empty}>
      <h2 className={classes.title}>No {scope.mode} accounts to watch yet</h2>
      <p className={classes.lead}>
        Every call to a gateway is counted here by account and method. An account that fails is taken out of routing within
        seconds, and brought back step by step once it answers again.
      </p>
      <p className={classes.example}>For example: “Down since 14:02: 18 of 22 checkouts timed out in 5 min (Paystack, card).”</p>
      {may('gateway:configure') ? (
        <Link href={hrefIn(scope, '/gateways', { do: 'connect' })}>Connect an account</Link>
      ) : (
        <p className={classes.lead}>Connecting one takes an operator or an owner.</p>
      )}
    </div>
  );
}
