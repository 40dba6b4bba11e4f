'use client';

import { Button } from '@mantine/core';
import { CopyButton } from '../../../../components/copyable.tsx';
import { useScope } from '../../../../scope/use-scope.ts';
import classes from './no-payments.module.css';

/** Nothing has been paid here yet: what a payment is begun with, ready to paste. */
export function NoPayments({ publicUrl }: { publicUrl: string }) {
  const { mode } = useScope();
  const command = firstPayment(publicUrl, mode);
  return (
    <div className={classes.empty}>
      <h2 className={classes.title}>{mode === 'live' ? 'No live payments yet' : 'No test payments yet'}</h2>
      <p className={classes.lead}>
        A merchant's server begins a payment with one call. Paste this into a terminal with one of the merchant's {mode} keys; the
        payment appears here at once.
      </p>
      <div className={classes.example}>
        <div className={classes.copy}>
          <CopyButton text={command} label="the command" />
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, and the keyboard has to reach that. */}
        <pre tabIndex={0}>{command}</pre>
      </div>
    </div>
  );
}

/** The filters leave nothing over. */
export function NothingFound({ onClear }: { onClear: () => void }) {
  return (
    <div className={classes.empty}>
      <h2 className={classes.title}>No payment fits these filters</h2>
      <p className={classes.lead}>Search finds a payment's id, the beginning of an order id, or a gateway reference.</p>
      <Button variant="default" onClick={onClear}>
        Clear the filters
      </Button>
    </div>
  );
}

function firstPayment(publicUrl: string, mode: 'test' | 'live'): string {
  return `curl ${publicUrl}/v1/payments/initiate \\
  -H "Authorization: Bearer sk_${mode}_…" \\
  -H "Content-Type: application/json" \\
  -d '{
    "merchantOrderId": "order-1001",
    "amount": 2500,
    "currency": "NGN",
    "paymentMethod": "card",
    "customer": { "email": "ada@example.com" },
    "redirectUrl": "https://shop.example.com/thank-you"
  }'`;
}
