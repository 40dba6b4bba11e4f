/** What the sandbox has to be told, as `PUT /control/<path>`. */
export interface SandboxRequest {
  readonly path: string;
  readonly body: object;
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
