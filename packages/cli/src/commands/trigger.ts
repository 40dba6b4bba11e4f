import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Switchyard, SwitchyardApiError, type TestEventParameters, type WebhookEvent } from '@switchyard/client';
import { Argument, type Command } from 'commander';
import { json, printable, type Surroundings, UsageError } from '../print.ts';
import { openClient } from './payments.ts';

type Type = TestEventParameters['type'];

const TYPES = [
  'payment.succeeded',
  'payment.failed',
  'payment.refunded',
  'refund.succeeded',
  'refund.failed',
  'payment.requires_review',
  'payment.duplicate_charge',
  'payment.repeated',
  'payment.reversed',
  'payment.reinstated',
] as const satisfies readonly Type[];

/** Types that a payment of the sandbox comes to by a card and, where it says so, by a refund of the whole. */
const RECIPES: Partial<Record<Type, { readonly isCard: (card: SandboxCard) => boolean; readonly refunds: boolean }>> = {
  'payment.succeeded': { isCard: ({ outcome }) => outcome === 'success', refunds: false },
  'payment.refunded': { isCard: isRefundable, refunds: true },
  'refund.succeeded': { isCard: isRefundable, refunds: true },
  'refund.failed': { isCard: ({ outcome, refund }) => outcome === 'success' && refund === 'failed', refunds: true },
};
const AMOUNT_NAIRA = 2_500;
const EVENT_WAIT_MS = 60_000;
const EVENT_INTERVAL_MS = 500;

/** `switchyard trigger` */
export function addTrigger(program: Command, surroundings: Surroundings): void {
  program
    .command('trigger')
    .description(
      'in test mode, send the newest event of a type again, to your endpoints and to `switchyard listen`; makes a payment of the sandbox for it where there is none',
    )
    .addArgument(new Argument('<type>', 'type of the event').choices(TYPES))
    .option('--json', 'for programs: the event record')
    .action(async (type: Type, options: { json?: true }) => {
      const { event, made } = await sendOrMake(openClient(surroundings), type);
      const done = made ? 'Made a payment for' : 'Sent';
      surroundings.out(
        options.json
          ? json(event)
          : `${done} ${type}, event ${event.id}, order ${printable(event.data.merchantOrderId)}, payment ${event.data.paymentId}\n`,
      );
    });
}

async function sendOrMake(client: Switchyard, type: Type): Promise<{ readonly event: WebhookEvent; readonly made: boolean }> {
  try {
    return { event: await client.events.sendTest({ type }), made: false };
  } catch (error) {
    const recipe = RECIPES[type];
    if (recipe === undefined || !isOfNoPayment(error)) throw error;
    const { paymentId, recommendedGateway } = await client.payments.initiate({
      merchantOrderId: `trigger-${randomUUID()}`,
      amount: AMOUNT_NAIRA,
      currency: 'NGN',
      customer: { email: 'trigger@example.com' },
    });
    if (recommendedGateway.session === null) throw error;
    const { redirectUrl } = recommendedGateway.session;
    if (!(await payInSandbox(redirectUrl, recipe.isCard))) {
      throw new UsageError(`No payment has had ${type} yet. Pay one at ${redirectUrl}, and run this again.`);
    }
    await client.payments.verify(paymentId);
    if (recipe.refunds) await client.refunds.create(paymentId, { full: true });
    return { event: await waitForEvent(client, paymentId, type), made: true };
  }
}

/** True for the refusal that no payment of test mode has had an event of the type. */
function isOfNoPayment(error: unknown): boolean {
  if (!(error instanceof SwitchyardApiError) || error.statusCode !== 400) return false;
  return error.errors.some(({ field, rule }) => field === 'type' && rule.startsWith('has had no event yet'));
}

/** A refund takes its gateway a while. */
async function waitForEvent(client: Switchyard, paymentId: string, type: Type): Promise<WebhookEvent> {
  const deadline = performance.now() + EVENT_WAIT_MS;
  for (;;) {
    const { events } = await client.events.listPage({ paymentId, type });
    const [event] = events;
    if (event !== undefined) return event;
    if (performance.now() > deadline) {
      throw new UsageError(`Payment ${paymentId} has not had ${type} yet. Run this again when it has.`);
    }
    await pause(EVENT_INTERVAL_MS);
  }
}

function isRefundable({ outcome, refund }: SandboxCard): boolean {
  return outcome === 'success' && refund === 'processed';
}

/** A test card, as a checkout of the sandbox offers it to programs. */
interface SandboxCard {
  readonly number: string;
  readonly expiry: string;
  readonly cvv: string | null;
  /** Questions after the card. */
  readonly steps: readonly string[];
  readonly outcome: string;
  readonly refund: string;
}

const TIMEOUT_MS = 15_000;
const ANY_CVV = '123';
const SEE_OTHER = 303;

/**
 * Pays at a checkout of the sandbox as a customer would, with the first of its cards that is `wanted` and asks nothing more. False where
 * the page is not the sandbox's, or has no such card.
 */
async function payInSandbox(checkoutUrl: string, wanted: (card: SandboxCard) => boolean): Promise<boolean> {
  const options = { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) } as const;
  const page = await fetch(checkoutUrl, { ...options, headers: { accept: 'application/json' } });
  const card = readCards(await page.text()).find((each) => each.steps.length === 0 && wanted(each));
  if (card === undefined) return false;
  const { number, expiry, cvv } = card;
  const body = new URLSearchParams({ number, expiry, cvv: cvv ?? ANY_CVV });
  const answer = await fetch(`${checkoutUrl}/card`, { ...options, method: 'POST', body });
  await answer.body?.cancel();
  return answer.status === SEE_OTHER;
}

/** None for a page of a gateway, which is not the sandbox's JSON. */
function readCards(text: string): readonly SandboxCard[] {
  try {
    const page: { sandboxCards?: readonly SandboxCard[] } | null = JSON.parse(text);
    return page?.sandboxCards ?? [];
  } catch {
    return [];
  }
}
