import { randomBytes } from 'node:crypto';
import { NIL_ID } from '@switchyard/db';
import { appendAuditEntry } from '@switchyard/db/audit';
import type { Prisma } from '@switchyard/db/client';
import { resolveHost } from '@switchyard/gateways/addresses';
import { type FieldProblem, fieldProblems } from '@switchyard/runtime';
import { makeEndpointSecret } from '@switchyard/webhooks/sending';
import type { ChannelsContext } from '../context.ts';
import { type ChannelSettings, channelForAudit, type ListedChannel, settingsOf, settingsSchema } from './channel-fields.ts';
import {
  type ChannelKey,
  columnsOf,
  findChannel,
  insertChannel,
  insertTestNotification,
  mayEscalateTo,
  updateChannelRow,
} from './queries.ts';
import { hintOf, openTarget, sealTarget, type Target, targetProblems, targetSchema } from './targets.ts';

/** Most channels of one merchant, or of the workspace. */
export const CHANNELS_OF_MERCHANT_MAX = 20;

/** A target as it is entered; the signing secret of a webhook is made here. */
export type TargetInput = Readonly<Record<string, unknown>> & { readonly kind: string };

/** Asks to add a channel. */
export interface CreateChannelCommand {
  /** The nil UUID for the workspace. */
  readonly merchantId: string;
  readonly target: TargetInput;
  readonly settings: Partial<ChannelSettings> & { readonly name: string };
  readonly actor: string;
}

/** The channel, or why it was not added. */
export type CreateChannelOutcome =
  /** `secret` signs the messages of a webhook and is returned only once; null for other kinds. */
  | { readonly kind: 'created'; readonly channelId: string; readonly secret: string | null }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  | { readonly kind: 'too_many'; readonly limit: number };

/** Adds a channel. Its target is encrypted before it is stored. */
export async function createChannel(context: ChannelsContext, command: CreateChannelCommand): Promise<CreateChannelOutcome> {
  const { merchantId, actor } = command;
  const secret = command.target.kind === 'webhook' ? makeEndpointSecret(randomBytes) : null;
  const entered = secret === null ? command.target : { ...command.target, secret };
  const parsed = parse(entered, command.settings, await resolveTarget(command.target));
  if (parsed.kind === 'invalid') return parsed;
  const { target, settings } = parsed;
  return context.resources.database.prisma.$transaction(async (transaction): Promise<CreateChannelOutcome> => {
    const now = context.now();
    const count = await transaction.notificationChannel.count({ where: { merchantId, removedAt: null } });
    if (count >= CHANNELS_OF_MERCHANT_MAX) return { kind: 'too_many', limit: CHANNELS_OF_MERCHANT_MAX };
    const problems = await escalationProblems(transaction, merchantId, settings);
    if (problems.length > 0) return { kind: 'invalid', problems };
    const key = { merchantId, channelId: context.newId() };
    const row = {
      kind: target.kind,
      target: sealTarget(context.resources.vault, target, key),
      targetHint: hintOf(target),
    };
    const channel = await insertChannel(transaction, key, settings, row, now);
    await audit(context, transaction, { action: 'created', before: null, after: channel, actor }, now);
    return { kind: 'created', channelId: key.channelId, secret };
  });
}

/** Asks to change a channel; what is left out stays. */
export interface UpdateChannelCommand extends ChannelKey {
  readonly target?: TargetInput;
  readonly settings?: Partial<ChannelSettings>;
  readonly enabled?: boolean;
  readonly actor: string;
}

/** Result of changing a channel, or the reason why it was refused. */
export type ChangeChannelOutcome =
  | { readonly kind: 'changed' }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  | { readonly kind: 'not_found' };

/** Changes a channel's target, settings, or whether it is on. A webhook keeps its signing secret. */
export async function updateChannel(context: ChannelsContext, command: UpdateChannelCommand): Promise<ChangeChannelOutcome> {
  const { vault, database } = context.resources;
  const { merchantId, channelId, actor } = command;
  const resolved = await resolveTarget(command.target);
  return database.prisma.$transaction(async (transaction): Promise<ChangeChannelOutcome> => {
    const now = context.now();
    const before = await findChannel(transaction, command);
    if (before === null) return { kind: 'not_found' };
    const old = openTarget(vault, before.target, command);
    const entered =
      command.target === undefined ? old : { ...command.target, ...(old.kind === 'webhook' && { secret: old.secret }) };
    const parsed = parse(entered, { ...settingsOf(before), ...command.settings }, resolved);
    if (parsed.kind === 'invalid') return parsed;
    const { target, settings } = parsed;
    if (target.kind !== before.kind) return { kind: 'invalid', problems: [{ field: 'kind', message: 'cannot be changed' }] };
    const problems = await escalationProblems(transaction, merchantId, settings, channelId);
    if (problems.length > 0) return { kind: 'invalid', problems };
    const enabled = command.enabled ?? before.enabled;
    const sealed = { target: sealTarget(vault, target, command), targetHint: hintOf(target) };
    const after = await updateChannelRow(transaction, command, { ...columnsOf(settings), ...sealed, enabled }, now);
    const action = enabled === before.enabled ? 'updated' : enabled ? 'enabled' : 'disabled';
    await audit(context, transaction, { action, before, after, actor }, now);
    return { kind: 'changed' };
  });
}

