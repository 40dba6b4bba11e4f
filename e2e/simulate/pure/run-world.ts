import type { DecideInput } from '@switchyard/routing/decide';
import { runHealth } from './health.ts';
import type { Product } from './open-pure.ts';
import { checkDecision } from './oracle/check-decision.ts';
import { checkPayment, checkTable, MOVES } from './oracle/check-payment.ts';
import { checkRefunds, REFUND_MOVES } from './oracle/check-refunds.ts';
import type { PureViolation } from './oracle/violation.ts';
import { runSettlement } from './settlements.ts';
import { Draws, timeAt } from './world/draws.ts';
import { drawHealth, drawMerchant, drawRoutable } from './world/merchant.ts';
import type { PaymentRun } from './world/payment-world.ts';
import { runPayment } from './world/run-payment.ts';
import { drawScript, type PaymentScript } from './world/script.ts';

const MERCHANT_NUMBER = 'M-1';
/** Of so many payments the decision of one is compared with another implementation of the rules. */
const WHOLLY_EVERY = 8;
/** As well as of those whose amount is where the flat part of a fee begins. */
const FEE_EDGE = 2_500n;
/** Worlds in which one has a payout, and an hour of an account's health. */
const PAYOUT_EVERY = 2;
const HEALTH_EVERY = 16;

/** A violation, and the payment that it is about; null where it is about another part of the world. */
export interface Found extends PureViolation {
  readonly index: number | null;
}

export interface WorldResult {
  readonly steps: number;
  readonly found: readonly Found[];
}

/** Merchant of a seed's world. */
export interface World {
  readonly seed: number;
  readonly product: Product;
  readonly merchant: ReturnType<typeof drawMerchant>;
  readonly ruleSet: DecideInput['ruleSet'];
}

/** Draws the merchant of a world. */
export function openWorld(product: Product, seed: number): World {
  const merchant = drawMerchant(new Draws(seed, 0));
  return { seed, product, merchant, ruleSet: product.compileRuleSet(merchant.ruleSet) };
}

/** Draws one payment of a world. */
export function scriptOf({ seed }: World, index: number): PaymentScript {
  const paymentId = `01930000-0000-7000-8000-${(seed * 1_000 + index).toString(16).padStart(12, '0').slice(-12)}`;
  return drawScript(new Draws(seed, 2 * index + 2), index, paymentId);
}

/** Runs one payment, and checks it. `script` may leave out parts of what was drawn. */
export function tryPayment(
  world: World,
  script: PaymentScript,
  records: boolean,
): { readonly run: PaymentRun | null; readonly found: readonly Found[] } {
  const { seed, product, merchant, ruleSet } = world;
  const { index } = script;
  const found: Found[] = [];
  const report = (kind: Found['kind'], what: string): void => {
    found.push({ kind, what, index });
  };
  const draws = new Draws(~seed, index);
  try {
    const input = {
      payment: drawRoutable(draws, script),
      ruleSet,
      accounts: merchant.accounts,
      health: drawHealth(draws, merchant.accounts),
      overrides: merchant.overrides,
      decidedAt: timeAt(0).toISOString(),
    };
    const decision = product.decide(input);
    const isWholly = index % WHOLLY_EVERY === 0 || script.amount === FEE_EDGE;
    checkDecision(product, input, decision, isWholly, report);
    const { refundDuplicates } = merchant;
    const run = runPayment(product, seed, script, decision, { merchantNumber: MERCHANT_NUMBER, refundDuplicates }, records);
    checkPayment(run, refundDuplicates, report);
    checkRefunds(run, report);
    return { run, found };
  } catch (error) {
    report('threw', String(error));
    return { run: null, found };
  }
}

/** Runs the world of a seed, and checks it. */
export function runWorld(product: Product, seed: number, payments: number): WorldResult {
  const world = openWorld(product, seed);
  const found: Found[] = [];
  let steps = 0;
  for (let index = 0; index < payments; index += 1) {
    const tried = tryPayment(world, scriptOf(world, index), false);
    steps += tried.run?.steps ?? 0;
    found.push(...tried.found);
  }
  const report = (kind: Found['kind'], what: string): void => {
    found.push({ kind, what, index: null });
  };
  checkTable(MOVES, product.canTransition, report);
  checkTable(REFUND_MOVES, product.canTransitionRefund, report);
  try {
    if (seed % PAYOUT_EVERY === 0) runSettlement(product, seed, report);
    if (seed % HEALTH_EVERY === 1) runHealth(product, seed, report);
  } catch (error) {
    report('threw', String(error));
  }
  return { steps, found };
}
