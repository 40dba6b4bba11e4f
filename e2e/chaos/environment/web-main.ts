import { createServer } from 'node:http';
import { flushCompileCache } from 'node:module';
import { serveNodeRequest } from '@switchyard/api/node';
import { openSwitchyard } from '@switchyard/api/process';
import { openPayments } from '@switchyard/payments/context';
import { followClock } from './clock.ts';

/*
 * A web process as the production entry starts one, without pages: the same handlers on Node's HTTP server, on the run's clock.
 */

const now = followClock(process.env);
const opened = openSwitchyard(process.env);
opened.payments.close();
const payments = openPayments(opened.resources, {
  now,
  onError: (error, doing) => opened.log.warn({ error: String(error) }, `error while ${doing}`),
});
const switchyard = { ...opened, payments, now };
// Without the database there is nothing to route by yet: answers are 503 until there is.
await switchyard.resources.configuration.ready().catch(() => undefined);

const server = createServer({ headersTimeout: 10_000, requestTimeout: 15_000, keepAliveTimeout: 75_000 }, (request, response) => {
  if (!serveNodeRequest(switchyard, request, response)) response.writeHead(404).end();
});
server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ ready: true, port: address !== null && typeof address === 'object' ? address.port : 0 });
  // A killed process writes nothing at its end.
  flushCompileCache();
});
process.once('disconnect', () => process.exit());
// Its parent may have ended while this program was being loaded.
if (!process.connected) process.exit();
