/** An account of a merchant. */
export interface AccountKey {
  readonly merchantId: string;
  readonly accountId: string;
}
