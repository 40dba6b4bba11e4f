/** Texts as one gateway has them, without what differs from payment to payment: what they have in common is not stored with each. */
export interface GatewayTexts {
  /** Its name. */
  readonly gateway: string;
  /** A recorded call that opened a checkout, secrets redacted. */
  readonly call: string;
  /** The body of a webhook about a payment that was paid, as it is stored. */
  readonly webhook: string;
  /** The beginning of the documented `session`, or all of it. */
  readonly session: string;
}
