import { randomInt } from 'node:crypto';
import type { JsonValue } from '@switchyard/db';
import type { Merchant } from '@switchyard/db/client';
import { type FieldProblem, fieldProblems, readRevision, recordChange } from '@switchyard/runtime';
import type { MerchantsContext } from '../context.ts';
import { newMerchantSchema } from './merchant-fields.ts';
import { findMerchantByNumber, insertMerchant } from './queries.ts';

/** Asks to create a merchant. */
export interface CreateMerchantCommand {
  readonly name: string;
  /** `M-` and 6 to 10 digits; left out, one is chosen. Merchants see it in every event record. */
  readonly merchantNumber?: string;
  /** Where customers are redirected after payment unless the payment has a redirect URL of its own. */
  readonly defaultRedirectUrl?: string | null;
  /** How long a checkout session stays open, 5 to 1440; 60 when left out. */
  readonly sessionMinutes?: number;
  /** True if duplicate charges are refunded automatically. */
  readonly refundDuplicates?: boolean;
  readonly actor: string;
}

/** Result of creating a merchant, or the reason why it was refused. */
export type CreateMerchantOutcome =
  | { readonly kind: 'created'; readonly merchant: Merchant }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  | { readonly kind: 'number_taken' };

const NUMBER_TRIES = 5;

/** Creates a merchant without keys, accounts or rules. */
export async function createMerchant(context: MerchantsContext, command: CreateMerchantCommand): Promise<CreateMerchantOutcome> {
  const parsed = newMerchantSchema.safeParse(command);
  if (!parsed.success) return { kind: 'invalid', problems: fieldProblems(parsed.error) };
  const { merchantNumber: wanted, ...fields } = parsed.data;
  const merchantNumber = wanted ?? (await freeNumber(context));
  const merchantId = context.newId();
  const created = await context.resources.database.prisma.$transaction(async (transaction) => {
    if ((await findMerchantByNumber(transaction, merchantNumber)) !== null) return null;
    const now = context.now();
    const merchant = await insertMerchant(transaction, {
      id: merchantId,
      merchantNumber,
      ...fields,
      rulesNeedApproval: false,
      approvalWaiverBy: null,
      approvalWaiverAt: null,
      agentsMayWriteLive: false,
      createdAt: now,
      updatedAt: now,
    });
    const after = merchantForAudit(merchant);
    const audit = { action: 'merchant.created', objectType: 'merchant', objectId: merchantId, before: null, after };
    const revision = await recordChange(context, transaction, { merchantId, actor: command.actor }, audit, now);
    return { merchant, revision };
  });
  if (created === null) return { kind: 'number_taken' };
  await readRevision(context.resources.configuration, merchantId, created.revision);
  return { kind: 'created', merchant: created.merchant };
}

async function freeNumber(context: MerchantsContext): Promise<string> {
  for (let tries = 0; tries < NUMBER_TRIES; tries++) {
    const number = `M-${randomInt(10_000_000, 100_000_000)}`;
    if ((await findMerchantByNumber(context.resources.database.prisma, number)) === null) return number;
  }
  throw new Error('no free merchant number was found');
}

/** A merchant as the audit log records it. */
export function merchantForAudit(merchant: Merchant): JsonValue {
  const { merchantNumber, name, defaultRedirectUrl, sessionMinutes, refundDuplicates, rulesNeedApproval, agentsMayWriteLive } =
    merchant;
  return {
    merchantNumber,
    name,
    defaultRedirectUrl,
    sessionMinutes,
    refundDuplicates,
    rulesNeedApproval,
    agentsMayWriteLive,
  };
}
