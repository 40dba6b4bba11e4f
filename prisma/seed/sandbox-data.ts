/** An account of the sandbox, in the format of `PUT /control/<gateway>/keys`: its credentials are beside the other fields. */
export interface SandboxKey {
  readonly gateway: string;
  readonly webhookUrl: string;
  readonly [credential: string]: string;
}

/** Payments that one sandbox account received, in the format of `PUT /control/<gateway>/history`. */
export interface SandboxHistory {
  readonly gateway: string;
  /** What calls of the account present. */
  readonly key: string;
  readonly transactions: readonly SandboxTransaction[];
}

/** One payment that a sandbox account received, with its refunds. */
export interface SandboxTransaction {
  readonly id: number;
  readonly reference: string;
  /** In the gateway's own unit, like refunds. */
  readonly amount: number;
  readonly currency: string;
  readonly email: string;
  readonly channel: 'card' | 'bank_transfer';
  readonly createdAt: Date;
  readonly paidAt: Date;
  readonly refunds: readonly {
    readonly id: number;
    readonly amount: number;
    readonly status: 'processing' | 'processed' | 'failed' | 'needs-attention';
    readonly note: string;
    readonly createdAt: string;
    readonly updatedAt: string;
  }[];
}
