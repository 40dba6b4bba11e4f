import { isUnavailable, NIL_ID } from '@switchyard/db';
import type { StaffSession } from '@switchyard/staff/permissions';
import { readSessionState } from '@switchyard/staff/sessions';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { readBody } from '../http/bodies.ts';
import { isFilePath, TRPC_PATH } from '../http/reporting-paths.ts';
import { isFromOurPages } from '../http/same-origin.ts';
import type { Switchyard } from '../process.ts';
import { RETRY_LATER } from '../unavailable.ts';
import { unavailableError } from './procedure.ts';
import { appRouter } from './router.ts';

export { type AppRouter, appRouter } from './router.ts';

const LOOK_MS = 1_000;

/**
 * Checks every second whether the session of a stream is still valid with the same roles; calls `onChange` once when it is not.
 * Ends with the stream. A database outage ends no stream: there is nothing new to send either.
 */
function watchSession(
  switchyard: Switchyard,
  session: Pick<StaffSession, 'sessionId' | 'grants'>,
  stream: AbortSignal,
  onChange: () => void,
): void {
  const { database } = switchyard.resources;
  const begunAs = rolesOf(session);
  async function look(): Promise<void> {
    const now = switchyard.now();
    const current = await readSessionState(database, session.sessionId, now).catch(() => begunAs);
    if (stream.aborted) return;
    if (current === begunAs) timer = setTimeout(() => void look(), LOOK_MS);
    else onChange();
  }
  let timer = setTimeout(() => void look(), LOOK_MS);
  stream.addEventListener('abort', () => clearTimeout(timer), { once: true });
}

/** A session's roles in the database. */
function rolesOf({ grants }: Pick<StaffSession, 'grants'>): string {
  return grants
    .map(({ merchantId, role }) => `${merchantId ?? NIL_ID}:${role}`)
    .toSorted()
    .join();
}

const BATCH_MAX = 20;
/** The largest rule set as a draft, with some margin. */
const BODY_MAX = 9 * 1_048_576;
/** The largest file of settlements or statement of a bank in base64, with some margin. */
const UPLOAD_MAX = 34 * 1_048_576;

/** Answers requests under `/api/trpc` for the session of the request's cookie. */
export async function handleTrpc(switchyard: Switchyard, request: Request): Promise<Response> {
  const { publicUrl } = switchyard.resources;
  if (!isFromOurPages({ method: request.method, headers: request.headers, publicUrl })) return plain(403, 'foreign origin');
  if (request.method === 'POST' && !isJson(request)) return plain(415, 'not JSON');
  const body = await readBody(request.body, await bodyMax(switchyard, request));
  if (body === null) return plain(413, 'too large');
  const ended = new AbortController();
  const { method, headers } = request;
  const isStream = headers.get('accept')?.includes('text/event-stream') === true;
  const signal = AbortSignal.any([request.signal, ended.signal]);
  return fetchRequestHandler({
    endpoint: TRPC_PATH,
    req: new Request(request.url, { method, headers, signal, ...(method === 'POST' && { body }) }),
    router: appRouter,
    maxBatchSize: BATCH_MAX,
    // A draft exceeds the length of a URL: queries about one use a body.
    allowMethodOverride: true,
    createContext: async () => {
      const session = await sessionOrUnavailable(switchyard, headers);
      if (isStream && session !== null) watchSession(switchyard, session, signal, () => ended.abort());
      return { switchyard, session };
    },
    onError({ error, path }) {
      if (error.code !== 'INTERNAL_SERVER_ERROR') return;
      switchyard.log.error({ error: error.cause ?? error }, `${path} failed`);
    },
    responseMeta: ({ errors }) => {
      const isToRetry = errors.some(({ code }) => code === 'SERVICE_UNAVAILABLE');
      return { headers: new Headers({ 'cache-control': 'no-store', ...(isToRetry && RETRY_LATER) }) };
    },
  });
}

/** Bytes that a request may have: files are read of those who are signed in alone. */
async function bodyMax(switchyard: Switchyard, { url, headers }: Request): Promise<number> {
  if (!isFilePath(new URL(url).pathname)) return BODY_MAX;
  const session = await switchyard
    .signIn()
    .readSession(headers)
    .catch((error: unknown) => {
      if (isUnavailable(error)) return null;
      throw error;
    });
  return session === null ? BODY_MAX : UPLOAD_MAX;
}

async function sessionOrUnavailable(switchyard: Switchyard, headers: Headers) {
  try {
    return await switchyard.signIn().readSession(headers);
  } catch (error) {
    throw unavailableError(error) ?? error;
  }
}

function isJson(request: Request): boolean {
  return request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() === 'application/json';
}

function plain(status: number, text: string): Response {
  return new Response(text, { status, headers: { 'cache-control': 'no-store', 'content-type': 'text/plain; charset=utf-8' } });
}
