/** An amount on a bank account, as a statement has it. */
export interface StatementLine {
  readonly bankAccount: string;
  /** `YYYY-MM-DD`. */
  readonly bookedOn: string;
  /** Exact decimal of the main unit, negative where it left the account. */
  readonly amount: string;
  readonly currency: string;
  /** Everything that the bank says of it. */
  readonly text: string;
}
