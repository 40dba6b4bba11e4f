/* The parts of packages without types, or without those of their calls, that the tests use. */

declare module 'paystack' {
  interface Paystack {
    readonly transaction: {
      initialize(fields: object): Promise<unknown>;
      verify(reference: string): Promise<unknown>;
      get(id: number): Promise<unknown>;
      list(query: object): Promise<unknown>;
      totals(): Promise<unknown>;
    };
  }
  export default function open(key: string): Paystack;
}

declare module 'paystack-node' {
  type Answered = Promise<{ readonly body: unknown }>;
  export default class Paystack {
    constructor(apiKey: string, environment?: string);
    mergeNewOptions(options: { readonly baseUrl: string }): void;
    initializeTransaction(fields: object): Answered;
    verifyTransaction(fields: { readonly reference: string }): Answered;
    getTransaction(fields: { readonly id: string }): Answered;
    listTransaction(query: object): Answered;
    transactionTotals(query: object): Answered;
    createRefund(fields: object): Answered;
    getRefund(fields: { readonly reference: string }): Answered;
    listRefund(query: { readonly reference: string }): Answered;
  }
}

declare module 'paystack-api' {
  interface Paystack {
    endpoint: string;
    readonly transaction: {
      initialize(fields: object): Promise<unknown>;
      verify(fields: { reference: string }): Promise<unknown>;
      get(fields: { id: number }): Promise<unknown>;
      list(query: object): Promise<unknown>;
      totals(): Promise<unknown>;
    };
    readonly refund: {
      create(fields: object): Promise<unknown>;
      get(fields: { trans_id: number }): Promise<unknown>;
      list(query: { reference: string }): Promise<unknown>;
    };
    readonly Events: {
      middleware(request: object, response: { sendStatus(status: number): void }): void;
      on(event: string, listener: (data: unknown) => void): void;
    };
  }
  export default function open(key: string): Paystack;
}

declare module 'paystack-sdk' {
  export default class Paystack {
    constructor(key: string);
    readonly transaction: {
      initialize(fields: object): Promise<unknown>;
      verify(reference: string): Promise<unknown>;
      fetch(id: string): Promise<unknown>;
      list(query: object): Promise<unknown>;
      total(query: object): Promise<unknown>;
    };
    readonly refund: {
      create(fields: object): Promise<unknown>;
      fetch(id: string): Promise<unknown>;
      list(query: object): Promise<unknown>;
    };
  }
}

declare module 'flutterwave-node-v3' {
  export default class Flutterwave {
    constructor(publicKey: string, secretKey: string, baseUrl: string);
    readonly Transaction: {
      verify(fields: { id: number }): Promise<unknown>;
      verify_by_tx(fields: { tx_ref: string }): Promise<unknown>;
      refund(fields: { id: string; amount: number }): Promise<unknown>;
      fetch(query: object): Promise<unknown>;
    };
  }
}
