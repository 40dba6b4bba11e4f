/* The parts of packages without types that the tests use. */

declare module 'paystack-node' {
  export default class Paystack {
    constructor(apiKey: string, environment?: string);
    mergeNewOptions(options: { readonly baseUrl: string }): void;
    initializeTransaction(fields: object): Promise<{ readonly body: unknown }>;
    verifyTransaction(fields: { readonly reference: string }): Promise<{ readonly body: unknown }>;
    createRefund(fields: object): Promise<{ readonly body: unknown }>;
  }
}

declare module 'paystack-api' {
  interface Paystack {
    endpoint: string;
    readonly transaction: {
      initialize(fields: object): Promise<unknown>;
      verify(fields: { reference: string }): Promise<unknown>;
    };
    readonly refund: { create(fields: object): Promise<unknown>; get(fields: { trans_id: number }): Promise<unknown> };
    readonly Events: {
      middleware(request: object, response: { sendStatus(status: number): void }): void;
      on(event: string, listener: (data: unknown) => void): void;
    };
  }
  export default function open(key: string): Paystack;
}

declare module 'flutterwave-node-v3' {
  export default class Flutterwave {
    constructor(publicKey: string, secretKey: string, baseUrl: string);
    readonly Transaction: {
      verify(fields: { id: number }): Promise<unknown>;
      verify_by_tx(fields: { tx_ref: string }): Promise<unknown>;
      refund(fields: { id: string; amount: number }): Promise<unknown>;
    };
  }
}
