import { type GatewayName, simulators, type TestCard } from '@switchyard/sandbox';

/** The test cards of a gateway by what becomes of a payment with them. */
export interface TestCards {
  /** Succeeds at once. */
  readonly plain: TestCard;
  /** Succeeds after a PIN and a one-time code. */
  readonly pinAndOtp: TestCard;
  /** Succeeds once it is approved at the bank. */
  readonly bank: TestCard;
  /** Is declined at once. */
  readonly declined: TestCard;
}

/** The first card of each kind; throws when the gateway's simulator has none. */
export function cardsOf(gateway: GatewayName): TestCards {
  const cardWith = (outcome: TestCard['outcome'], ...steps: TestCard['steps']): TestCard => {
    const card = simulators[gateway].cards.find(
      (each) => each.outcome === outcome && each.steps.join(' ') === steps.join(' ') && each.refund === 'processed',
    );
    if (card === undefined)
      throw new Error(`${gateway} has no test card with ${outcome} after ${steps.join(' and ') || 'no step'}`);
    return card;
  };
  return {
    plain: cardWith('success'),
    pinAndOtp: cardWith('success', 'pin', 'otp'),
    bank: cardWith('success', 'bank'),
    declined: cardWith('failed'),
  };
}
