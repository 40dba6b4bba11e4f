import { reportingListener } from '@switchyard/api/reporting';
import {
  createFirstAnswer,
  createHttpServer,
  listen,
  openServerProcess,
  readSettings,
  SETTINGS,
} from '@switchyard/api/server-process';
import { lowerPriority } from './lower-priority.ts';

/*
 * GraphQL, file exports and what reads files that people send in a process of their own, so that they never take CPU and memory that a
 * payment waits for. The web process forwards their paths to it. Any number of these processes may run, on the database or on a replica of it.
 */

lowerPriority();

const environment = process.env;
const reporting = await openServerProcess('reporting', environment);
const answerFirst = createFirstAnswer(reporting);
const answer = reportingListener(reporting.switchyard, async (request) => {
  // The dashboard's procedures, which nothing else needs here, are loaded with the first file.
  const { handleTrpc } = await import('@switchyard/api/trpc');
  return handleTrpc(reporting.switchyard, request);
});
const server = createHttpServer((request, response) => {
  answerFirst(request, response, () => answer(request, response));
});
const { REPORTING_PORT: port, REPORTING_HOST: hostname } = readSettings(
  SETTINGS.pick({ REPORTING_PORT: true, REPORTING_HOST: true }),
  environment,
);
await listen(server, reporting, {
  name: 'reporting',
  port,
  hostname,
  portVariable: 'REPORTING_PORT',
});
