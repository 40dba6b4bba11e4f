import { randomInt } from 'node:crypto';
import type { JsonValue } from '@switchyard/db';
import type { Merchant } from '@switchyard/db/client';
import { changeConfiguration, type FieldProblem, fieldProblems, readRevision, recordChange } from '@switchyard/runtime';
import { z } from 'zod';
import type { MerchantsContext } from '../context.ts';
import { merchantSettings } from '../entered-fields.ts';
import { findMerchantByNumber, findMerchantRow, insertMerchant, listMerchantRows, updateMerchantRow } from './queries.ts';

/** Asks to create a merchant. */
interface CreateMerchantCommand {
  readonly name: string;
  /** `M-` and 6 to 10 digits; left out, one is chosen. Merchants see it in every event record. */
  readonly merchantNumber?: string;
  /** Where customers are redirected after payment unless the payment has a redirect URL of its own. */
  readonly defaultRedirectUrl?: string | null;
  /** How long a checkout session stays open, 5 to 1440; 60 when left out. */
  readonly sessionMinutes?: number;
  /** IANA time zone in which rules compare hours and weekdays; Africa/Lagos when left out. */
  readonly timeZone?: string;
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
      holdoutPercent: 0,
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
function merchantForAudit(merchant: Merchant): JsonValue {
  const { merchantNumber, name, defaultRedirectUrl, sessionMinutes, timeZone, refundDuplicates } = merchant;
  const { rulesNeedApproval, holdoutPercent, agentsMayWriteLive } = merchant;
  return {
    merchantNumber,
    name,
    defaultRedirectUrl,
    sessionMinutes,
    timeZone,
    refundDuplicates,
    rulesNeedApproval,
    holdoutPercent,
    agentsMayWriteLive,
  };
}

const PAGE_MAX = 100;

/** One merchant, or null; also for text that is not an id. */
export async function findMerchant(context: MerchantsContext, merchantId: string): Promise<Merchant | null> {
  return findMerchantRow(context.resources.database.prisma, merchantId);
}

/** A search of merchants and the page of its result. */
interface ListMerchantsQuery {
  /** Part of a name or number, in either case. */
  readonly search?: string;
  /** The last merchant of the page before. */
  readonly afterId?: string;
  /** At most 100. */
  readonly limit: number;
}

/** A page of merchants, oldest first. */
export async function listMerchants(context: MerchantsContext, query: ListMerchantsQuery): Promise<Merchant[]> {
  const limit = Math.min(Math.max(1, query.limit), PAGE_MAX);
  return listMerchantRows(context.resources.database, { ...query, limit });
}

/** Asks to change a merchant's profile. */
interface UpdateMerchantCommand {
  readonly merchantId: string;
  /** Omitted fields stay unchanged. */
  readonly changes: Partial<
    Pick<
      Merchant,
      'name' | 'defaultRedirectUrl' | 'sessionMinutes' | 'timeZone' | 'refundDuplicates' | 'holdoutPercent' | 'agentsMayWriteLive'
    >
  >;
  readonly actor: string;
}

/** Result of changing a merchant, or the reason why it was refused. */
export type UpdateMerchantOutcome =
  | { readonly kind: 'updated'; readonly merchant: Merchant }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  | { readonly kind: 'not_found' };

/** Changes a merchant's own settings, for new payments at once. */
export async function updateMerchant(context: MerchantsContext, command: UpdateMerchantCommand): Promise<UpdateMerchantOutcome> {
  const parsed = merchantChangesSchema.safeParse(command.changes);
  if (!parsed.success) return { kind: 'invalid', problems: fieldProblems(parsed.error) };
  const { merchantId } = command;
  return changeConfiguration<UpdateMerchantOutcome>(context, command, async (transaction, now) => {
    const before = await findMerchantRow(transaction, merchantId);
    if (before === null) return { outcome: { kind: 'not_found' }, audit: null };
    const merchant = await updateMerchantRow(transaction, merchantId, parsed.data, now);

    return {
      outcome: { kind: 'updated', merchant },
      audit: {
        action: 'merchant.updated',
        objectType: 'merchant',
        objectId: merchantId,
        before: merchantForAudit(before),
        after: merchantForAudit(merchant),
      },
    };
  });
}

const { name, defaultRedirectUrl, sessionMinutes, timeZone, refundDuplicates, holdoutPercent, agentsMayWriteLive } =
  merchantSettings;

/** Input of a new merchant, with the defaults of omitted fields. */
const newMerchantSchema = z.object({
  name,
  merchantNumber: z
    .string('must be text')
    .regex(/^M-\d{6,10}$/, 'must be M- and 6 to 10 digits')
    .optional(),
  defaultRedirectUrl: z._default(defaultRedirectUrl, null),
  sessionMinutes: z._default(sessionMinutes, 60),
  timeZone: z._default(timeZone, 'Africa/Lagos'),
  refundDuplicates: z._default(refundDuplicates, false),
});

/** Input of a change to a merchant; omitted fields stay unchanged. */
const merchantChangesSchema = z.object({
  name: z.exactOptional(name),
  defaultRedirectUrl: z.exactOptional(defaultRedirectUrl),
  sessionMinutes: z.exactOptional(sessionMinutes),
  timeZone: z.exactOptional(timeZone),
  refundDuplicates: z.exactOptional(refundDuplicates),
  holdoutPercent: z.exactOptional(holdoutPercent),
  agentsMayWriteLive: z.exactOptional(agentsMayWriteLive),
});
