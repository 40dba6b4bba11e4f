import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { checkoutRoutes } from '../checkout/routes.ts';
import { answerInstead, pause, sendOversizedBody, slowness, truncateBody, waitForDisconnect } from '../faults/answer.ts';
import { type ActiveFault, callFaults } from '../faults/faults.ts';
import type { Call } from '../ledger/records.ts';
import { type ApiRoute, type Authentication, isoTime, type Simulator } from '../simulator.ts';
import { type Inbound, type Match, match, parseTarget, type Reply, type Route, readBody } from './router.ts';

/** Answers a request whose target is given without the gateway's name. */
type GatewayHandler = (target: string, request: IncomingMessage, response: ServerResponse) => void;

/** Answers everything that is sent to a gateway: its hosted pages, and its API under the active fault. */
export function gatewayHandler(simulator: Simulator): GatewayHandler {
  const pages = checkoutRoutes(simulator.spec);
  return (target, request, response) => {
    serve(simulator, pages, target, request, response).catch(() => {
      if (!response.headersSent && !response.destroyed) send(response, simulator.spec.errors.internal());
      else response.destroy();
    });
  };
}

async function serve(
  simulator: Simulator,
  pages: readonly Route<Simulator>[],
  target: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { path, query } = parseTarget(target);
  const method = request.method ?? 'GET';
  const page = match(pages, method, path);
  const call = page.kind === 'found' ? null : beginCall(simulator, method, target);
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
      body === null ? simulator.spec.errors.tooLarge() : await page.route.handle({ ...inbound, params: page.params }, simulator),
    );
  } else if (call !== null) {
    await answerCall(simulator, call, inbound, body === null, response);
  }
}

async function answerCall(
  simulator: Simulator,
  call: Call,
  inbound: Omit<Inbound, 'params'>,
  tooLarge: boolean,
  response: ServerResponse,
): Promise<void> {
  const startedAt = performance.now();
  const finish = (status: number): void => {
    call.status = status;
    call.durationMs = Math.round((performance.now() - startedAt) * 10) / 10;
    simulator.ledger.put({ kind: 'call', record: call });
  };
  const answer = (reply: Reply): void => {
    finish(reply.status);
    send(response, reply);
  };
  if (tooLarge) return answer(simulator.spec.errors.tooLarge());
  const found = match(simulator.spec.routes, inbound.method, inbound.path);
  const params = found.kind === 'found' ? found.params : {};
  const authenticate = (found.kind === 'found' ? found.route.authenticate : undefined) ?? simulator.spec.authenticate;
  const caller = authenticate({ ...inbound, params }, simulator);
  // Recorded before any fault, so that the journal names the account and the reference even of calls that were never answered.
  call.account = caller.kind === 'account' ? caller.account.id : null;
  call.reference = simulator.spec.referenceIn({ ...inbound, params })?.slice(0, 200) ?? null;
  const fault = drawFault(simulator, found.kind === 'found' && found.route.creates === true);
  call.fault = fault?.kind ?? null;
  const instead = fault === null ? null : answerInstead(simulator.spec, fault);
  if (instead !== null) return answer(instead);
  if (fault?.kind === 'hang') return waitForDisconnect(response);
  if (fault?.kind === 'slow') await pause(response, slowness(fault));
  const reply = await carryOut(simulator, call, inbound, found, caller);
  if (fault?.kind === 'broken_json') return answer(truncateBody(reply));
  if (fault?.kind === 'huge_body') {
    finish(reply.status);
    return sendOversizedBody(response, reply);
  }
  if (fault?.kind !== 'timeout_after_create') return answer(reply);
  if (fault.latencyMs === undefined) return waitForDisconnect(response);
  await pause(response, fault.latencyMs);
  answer(simulator.spec.errors.timedOut());
}

/** A fault is drawn only for calls it can affect, so that its probability holds for those. */
function drawFault(simulator: Simulator, creates: boolean): ActiveFault | null {
  const struck = simulator.faults.active?.calls;
  if (struck !== undefined && struck !== (creates ? 'creating' : 'reading')) return null;
  return simulator.faults.strike(creates ? callFaults : callFaults.filter((kind) => kind !== 'timeout_after_create'));
}

async function carryOut(
  simulator: Simulator,
  call: Call,
  inbound: Omit<Inbound, 'params'>,
  found: Match<ApiRoute>,
  caller: Authentication,
): Promise<Reply> {
  if (caller.kind === 'refused') return caller.reply;
  if (found.kind !== 'found') return simulator.spec.errors.unknownPath(inbound.method, inbound.path);
  const { account } = caller;
  const note = (reference: string): void => {
    call.reference = reference;
  };
  return found.route.handle({ ...inbound, params: found.params }, { simulator, account, note });
}

function beginCall(simulator: Simulator, method: string, target: string): Call {
  const call: Call = {
    id: simulator.ledger.nextId(),
    at: isoTime(simulator),
    method,
    path: target.slice(0, 500),
    account: null,
    reference: null,
    status: null,
    durationMs: null,
    fault: null,
  };
  simulator.ledger.put({ kind: 'call', record: call });
  return call;
}

/** Writes an answer; does nothing when the client has disconnected. */
export function send(response: ServerResponse, reply: Reply): void {
  if (response.destroyed) return;
  response.writeHead(reply.status, { ...reply.headers, 'content-length': Buffer.byteLength(reply.body) });
  response.end(reply.body);
}

/** The open connections of requests to one gateway, so that a fault can cut them without those of the others. */
export class Connections {
  readonly #handler: GatewayHandler;
  readonly #sockets = new Set<Socket>();
  #isCut = false;

  constructor(handler: GatewayHandler) {
    this.#handler = handler;
  }

  /** Has the request answered, or resets its connection while connections are cut. */
  answer(target: string, request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    if (this.#isCut) {
      socket.resetAndDestroy();
      return;
    }
    this.#sockets.add(socket);
    response.once('close', () => this.#sockets.delete(socket));
    this.#handler(target, request, response);
  }

  /** Resets the connections of unanswered requests, and those of every request to come. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  restore(): void {
    this.#isCut = false;
  }
}
