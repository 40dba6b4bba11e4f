import type { Mode } from '@switchyard/db/client';
import { type PaymentObject, readModeOf } from '@switchyard/payments/console/payments';
import { hasPermissionAnywhere, merchantsWhere, type Permission, type StaffSession } from '@switchyard/staff/permissions';
import { initTRPC, TRPCError } from '@trpc/server';
import superjson from 'superjson';
import { z } from 'zod';
import type { Switchyard } from '../process.ts';
import { whyUnavailable } from '../unavailable.ts';

/** The context of a procedure. */
export interface TrpcContext {
  readonly switchyard: Switchyard;
  /** Null without a session. */
  readonly session: StaffSession | null;
}

/** The access rule of a procedure: the required permission, or that a session is enough. */
export interface ProcedureMeta {
  readonly permission: Permission | 'signed_in';
}

/** Streams send keep-alives and restart every ten minutes, which checks session and roles again. */
const PING_MS = 10_000;
const STREAM_MAX_MS = 600_000;

const t = initTRPC
  .context<TrpcContext>()
  .meta<ProcedureMeta>()
  .create({
    transformer: superjson,
    isDev: false,
    sse: {
      ping: { enabled: true, intervalMs: PING_MS },
      client: { reconnectAfterInactivityMs: 3 * PING_MS },
      maxDurationMs: STREAM_MAX_MS,
    },
    errorFormatter: ({ shape, error }) => ({
      ...shape,
      message: error.code === 'INTERNAL_SERVER_ERROR' ? 'Something went wrong on our side. It has been recorded.' : shape.message,
      data: { ...shape.data, problems: error.cause instanceof z.ZodError ? z.flattenError(error.cause).fieldErrors : null },
    }),
  });

export const { router, createCallerFactory } = t;

/** A procedure for any signed-in staff user. */
export const signedIn = t.procedure.meta({ permission: 'signed_in' }).use(async ({ ctx, next }) => {
  return orUnavailable(await next({ ctx: { ...ctx, session: requireSession(ctx) } }));
});

/**
 * A procedure that requires a permission. Callers without it for any merchant are refused; `ctx.merchantIds` are the merchants for
 * which the caller has it, and the only ones the procedure may access.
 */
export function permitted(permission: Permission) {
  return t.procedure.meta({ permission }).use(async ({ ctx, next }) => {
    const session = requireSession(ctx);
    if (!hasPermissionAnywhere(session, permission)) throw notAllowed();
    const merchantIds = merchantsWhere(session, permission, await knownMerchants(ctx));
    return orUnavailable(await next({ ctx: { ...ctx, session, merchantIds } }));
  });
}

/**
 * A procedure for which a permission in one mode is enough. Callers without it in any mode are refused; the procedure gets its
 * merchants from {@link inMode}, once it knows which mode it is about.
 */
export function permittedInMode(permission: Permission) {
  return t.procedure.meta({ permission }).use(async ({ ctx, next }) => {
    const session = requireSession(ctx);
    if (!hasPermissionAnywhere(session, permission, 'test')) throw notAllowed();
    const modes = { permission, knownIds: await knownMerchants(ctx) };
    return orUnavailable(await next({ ctx: { ...ctx, session, modes } }));
  });
}

/** The context of a procedure that depends on the mode of what it is about. */
export interface ModesContext extends TrpcContext {
  readonly session: StaffSession;
  readonly modes: { readonly permission: Permission; readonly knownIds: readonly string[] };
}

/**
 * The context with the merchants for which the caller has the procedure's permission in a mode. Null, of what does not exist, takes the
 * permission in both. Throws FORBIDDEN for callers without it.
 */
export function inMode(
  ctx: ModesContext,
  mode: Mode | null,
): TrpcContext & { readonly session: StaffSession; readonly merchantIds: readonly string[] } {
  const { switchyard, session, modes } = ctx;
  if (mode !== null && !hasPermissionAnywhere(session, modes.permission, mode)) {
    throw new TRPCError({
      code: 'FORBIDDEN',
      message: `Your role does not allow this in ${mode} mode. Ask an owner of the workspace.`,
    });
  }
  return { switchyard, session, merchantIds: merchantsWhere(session, modes.permission, modes.knownIds, mode ?? undefined) };
}

/** The merchants for which the caller has the procedure's permission in some mode: where the mode of an object may be looked up. */
export function inAnyMode({ session, modes }: ModesContext): readonly string[] {
  return merchantsWhere(session, modes.permission, modes.knownIds, 'test');
}

/** The mode of a gateway account; null when no merchant of the caller's has it. */
export function accountMode(ctx: ModesContext, { accountId }: { readonly accountId: string }): Mode | null {
  const account = ctx.switchyard.resources.configuration.account(accountId)?.account;
  return account !== undefined && inAnyMode(ctx).includes(account.merchantId) ? account.mode : null;
}

/**
 * {@link inMode} of a payment or of something about one, by its id, at the merchant that a call names or at any of the caller's; with its
 * mode, null when there is none.
 */
export async function inModeOf(ctx: ModesContext, kind: PaymentObject['kind'], id: string, merchantId: string | null = null) {
  const merchantIds = inAnyMode(ctx).filter((known) => merchantId === null || known === merchantId);
  const mode = await readModeOf(ctx.switchyard.payments, { kind, id }, merchantIds);
  return { ...inMode(ctx, mode), mode };
}

function notAllowed(): TRPCError {
  return new TRPCError({ code: 'FORBIDDEN', message: 'Your role does not allow this. Ask an owner of the workspace.' });
}

async function knownMerchants({ switchyard }: TrpcContext): Promise<string[]> {
  const { configuration } = switchyard.resources;
  await configuration.ready();
  return configuration.merchants().map(({ merchant }) => merchant.id);
}

/** The merchants a call is about: the one it names, or all that the caller may see. Throws FORBIDDEN for any other. */
export function resolveMerchants(ctx: { readonly merchantIds: readonly string[] }, merchantId: string | null): readonly string[] {
  if (merchantId === null) return ctx.merchantIds;
  if (ctx.merchantIds.includes(merchantId)) return [merchantId];
  throw new TRPCError({ code: 'FORBIDDEN', message: 'You have no access to this merchant.' });
}

/** The merchants of a list: those its filter names, or all that the caller may see. Throws FORBIDDEN for any other. */
export function listedMerchants(
  ctx: { readonly merchantIds: readonly string[] },
  merchantIds: readonly string[],
): readonly string[] {
  if (merchantIds.length === 0) return ctx.merchantIds;
  return [...new Set(merchantIds.flatMap((merchantId) => resolveMerchants(ctx, merchantId)))];
}

function requireSession({ session }: TrpcContext): StaffSession {
  if (session === null) throw new TRPCError({ code: 'UNAUTHORIZED', message: 'Sign in to continue.' });
  return session;
}

/** The error of a call that the caller may repeat, when an error is one: the database cannot be reached, or a fault of ours is in the way. */
export function unavailableError(cause: unknown): TRPCError | null {
  const message = whyUnavailable(cause);
  return message === null ? null : new TRPCError({ code: 'SERVICE_UNAVAILABLE', message, cause });
}

/** Reports what is unavailable as the cause of a failed call. */
function orUnavailable<R extends { readonly ok: boolean; readonly error?: TRPCError }>(result: R): R {
  const unavailable = result.ok ? null : unavailableError(result.error?.cause);
  if (unavailable !== null) throw unavailable;
  return result;
}
