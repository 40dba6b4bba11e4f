import type { IncomingMessage, ServerResponse } from 'node:http';
import { checkoutRoutes } from '../checkout/routes.ts';
import { answerInstead, flood, halve, hold, pause, slowness } from '../faults/answer.ts';
import type { ActiveFault } from '../faults/fault-switches.ts';
import { callFaults } from '../faults/kinds.ts';
import type { Call } from '../ledger/records.ts';
import type { ApiRoute, Desk } from '../simulator.ts';
import { isoTime } from '../simulator.ts';
import { type Inbound, type Match, match, parseTarget, type Reply, type Route, readBody } from './router.ts';

/** Answers everything that reaches a gateway's port: its hosted pages, and its API with the fault of the day. */
export function gatewayHandler(desk: Desk): (request: IncomingMessage, response: ServerResponse) => void {
  const pages = checkoutRoutes(desk.spec);
  return (request, response) => {
    serve(desk, pages, request, response).catch(() => {
      if (!response.headersSent && !response.destroyed) send(response, desk.spec.errors.internal());
      else response.destroy();
    });
  };
}

async function serve(
  desk: Desk,
  pages: readonly Route<Desk>[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { path, query } = parseTarget(request.url ?? '/');
  const method = request.method ?? 'GET';
  const page = match(pages, method, path);
  const call = page.kind === 'found' ? null : beginCall(desk, method, request.url ?? '/');
  const body = await readBody(request);
  const inbound: Omit<Inbound, 'params'> = {
    method,
    path,
    query,
    headers: request.headers,
    body: body ?? Buffer.alloc(0),
    ip: request.socket.remoteAddress ?? '127.0.0.1',
  };
  if (page.kind === 'found') {
    send(
      response,
      body === null ? desk.spec.errors.tooLarge() : await page.route.handle({ ...inbound, params: page.params }, desk),
    );
  } else if (call !== null) {
    await answerCall(desk, call, inbound, body === null, response);
  }
}

async function answerCall(
  desk: Desk,
  call: Call,
  inbound: Omit<Inbound, 'params'>,
  tooLarge: boolean,
  response: ServerResponse,
): Promise<void> {
  const startedAt = performance.now();
  const finish = (status: number): void => {
    call.status = status;
    call.durationMs = Math.round((performance.now() - startedAt) * 10) / 10;
    desk.books.put({ kind: 'call', record: call });
  };
  const answer = (reply: Reply): void => {
    finish(reply.status);
    send(response, reply);
  };
  if (tooLarge) return answer(desk.spec.errors.tooLarge());
  const found = match(desk.spec.routes, inbound.method, inbound.path);
  const params = found.kind === 'found' ? found.params : {};
  const key = bearer(inbound.headers.authorization);
  // Written down before any fault, so that the journal knows whose call it was and about what, even when nothing came of it.
  call.account = key.kind === 'key' ? (desk.books.accountByKey(key.value)?.id ?? null) : null;
  call.reference = desk.spec.referenceIn({ ...inbound, params })?.slice(0, 200) ?? null;
  const fault = drawFault(desk, found.kind === 'found' && found.route.creates === true);
  call.fault = fault?.kind ?? null;
  const instead = fault === null ? null : answerInstead(desk.spec, fault);
  if (instead !== null) return answer(instead);
  if (fault?.kind === 'hang') return hold(response);
  if (fault?.kind === 'slow') await pause(response, slowness(fault));
  const reply = await carryOut(desk, call, inbound, found);
  if (fault?.kind === 'broken_json') return answer(halve(reply));
  if (fault?.kind === 'huge_body') {
    finish(reply.status);
    return flood(response, reply);
  }
  if (fault?.kind !== 'timeout_after_create') return answer(reply);
  if (fault.latencyMs === undefined) return hold(response);
  await pause(response, fault.latencyMs);
  answer(desk.spec.errors.timedOut());
}

/** A fault is drawn only for calls it can concern, so that its probability means what it says. */
function drawFault(desk: Desk, creates: boolean): ActiveFault | null {
  const struck = desk.faults.active?.calls;
  if (struck !== undefined && struck !== (creates ? 'creating' : 'reading')) return null;
  return desk.faults.strike(creates ? callFaults : callFaults.filter((kind) => kind !== 'timeout_after_create'));
}

async function carryOut(desk: Desk, call: Call, inbound: Omit<Inbound, 'params'>, found: Match<ApiRoute>): Promise<Reply> {
  const { errors } = desk.spec;
  const key = bearer(inbound.headers.authorization);
  if (key.kind !== 'key') return errors.unauthorised(key.kind);
  const account = desk.books.accountByKey(key.value);
  if (account === null) return errors.unauthorised('unknown');
  if (found.kind !== 'found') return errors.unknownPath(inbound.method, inbound.path);
  const note = (reference: string): void => {
    call.reference = reference;
  };
  return found.route.handle({ ...inbound, params: found.params }, { desk, account, note });
}

type Bearer = { readonly kind: 'missing' } | { readonly kind: 'malformed' } | { readonly kind: 'key'; readonly value: string };

function bearer(header: string | undefined): Bearer {
  if (header === undefined || header === '') return { kind: 'missing' };
  const value = /^Bearer +(\S+)$/i.exec(header)?.[1];
  return value === undefined ? { kind: 'malformed' } : { kind: 'key', value };
}

function beginCall(desk: Desk, method: string, target: string): Call {
  const call: Call = {
    id: desk.books.nextId(),
    at: isoTime(desk),
    method,
    path: target.slice(0, 500),
    account: null,
    reference: null,
    status: null,
    durationMs: null,
    fault: null,
  };
  desk.books.put({ kind: 'call', record: call });
  return call;
}

export function send(response: ServerResponse, reply: Reply): void {
  if (response.destroyed) return;
  response.writeHead(reply.status, { ...reply.headers, 'content-length': Buffer.byteLength(reply.body) });
  response.end(reply.body);
}
