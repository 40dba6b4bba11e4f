import type { ServerResponse } from 'node:http';
import type { Reply } from '../server/router.ts';
import type { GatewaySpec } from '../simulator.ts';
import type { ActiveFault } from './faults.ts';

const defaultLatencyMs = 3_000;
const defaultRetryAfterSeconds = 10;
/** An unanswered connection is cut after this long if the client has not closed it before. */
const disconnectAfterMs = 120_000;
const hugeBodyBytes = 64 * 1_048_576;

/** The answer a fault gives instead of carrying the call out, or null when the call is to be carried out. */
export function answerInstead(spec: GatewaySpec, fault: ActiveFault): Reply | null {
  switch (fault.kind) {
    case 'http_500':
      return spec.errors.internal();
    case 'html_502':
      return badGateway;
    case 'invalid_key':
      return spec.errors.unauthorised('unknown');
    case 'rate_limited':
      return spec.errors.rateLimited(
        fault.latencyMs === undefined ? defaultRetryAfterSeconds : Math.max(1, Math.ceil(fault.latencyMs / 1000)),
      );
    case 'slow':
    case 'hang':
    case 'broken_json':
    case 'huge_body':
    case 'timeout_after_create':
    case 'down':
    case 'expired_token':
    case 'duplicate_webhook':
    case 'webhook_before_redirect':
    case 'forged_webhook':
    case 'no_webhook':
    case 'underpaid':
    case 'overpaid':
    case 'missing_settlement_line':
    case 'wrong_settlement_fee':
    case 'split_settlement':
    case 'late_settlement':
      return null;
    default:
      return fault.kind satisfies never;
  }
}

/** Milliseconds that a fault delays an answer by. */
export function slowness(fault: ActiveFault): number {
  return fault.latencyMs ?? defaultLatencyMs;
}

/** Waits, unless the client leaves first. */
export function pause(response: ServerResponse, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, delayMs);
    response.once('close', done);
    function done(): void {
      clearTimeout(timer);
      response.off('close', done);
      resolve();
    }
  });
}

/** Never answers: waits for the client to disconnect, and cuts the connection in the end. */
export async function waitForDisconnect(response: ServerResponse): Promise<void> {
  await pause(response, disconnectAfterMs);
  response.destroy();
}

/** Sends half of the JSON under a correct length for that half, so that only the parser can notice. */
export function truncateBody(reply: Reply): Reply {
  return { ...reply, body: reply.body.slice(0, Math.max(1, Math.floor(reply.body.length / 2))) };
}

/** Streams the answer behind 64 MiB of padding: valid JSON for a reader that waits. Ends early when the client disconnects. */
export async function sendOversizedBody(response: ServerResponse, reply: Reply): Promise<void> {
  response.writeHead(reply.status, reply.headers);
  response.write('{"padding":"');
  const block = Buffer.alloc(65_536, 'a');
  for (let sent = 0; sent < hugeBodyBytes && !response.destroyed; sent += block.length) {
    if (!response.write(block)) await drained(response);
  }
  response.end(`",${reply.body.slice(1)}`);
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    response.once('drain', done);
    response.once('close', done);
    function done(): void {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    }
  });
}

const badGateway: Reply = {
  status: 502,
  headers: { 'content-type': 'text/html' },
  body: [
    '<html>',
    '<head><title>502 Bad Gateway</title></head>',
    '<body>',
    '<center><h1>502 Bad Gateway</h1></center>',
    '<hr><center>nginx</center>',
    '</body>',
    '</html>',
    '',
  ].join('\r\n'),
};
