import { z } from 'zod';
import { settle } from '../checkout/moves.ts';
import { type Fault, faultSchemaOf } from '../faults/kinds.ts';
import { type Checkout, paidCharge, type Refund } from '../ledger/records.ts';
import { endRefund } from '../refunds.ts';
import { type GatewaySpec, isoTime } from '../simulator.ts';
import type { SimulatorServer } from '../simulator-server.ts';

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
