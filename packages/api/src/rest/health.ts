import { pingDatabase } from '@switchyard/db/ping';
import type { PlainRequest, PlainResponse } from '../http/plain.ts';
import type { Switchyard } from '../process.ts';

/** `GET /api/health`: 200 while the database responds and configuration is loaded, 503 otherwise. */
export async function serveHealth(switchyard: Switchyard, request: PlainRequest): Promise<PlainResponse> {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return { status: 405, headers: { ...headers, allow: 'GET, HEAD' }, body: '' };
  try {
    await switchyard.resources.configuration.ready();
    await pingDatabase(switchyard.resources.database);
    return { status: 200, headers, body: JSON.stringify({ status: 'ok' }) };
  } catch {
    return { status: 503, headers: { ...headers, 'retry-after': '2' }, body: JSON.stringify({ status: 'database_away' }) };
  }
}
