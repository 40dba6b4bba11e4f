import { createServer } from 'node:http';
import { constants, setPriority } from 'node:os';
import { reportingListener } from '@switchyard/api/reporting';
import { createFirstAnswer, listen, openServerProcess, SERVER_LIMITS } from '@switchyard/api/server-process';

/*
 * GraphQL and file exports in a process of their own, so that reports never take CPU that a payment waits for. The web process
 * forwards their paths to it. Any number of these processes may run, on the database or on a replica of it.
 */

// Threads that Node starts later inherit it.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

const reporting = await openServerProcess('reporting');
const answerFirst = createFirstAnswer(reporting);
const answer = reportingListener(reporting.switchyard);
const server = createServer(SERVER_LIMITS, (request, response) => {
  answerFirst(request, response, () => answer(request, response));
});
await listen(server, reporting, {
  name: 'reporting',
  port: Number(process.env.REPORTING_PORT ?? 3001),
  hostname: process.env.REPORTING_HOST ?? '127.0.0.1',
  portVariable: 'REPORTING_PORT',
});
