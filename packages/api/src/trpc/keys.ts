import type { Mode } from '@switchyard/db/client';
import { momentValue } from '@switchyard/db/moments';
import {
  type ChangeKeyOutcome,
  changeKey,
  type IssueKeyOutcome,
  issueKey,
  listKeys,
  type MintedKey,
  type RevokeKeyOutcome,
  type RotateKeyOutcome,
  revokeKey,
  rotateKey,
} from '@switchyard/merchants/console/api-keys';
import { scopesToGive } from '@switchyard/staff/key-scopes';
import type { StaffSession } from '@switchyard/staff/permissions';
import { z } from 'zod';
import { missing, oneMerchant, scope } from './inputs.ts';
import { permitted, router, type TrpcContext } from './procedure.ts';

const NO_MERCHANT = 'There is no such merchant, or you have no access to it.';
const NO_KEY = 'There is no such key, or you have no access to it.';
const name = z.string().max(200);
/** Entered as text, so that each entry is answered with what is wrong with it. */
const restrictions = { scopes: z.array(z.string().max(64)).max(20), allowedAddresses: z.array(z.string().max(200)).max(1_000) };
/** Settings that can be changed; those left out stay. */
const changeable = {
  name: name.exactOptional(),
  scopes: restrictions.scopes.exactOptional(),
  allowedAddresses: restrictions.allowedAddresses.exactOptional(),
};
const oneKey = z.object({ merchantId: z.uuid().toLowerCase(), keyId: z.uuid().toLowerCase() });

/** API keys of merchants. The text of a key is only in the response that creates it. */
export const keys = router({
  /** A merchant's keys of one mode, newest first, revoked ones included. */
  list: permitted('key:read')
    .input(scope)
    .query(async ({ ctx, input: { merchantId, mode } }) => {
      const found = await listKeys(ctx.switchyard, { merchantId: oneMerchant(ctx, merchantId), mode });
      return found.map(shown);
    }),
  issue: permitted('key:issue')
    .input(
      scope.extend({
        name,
        expiresAt: momentValue.nullable(),
        scopes: restrictions.scopes,
        allowedAddresses: restrictions.allowedAddresses.default([]),
      }),
    )
    .mutation(async ({ ctx, input }) => {
      const command = { ...input, merchantId: oneMerchant(ctx, input.merchantId), ...giver(ctx, input) };
      return issued(await issueKey(ctx.switchyard, command));
    }),
  /** Changes some of a key's name, what it may do and from where; everywhere within about a second. */
  change: permitted('key:issue')
    .input(oneKey.extend({ changes: z.object(changeable) }))
    .mutation(async ({ ctx, input }) => {
      const command = { ...input, merchantId: oneMerchant(ctx, input.merchantId), ...giver(ctx, input) };
      return changed(await changeKey(ctx.switchyard, command));
    }),
  /** Creates a key of the same name; both work until `oldWorksUntil`. */
  rotate: permitted('key:rotate')
    .input(oneKey.extend({ oldWorksUntil: momentValue, expiresAt: momentValue.nullable() }))
    .mutation(async ({ ctx, input }) => {
      const command = { ...input, merchantId: oneMerchant(ctx, input.merchantId), ...giver(ctx, input) };
      return rotated(await rotateKey(ctx.switchyard, command));
    }),
  /** Revokes a key for good, everywhere within about a second. */
  revoke: permitted('key:revoke')
    .input(oneKey)
    .mutation(async ({ ctx, input }) => {
      const command = { ...input, merchantId: oneMerchant(ctx, input.merchantId), actor: actorOf(ctx) };
      return revoked(await revokeKey(ctx.switchyard, command));
    }),
});

function actorOf({ session }: { readonly session: NonNullable<TrpcContext['session']> }): string {
  return `staff:${session.staffId}`;
}

/** The caller as they create keys: with the scopes that they may give. */
function giver({ session }: { readonly session: StaffSession }, { merchantId }: { readonly merchantId: string }) {
  return { actor: actorOf({ session }), grantable: (mode: Mode) => scopesToGive(session, merchantId, mode) };
}

/** The public fields of a key, listed one by one: a new column is not exposed automatically. */
function shown(key: Awaited<ReturnType<typeof listKeys>>[number]) {
  const { state, requestsInWeek } = key;
  return { ...identity(key), state, requestsInWeek };
}

function identity({ merchantId, id, mode, publicId, name: called, lastFour, ...key }: MintedKey['key']) {
  const { createdAt, createdBy, lastUsedAt, expiresAt, revokedAt, rotatedFromId, scopes, allowedAddresses } = key;
  const written = { merchantId, keyId: id, mode, publicId, name: called, lastFour };
  return { ...written, createdAt, createdBy, lastUsedAt, expiresAt, revokedAt, rotatedFromId, scopes, allowedAddresses };
}

function issued(outcome: IssueKeyOutcome) {
  if (outcome.kind === 'not_found') return missing(NO_MERCHANT);
  if (outcome.kind !== 'issued') return outcome;
  return { kind: outcome.kind, secretKey: outcome.secretKey, key: identity(outcome.key) };
}

function rotated(outcome: RotateKeyOutcome) {
  if (outcome.kind === 'not_found') return missing(NO_KEY);
  if (outcome.kind !== 'rotated') return outcome;
  return { kind: outcome.kind, secretKey: outcome.secretKey, key: identity(outcome.key), old: identity(outcome.old) };
}

function changed(outcome: ChangeKeyOutcome) {
  if (outcome.kind === 'not_found') return missing(NO_KEY);
  if (outcome.kind !== 'changed' && outcome.kind !== 'unchanged') return outcome;
  return { kind: outcome.kind, key: identity(outcome.key) };
}

function revoked(outcome: RevokeKeyOutcome) {
  if (outcome.kind === 'not_found') return missing(NO_KEY);
  return { kind: outcome.kind, key: identity(outcome.key) };
}
