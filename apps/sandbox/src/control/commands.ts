import { z } from 'zod';
import { sendTransfer, settle } from '../checkout/moves.ts';
import { openDispute, reinstate, resolveDispute, reverse } from '../disputes.ts';
import { type Fault, faultSchemaOf } from '../faults/faults.ts';
import { type Checkout, paidCharge, type Refund } from '../ledger/records.ts';
import { endRefund } from '../refunds.ts';
import { type GatewaySpec, isoTime } from '../simulator.ts';
import type { SimulatorServer } from '../simulators.ts';

/** The outcome of a command, which the API and the page present in their own way. */
export type Outcome<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'invalid'; readonly errors: string[] }
  | { readonly kind: 'not_found'; readonly error: string }
  | { readonly kind: 'conflict'; readonly error: string };

/** Each problem as `field rule`. */
export function explainIssues(error: z.ZodError): string[] {
  return error.issues.map((issue) => `${issue.path.length === 0 ? 'body' : issue.path.join('.')} ${issue.message}`);
}

/** Sets the gateway's one fault, in place of any before it; `down` cuts its connections, every other one lets them through. */
export async function setFault(server: SimulatorServer, body: unknown): Promise<Outcome<Fault>> {
  const parsed = faultSchemaOf(server.simulator.spec.faults).safeParse(body, { error: defaultMessages });
  if (!parsed.success) return { kind: 'invalid', errors: explainIssues(parsed.error) };
  const fault = server.simulator.faults.set(parsed.data, isoTime(server.simulator));
  if (fault.kind === 'down') await server.goDown();
  else await server.comeUp();
  return { kind: 'done', value: fault };
}

/** Ends the fault of a gateway and listens again where the fault had closed its port. */
export async function clearFault(server: SimulatorServer): Promise<void> {
  server.simulator.faults.clear();
  await server.comeUp();
}

/** Registers a merchant's account with where its webhooks go, as the gateway's dashboard would. */
export function registerAccount(server: SimulatorServer, body: unknown): Outcome<ReturnType<SimulatorServer['register']>> {
  const settings = accountSchema.safeParse(body, { error: defaultMessages });
  const credentials = credentialsSchemaOf(server.simulator.spec).safeParse(body, { error: defaultMessages });
  if (settings.success && credentials.success) {
    return { kind: 'done', value: server.register({ ...settings.data, credentials: credentials.data }) };
  }
  const errors = [credentials, settings].flatMap(({ error }) => (error === undefined ? [] : explainIssues(error)));
  return { kind: 'invalid', errors: [...new Set(errors)] };
}

const accountSchema = z.object({
  webhookUrl: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).nullish(),
  refundWebhooks: z.boolean({ error: 'must be true or false' }).optional(),
});

/** The fields that an account at a gateway has beside those that all have. */
function credentialsSchemaOf({ accountFields, keyField }: GatewaySpec) {
  const fields = Object.entries(accountFields).map(([name, { pattern, rule, optional }]) => {
    const text = z.string({ error: rule }).regex(pattern, { error: rule });
    const schema: z.ZodType<string | null | undefined> = name === keyField ? text : optional ? text.nullish() : text.optional();
    return [name, schema] as const;
  });
  return z.object(Object.fromEntries(fields));
}

/** Acts as the customer. Of several checkouts under one reference it takes the newest unpaid one. */
export async function settleTransaction(server: SimulatorServer, reference: string, body: unknown): Promise<Outcome<Checkout>> {
  const { simulator } = server;
  const schema = z.object({
    outcome: z.enum(['success', 'failed', 'abandoned'], { error: 'must be one of success, failed, abandoned' }),
    amount: z
      .number({ error: `must be a number, in ${simulator.spec.unit}` })
      .positive({ error: 'must be above 0' })
      .refine((amount) => Number(amount.toFixed(simulator.spec.decimals)) === amount, {
        error: simulator.spec.decimals === 0 ? 'must be a whole number' : 'must have at most two decimals',
      })
      .optional(),
    account: z.string().optional(),
  });
  const parsed = schema.safeParse(body, { error: defaultMessages });
  if (!parsed.success) return { kind: 'invalid', errors: explainIssues(parsed.error) };
  const candidates = checkoutsUnder(server, reference).filter(
    (checkout) => parsed.data.account === undefined || checkout.accountId === parsed.data.account,
  );
  const checkout = candidates.findLast((candidate) => paidCharge(candidate) === null) ?? candidates.at(-1);
  if (checkout === undefined) return { kind: 'not_found', error: `No transaction has the reference ${reference}` };
  const move = await settle(simulator, checkout, parsed.data.outcome, parsed.data.amount ?? null);
  if (move.kind === 'refused') return { kind: 'conflict', error: Object.values(move.errors).join(' ') };
  return { kind: 'done', value: checkout };
}

/** Sends a customer's transfer, in time or late, of any amount, and once more after it was paid. `returned` says what the gateway does not take. */
export async function transferTo(
  server: SimulatorServer,
  reference: string,
  body: unknown,
): Promise<Outcome<{ readonly checkout: Checkout; readonly returned: string | null }>> {
  const { simulator } = server;
  const amount = z.number({ error: `must be a number, in ${simulator.spec.unit}` }).positive({ error: 'must be above 0' });
  const schema = z.object({ amount });
  const parsed = schema.safeParse(body, { error: defaultMessages });
  if (!parsed.success) return { kind: 'invalid', errors: explainIssues(parsed.error) };
  const checkout = checkoutsUnder(server, reference).at(-1);
  if (checkout === undefined) return { kind: 'not_found', error: `No transaction has the reference ${reference}` };
  const move = await sendTransfer(simulator, checkout, parsed.data.amount, '127.0.0.1');
  return { kind: 'done', value: { checkout, returned: move.kind === 'refused' ? Object.values(move.errors).join(' ') : null } };
}