/** Removes a channel. Its log stays; what it has not been sent yet is not sent. */
export async function removeChannel(
  context: ChannelsContext,
  command: ChannelKey & { readonly actor: string },
): Promise<{ readonly kind: 'removed' | 'not_found' }> {
  return context.resources.database.prisma.$transaction(async (transaction) => {
    const now = context.now();
    const before = await findChannel(transaction, command);
    if (before === null) return { kind: 'not_found' };
    const { merchantId, channelId } = command;
    // Nothing escalates to a channel that is gone.
    await transaction.notificationChannel.updateMany({
      where: { escalateToId: channelId, ...(merchantId === NIL_ID ? {} : { merchantId }) },
      data: { escalateToId: null, escalateAfterMinutes: null, updatedAt: now },
    });
    const after = await updateChannelRow(transaction, command, { removedAt: now, enabled: false }, now);
    await audit(context, transaction, { action: 'removed', before, after, actor: command.actor }, now);
    return { kind: 'removed' };
  });
}

/** Sends a real message to a channel, at once, whatever its quiet hours are. Its result is in the log under the id returned. */
export async function testChannel(
  context: ChannelsContext,
  command: ChannelKey & { readonly actor: string },
): Promise<{ readonly kind: 'queued'; readonly notificationId: string } | { readonly kind: 'not_found' }> {
  return context.resources.database.prisma.$transaction(async (transaction) => {
    const now = context.now();
    const channel = await findChannel(transaction, command);
    if (channel === null) return { kind: 'not_found' };
    const notificationId = context.newId();
    await insertTestNotification(transaction, notificationId, command, now);
    await audit(context, transaction, { action: 'tested', before: channel, after: channel, actor: command.actor }, now);
    return { kind: 'queued', notificationId };
  });
}

type Parsed =
  | { readonly kind: 'valid'; readonly target: Target; readonly settings: ChannelSettings }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] };

/** Addresses that the host of an entered target resolves to; not within a transaction, which would wait for a name server. */
function resolveTarget(target: TargetInput | undefined): Promise<readonly string[]> {
  return resolveHost(typeof target?.url === 'string' ? target.url : null);
}

function parse(target: unknown, settings: unknown, resolved: readonly string[]): Parsed {
  const parsedTarget = targetSchema.safeParse(target);
  const parsedSettings = settingsSchema.safeParse(settings);
  const problems = [parsedTarget, parsedSettings].flatMap(({ error }) => (error === undefined ? [] : fieldProblems(error)));
  if (!parsedTarget.success || !parsedSettings.success) return { kind: 'invalid', problems };
  const addressed = targetProblems(parsedTarget.data, parsedSettings.data.modes, resolved);
  if (addressed.length > 0) return { kind: 'invalid', problems: addressed };
  return { kind: 'valid', target: parsedTarget.data, settings: parsedSettings.data };
}

async function escalationProblems(
  transaction: Prisma.TransactionClient,
  merchantId: string,
  { escalation }: ChannelSettings,
  channelId?: string,
): Promise<FieldProblem[]> {
  if (escalation === null) return [];
  const { toChannelId } = escalation;
  if (toChannelId !== channelId && (await mayEscalateTo(transaction, merchantId, toChannelId))) return [];
  return [{ field: 'escalation.toChannelId', message: 'must be another channel of the merchant or the workspace' }];
}

interface Audited {
  readonly action: string;
  readonly before: ListedChannel | null;
  readonly after: ListedChannel;
  readonly actor: string;
}

async function audit(
  context: ChannelsContext,
  transaction: Prisma.TransactionClient,
  { action, before, after, actor }: Audited,
  now: Date,
): Promise<void> {
  const entry = {
    tenantId: after.merchantId,
    entryId: context.newId(),
    actor,
    action: `notification_channel.${action}`,
    objectType: 'notification_channel',
    objectId: after.id,
    before: before && channelForAudit(before),
    after: channelForAudit(after),
  };
  await appendAuditEntry(transaction, context.resources.auditKeys, entry, now);
}
