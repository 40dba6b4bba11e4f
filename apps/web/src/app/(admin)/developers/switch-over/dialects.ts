/** The changes in a merchant's code to talk to Switchyard in a gateway's form. */
export interface DialectGuide {
  readonly title: string;
  readonly oldBase: string;
  /** After our own address. */
  readonly newPath: string;
  readonly oldKey: string;
  readonly signature: string;
  /** The same call, to either base address. */
  readonly snippet: (base: string, key: string) => string;
}

/** The gateways whose code can be switched over. */
export const DIALECT_NAMES = ['paystack', 'flutterwave'] as const;

/** The name of one. */
export type DialectName = (typeof DIALECT_NAMES)[number];

/** How each is switched over. */
export const GUIDES: Readonly<Record<DialectName, DialectGuide>> = {
  paystack: {
    title: 'Paystack',
    oldBase: 'https://api.paystack.co',
    newPath: '/compat/paystack',
    oldKey: 'sk_live_…',
    signature: 'x-paystack-signature',
    snippet: (base, key) => `PAYSTACK_BASE=${base}
PAYSTACK_SECRET_KEY=${key}

curl "$PAYSTACK_BASE/transaction/initialize" \\
  -H "Authorization: Bearer $PAYSTACK_SECRET_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"email": "ada@example.com", "amount": "250000"}'`,
  },
  flutterwave: {
    title: 'Flutterwave',
    oldBase: 'https://api.flutterwave.com',
    newPath: '/compat/flutterwave',
    oldKey: 'FLWSECK-…-X',
    signature: 'verif-hash',
    snippet: (base, key) => `FLW_BASE=${base}
FLW_SECRET_KEY=${key}

curl "$FLW_BASE/v3/payments" \\
  -H "Authorization: Bearer $FLW_SECRET_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"tx_ref": "order-1001", "amount": 2500, "currency": "NGN",
       "redirect_url": "https://shop.example/done",
       "customer": {"email": "ada@example.com"}}'`,
  },
};
