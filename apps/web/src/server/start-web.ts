import { listen, openServerProcess } from '@switchyard/api/server-process';
import { createWebServer, type PageHandler } from './web-server.ts';

/**
 * Starts the web process: payments are answered as soon as the server listens, pages when Next is prepared. Resolves then. Exits
 * when it cannot start.
 */
export async function startWeb(directory: string): Promise<void> {
  const port = Number(process.env.PORT ?? 3000);
  const hostname = process.env.HOST ?? '0.0.0.0';
  const serverProcess = await openServerProcess('web');
  serverProcess.shedder.start();
  const pages = Promise.withResolvers<PageHandler>();
  const server = createWebServer(serverProcess, pages.promise);
  await listen(server, serverProcess, { name: 'web', port, hostname, portVariable: 'PORT' });
  pages.resolve(await preparePages({ directory, hostname, port }));
}

/** Loads Next after the server listens: it takes longer than everything else. */
async function preparePages(at: { directory: string; hostname: string; port: number }): Promise<PageHandler> {
  const { default: next } = await import('next');
  const app = next({ dev: false, dir: at.directory, hostname: at.hostname, port: at.port });
  await app.prepare();
  return app.getRequestHandler();
}