/** Takes the money of a paid transaction back, or gives it back, as only the gateway can. */
export function reverseTransaction(server: SimulatorServer, reference: string, body: unknown): Outcome<Checkout> {
  const { simulator } = server;
  const schema = z.object({
    amount: z
      .number({ error: `must be a number, in ${simulator.spec.unit}` })
      .positive({ error: 'must be above 0' })
      .optional(),
    undo: z.boolean({ error: 'must be true or false' }).default(false),
  });
  const parsed = schema.safeParse(body, { error: defaultMessages });
  if (!parsed.success) return { kind: 'invalid', errors: explainIssues(parsed.error) };
  const checkout = checkoutsUnder(server, reference).findLast((one) => paidCharge(one) !== null);
  if (checkout === undefined) return { kind: 'not_found', error: `No paid transaction has the reference ${reference}` };
  if (!simulator.spec.reverses) return { kind: 'conflict', error: `${simulator.spec.title} documents no reversed transactions` };
  if (parsed.data.undo) reinstate(simulator, checkout);
  else if (!reverse(simulator, checkout, parsed.data.amount ?? null))
    return { kind: 'conflict', error: 'Not so much is left of it' };
  return { kind: 'done', value: checkout };
}

const resolutions = ['merchant-accepted', 'auto-accepted', 'declined'] as const;

/** Opens a dispute of a paid transaction or, with `resolution`, resolves the open one. */
export function disputeTransaction(server: SimulatorServer, reference: string, body: unknown): Outcome<Checkout> {
  const { simulator } = server;
  const schema = z.object({
    amount: z
      .number({ error: `must be a number, in ${simulator.spec.unit}` })
      .positive({ error: 'must be above 0' })
      .optional(),
    category: z.string().max(40).default('chargeback'),
    /** When it has to be answered; one that is past is lost as soon as it is looked at. */
    dueAt: z.iso.datetime({ error: 'must be a time in UTC' }).optional(),
    /** Does nothing where the transaction has had a dispute. */
    once: z.boolean().default(false),
    resolution: z.enum(resolutions, { error: `must be one of ${resolutions.join(', ')}` }).optional(),
  });
  const parsed = schema.safeParse(body, { error: defaultMessages });
  if (!parsed.success) return { kind: 'invalid', errors: explainIssues(parsed.error) };
  const { amount = null, category, dueAt = null, once, resolution } = parsed.data;
  const checkout = checkoutsUnder(server, reference).findLast((one) => paidCharge(one) !== null);
  const charge = checkout === undefined ? null : paidCharge(checkout);
  if (checkout === undefined || charge === null) {
    return { kind: 'not_found', error: `No paid transaction has the reference ${reference}` };
  }
  if (simulator.spec.disputeEvent === undefined)
    return { kind: 'conflict', error: `${simulator.spec.title} documents no disputes` };
  if (once && checkout.disputes.some((dispute) => resolution === undefined || dispute.resolution !== null)) {
    return { kind: 'done', value: checkout };
  }
  const open = checkout.disputes.find((dispute) => dispute.resolution === null);
  if (resolution === undefined) {
    if (open !== undefined) return { kind: 'conflict', error: 'A dispute of it is open' };
    openDispute(simulator, checkout, { amount: amount ?? charge.amount, category, dueAt });
  } else {
    if (open === undefined) return { kind: 'conflict', error: 'No dispute of it is open' };
    resolveDispute(simulator, checkout, open, { resolution, amount });
  }
  return { kind: 'done', value: checkout };
}

/** Every checkout with a reference, whichever account opened it, oldest first. */
export function checkoutsUnder(server: SimulatorServer, reference: string): Checkout[] {
  const { ledger } = server.simulator;
  return ledger
    .accounts()
    .flatMap((account) => ledger.checkoutsByReference(account.id, reference))
    .sort((one, other) => one.id - other.id);
}

/** Ends a refund at once, without its delay. */
export function settleRefund(server: SimulatorServer, id: string, body: unknown): Outcome<Refund> {
  const schema = z.object({
    outcome: z.enum(['processed', 'failed', 'needs-attention'], { error: 'must be one of processed, failed, needs-attention' }),
  });
  const parsed = schema.safeParse(body, { error: defaultMessages });
  if (!parsed.success) return { kind: 'invalid', errors: explainIssues(parsed.error) };
  const refund = /^\d{1,16}$/.test(id) ? server.simulator.ledger.refund(Number(id)) : null;
  if (refund === null) return { kind: 'not_found', error: `No refund has the id ${id}` };
  if (refund.status === 'processed' || refund.status === 'failed') {
    return { kind: 'conflict', error: `This refund has already ended as ${refund.status}` };
  }
  endRefund(server.simulator, refund, parsed.data.outcome);
  return { kind: 'done', value: refund };
}

/** The message for a body that is not an object. */
export const defaultMessages: z.core.$ZodErrorMap = (issue) => {
  if (issue.path?.length === 0 || issue.path === undefined) return 'must be a JSON object';
  return undefined;
};
