import { createServer } from 'node:http';
import { serveNodeRequest } from '@switchyard/api/node';
import { createFirstAnswer, listen, openServerProcess } from '@switchyard/api/server-process';

/* A web process as the production entry starts one, without pages. `PORT` is a free port. */

const web = await openServerProcess('web', process.env);
const answerFirst = createFirstAnswer(web);
const server = createServer({ headersTimeout: 10_000, requestTimeout: 15_000, keepAliveTimeout: 75_000 }, (request, response) => {
  answerFirst(request, response, () => {
    if (!serveNodeRequest(web.switchyard, request, response)) response.writeHead(404).end();
  });
});
await listen(server, web, { name: 'web', port: Number(process.env.PORT), hostname: '127.0.0.1', portVariable: 'PORT' });
